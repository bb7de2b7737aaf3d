/** What a refused push of a ref means: how its tip there is related to ours tells. */
import { RefConflictError, type RefUpdate } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { type NewWriter, relate, takeNewWriter } from "../store/collision.js";
import { readCommits } from "../store/commits.js";
import { parseRefName, trackingRefName } from "../store/names.js";
import { fetchRefs } from "./fetch.js";
import { listRemote, type Network } from "./network.js";
import type { PushedRef } from "./porcelain.js";
import { excludedRefs, fetchRefspec } from "./refspec.js";

export interface Settled {
  /** Refs that need no further push, or must not be pushed again. */
  done: PushedRef[];
  /** Set when another clone turned out to have this one's writer id. */
  newWriter: NewWriter | null;
}

/**
 * Fetches what stands at `address` under the names that were refused and compares. A log that went on there (a
 * restored backup here) is taken over; a log of another clone with our writer id gives this one a new id. The
 * rest is to be pushed again. Throws FatalError when the remote cannot be reached.
 */
export async function settleRefused(
  repository: Repository,
  target: { remote: string; address: string },
  refused: readonly PushedRef[],
  network: Network,
): Promise<Settled> {
  const port = repository.port();
  const there = await listRemote(repository, network, target.address, ["refs/handoff/*"]);
  const present = refused.filter(({ ref }) => there.has(ref));
  if (present.length === 0) return { done: [], newWriter: null };
  const refspecs = present.map(({ ref }) => `+${ref}:${trackingRefName(ref, target.remote)}`);
  await fetchRefs(repository, target.address, refspecs, network);
  const ours = new Map((await port.refs(["refs/handoff/"])).map(({ name, oid }) => [name, oid]));
  const pairs = present.flatMap((ref) => {
    const [mine, theirs] = [ours.get(ref.ref), there.get(ref.ref)];
    return mine && theirs ? [{ ref, mine, theirs }] : [];
  });
  const commits = await readCommits(
    port,
    pairs.flatMap(({ mine, theirs }) => [mine, theirs]),
  );
  const done: PushedRef[] = [];
  const forward: RefUpdate[] = [];
  const collisions = new Set<string>();
  for (const { ref, mine, theirs } of pairs) {
    const log = parseRefName(ref.ref);
    if (log?.handle) {
      // A sent ref never changes: another one of its name is somebody else's and stays.
      if (mine !== theirs) done.push({ ...ref, reason: "another document has this name there" });
      continue;
    }
    const relation = relate(commits, mine, theirs);
    if (relation === "fast-forward") forward.push({ ref: ref.ref, from: mine, to: theirs });
    else if (relation === "collision" && log) collisions.add(log.writer);
    else if (relation === "redacted")
      done.push({ ...ref, reason: "redacted here and not yet there: run git handoff redact again" });
    else if (relation === "unknown")
      done.push({ ...ref, reason: "its history is not complete here: run git fetch --unshallow" });
  }
  await moveForward(repository, forward);
  const [collided] = collisions;
  // The logs of all branches are taken over: what is gone there must be known first.
  if (collided !== undefined) {
    const everything = [
      fetchRefspec(target.remote),
      ...excludedRefs(await repository.config(), target.remote),
    ];
    await fetchRefs(repository, target.address, everything, network);
  }
  return { done, newWriter: collided === undefined ? null : await takeNewWriter(port, { from: collided }) };
}

async function moveForward(repository: Repository, updates: readonly RefUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  try {
    await repository.port().updateRefs(updates, "handoff: fast-forward to the remote's log");
  } catch (error) {
    // Somebody wrote here meanwhile: the next look tells what that makes of it.
    if (!(error instanceof RefConflictError)) throw error;
  }
}
