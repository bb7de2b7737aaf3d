/** Brings other people's logs into the tracking refs. */
import { setTimeout as sleep } from "node:timers/promises";
import { FatalError } from "../errors.js";
import { leftLockNotice, removeLeftLocks, trackingLocks } from "../git/left-lock.js";
import type { Repository } from "../git/repository.js";
import { withoutCredentials } from "../git/url.js";
import { deleteRefs } from "../store/delete-refs.js";
import { encodeRemote, parseRefName, trackingRefName } from "../store/names.js";
import { gitReason, listRemote, type Network, runNetwork, unanswered } from "./network.js";
import { excludedRefs, fetchRefspec } from "./refspec.js";

export interface FetchedRef {
  /** The tracking ref. */
  ref: string;
  from: string | null;
  to: string | null;
  status: "new" | "updated" | "removed";
}

export interface Fetched {
  remote: string;
  refs: FetchedRef[];
}

/**
 * Nothing but the refs named: no tags, no FETCH_HEAD, no submodules, no maintenance, nothing pruned; and not the
 * configured refspecs beside them (`--refmap=`), of which a mirror's would put others' logs over our own.
 */
const FETCH = [
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--recurse-submodules=no",
  "--no-auto-maintenance",
  "--no-write-commit-graph",
  "--no-prune",
  "--refmap=",
] as const;

/**
 * Fetches every handoff ref of a remote. In a partial clone the documents come too, also those that an earlier
 * plain fetch left out. Sent refs that the remote no longer has are removed here, nothing else ever is.
 * Throws FatalError when the remote cannot be reached.
 */
export async function fetchHandoffs(
  repository: Repository,
  remote: string,
  network: Network,
): Promise<Fetched> {
  const refspecs = [fetchRefspec(remote), ...excludedRefs(await repository.config(), remote)];
  const before = await trackingRefs(repository, remote);
  await fetchRefs(repository, remote, refspecs, network, []);
  let after = await trackingRefs(repository, remote);
  if (repository.info.partial && (await documentsMissing(repository, after))) {
    await fetchRefs(repository, remote, refspecs, network, ["--refetch"]);
    after = await trackingRefs(repository, remote);
  }
  if (await removeVanished(repository, remote, after, network))
    after = await trackingRefs(repository, remote);
  return { remote, refs: difference(before, after) };
}

/** Tries beside other fetches and pushes of this clone, which move the same tracking refs. */
const TRIES = 6;
/** git's words for that, here (it has no exit code of its own for it); the remote's come behind `remote:`. */
const OVERTAKEN = /^(?:error|fatal): .*(?:cannot lock ref|unable to update local ref|\.lock': File exists)/m;
/** And for a disk that is full or not to be written to: no word about the remote. */
const NOT_KEPT =
  /^(?:error|fatal): .*(?:cannot update ref|couldn't write|No space left|insufficient permission)/m;
/** Newer gits fetch the rest and say so on several lines; older ones keep one of them and say nothing. */
const ONE_FILE = /^error: You're on a case-insensitive filesystem/m;

/** One fetch of these refspecs into tracking refs. `from` is a remote's name or a URL. Throws FatalError. */
export async function fetchRefs(
  repository: Repository,
  from: string,
  refspecs: readonly string[],
  network: Network,
  options: readonly string[] = [],
): Promise<void> {
  const filter = repository.info.partial ? ["--no-filter"] : [];
  const args = [...FETCH, ...filter, ...options, "--", from, ...refspecs];
  for (let attempt = 1; ; attempt++) {
    const result = await runNetwork(repository, network, args);
    if (result.code === 0) return;
    const overtaken = OVERTAKEN.test(result.stderr);
    const again = attempt < TRIES && !result.timedOut && Date.now() < network.deadline;
    if (ONE_FILE.test(result.stderr))
      throw new FatalError(
        `cannot record all of what '${withoutCredentials(from)}' has: this file system ignores case, in which alone some of its refs differ`,
      );
    if (!again || !((await locksFreed(repository)) || overtaken)) {
      if (!overtaken && !NOT_KEPT.test(result.stderr)) throw unanswered(from, result, "git fetch failed");
      const reason = gitReason(result, "git fetch failed");
      throw new FatalError(`cannot record what '${withoutCredentials(from)}' has: ${reason}`);
    }
    await sleep(50 * 2 ** attempt * (0.5 + Math.random()));
  }
}

/** Was a lock on a tracking ref in the way that is not any more? */
async function locksFreed({ info, notice }: Repository): Promise<boolean> {
  const left = await removeLeftLocks(trackingLocks(info.commonDir));
  for (const lock of left ?? []) notice(leftLockNotice(lock));
  return left !== null;
}

/** Tracking refs of this remote, by name. */
async function trackingRefs(repository: Repository, remote: string): Promise<Map<string, string>> {
  const refs = await repository.port().refs(["refs/handoff-remotes/"]);
  const own = refs.filter(({ name }) => name.endsWith(`/${encodeRemote(remote)}`));
  return new Map(own.map(({ name, oid }) => [name, oid]));
}

/** Names that a plain fetch in a partial clone brought without what they name. */
async function documentsMissing(
  repository: Repository,
  tracking: ReadonlyMap<string, string>,
): Promise<boolean> {
  if (tracking.size === 0) return false;
  const result = await repository.safe(["rev-list", "--objects", "--missing=print", "--no-walk", "--stdin"], {
    input: `${[...tracking.values()].join("\n")}\n`,
  });
  return result.code !== 0 || /^\?/m.test(result.stdout.toString("utf8"));
}

/**
 * A sent ref is deleted on the remote once its document is acknowledged; its copy here goes with it. A log that
 * is absent there is never taken for deleted.
 */
async function removeVanished(
  repository: Repository,
  remote: string,
  tracking: ReadonlyMap<string, string>,
  network: Network,
): Promise<boolean> {
  const sent = [...tracking].filter(([name]) => parseRefName(name)?.handle);
  if (sent.length === 0) return false;
  const there = await listRemote(repository, network, remote, ["refs/handoff/*"]);
  const kept = new Set([...there.keys()].map((ref) => trackingRefName(ref, remote)));
  const gone = sent.filter(([name]) => !kept.has(name)).map(([name, oid]) => ({ name, oid }));
  await deleteRefs(repository.port(), gone, "handoff: gone from the remote");
  return gone.length > 0;
}

function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FetchedRef[] {
  const changed: FetchedRef[] = [];
  for (const [ref, to] of after) {
    const from = before.get(ref) ?? null;
    if (from !== to) changed.push({ ref, from, to, status: from === null ? "new" : "updated" });
  }
  for (const [ref, from] of before)
    if (!after.has(ref)) changed.push({ ref, from, to: null, status: "removed" });
  return changed;
}
