/** What may change or delete a ref on a remote: always one that is known, with a lease on its value. */
import type { Repository } from "../git/repository.js";
import { compareTips } from "../store/collision.js";
import { joinLogs } from "../store/join-logs.js";
import { type Logs, readLogs } from "../store/log.js";
import { parseRefName, refName, trackingRefName } from "../store/names.js";
import { writerId } from "../store/writer.js";
import { fetchRefs } from "./fetch.js";
import { gitReason, listRemote, type Network } from "./network.js";
import type { PushedRef } from "./porcelain.js";
import { runPush } from "./push-command.js";
import { pushAddresses } from "./remote.js";

/** One ref of a remote: from the value it must have there (null: none) to another; null deletes. */
export interface RemoteUpdate {
  ref: string;
  from: string | null;
  to: string | null;
}

/** Refs in one push at most. */
const CHUNK = 100;

/** The only push that forces; each ref only from the value named. What was refused is in the result. */
export async function updateRemote(
  repository: Repository,
  remote: string,
  network: Network,
  updates: readonly RemoteUpdate[],
): Promise<PushedRef[]> {
  const results: PushedRef[] = [];
  for (let at = 0; at < updates.length; at += CHUNK) {
    const chunk = updates.slice(at, at + CHUNK);
    const options = chunk.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ""}`);
    const refspecs = chunk.map(({ ref, to }) => `${to ?? ""}:${ref}`);
    const { refs, result } = await runPush(repository, network, { to: remote, refspecs, options });
    const reason = gitReason(result, "git push failed");
    for (const { ref } of chunk)
      results.push(
        refs.find((each) => each.ref === ref) ?? { ref, status: "rejected", summary: "[not sent]", reason },
      );
  }
  return results;
}

/**
 * Brings a redaction to a remote: this writer's logs there that still are as they were before it are replaced.
 * @param known branches whose document is known to be there under another writer's name: the log that calls it
 *   gone is sent there even where this writer has none yet.
 * Throws FatalError when the remote cannot be reached.
 */
export async function replaceRedacted(
  repository: Repository,
  remote: string,
  network: Network,
  known: readonly string[],
): Promise<PushedRef[]> {
  const refs: PushedRef[] = [];
  for (const address of await pushAddresses(repository, remote))
    refs.push(...(await replaceAt(repository, { remote, address }, network, known)));
  return refs;
}

async function replaceAt(
  repository: Repository,
  { remote, address }: { remote: string; address: string },
  network: Network,
  known: readonly string[],
): Promise<PushedRef[]> {
  const port = repository.port();
  const own = await writerId(port, { create: false });
  if (own === null) return [];
  const mine = (await port.refs(["refs/handoff/**"])).filter(({ name }) => isOwnLog(name, own));
  const listed = await listRemote(repository, network, address, ["refs/handoff/*"]);
  const there = mine.filter(({ name, oid }) => listed.has(name) && listed.get(name) !== oid);
  const specs = there.map(({ name }) => `+${name}:${trackingRefName(name, remote)}`);
  if (specs.length > 0) await fetchRefs(repository, address, specs, network);
  const updates: RemoteUpdate[] = [];
  const refused: PushedRef[] = [];
  const read = await readLogs(
    port,
    there.flatMap(({ name, oid }) => [
      { name, oid },
      { name: trackingRefName(name, remote), oid: listed.get(name) ?? "" },
    ]),
  );
  for (const { name, oid } of there) {
    const from = listed.get(name) ?? "";
    const relation = await compareTips(port, oid, from);
    const contained = relation === "redacted" && containsAll(read, name, trackingRefName(name, remote));
    if (contained || relation === "push-again") updates.push({ ref: name, from, to: oid });
    else refused.push({ ref: name, status: "rejected", summary: "[not sent]", reason: WHY[relation] });
  }
  const wanted = new Set(known.map((branch) => refName(branch, own)));
  for (const { name, oid } of mine)
    if (wanted.has(name) && !listed.has(name)) updates.push({ ref: name, from: null, to: oid });
  const pushed = await updateRemote(repository, address, network, updates);
  await forgetCopies(repository, { remote, address }, network, pushed);
  return [...pushed, ...refused];
}

const BEYOND = "the remote has what this clone does not know of: run git handoff push first";
const WHY = {
  same: null,
  "push-again": null,
  redacted: BEYOND,
  "fast-forward": BEYOND,
  collision: "another clone writes under this name: run git handoff push first",
  unknown: "its history is not complete here: run git fetch --unshallow",
} as const;

/** Has every document that `theirs` holds come at least as far in `ours`? Else something would be lost with it. */
function containsAll({ logs }: Logs, ours: string, theirs: string): boolean {
  const [mine, other] = [ours, theirs].map((ref) => joinLogs(logs.filter((log) => log.ref === ref)));
  return [...(other?.values() ?? [])].every(({ oid, stage }) => (mine?.get(oid)?.stage ?? -1) >= stage);
}

function isOwnLog(name: string, own: string): boolean {
  const log = parseRefName(name);
  return log?.writer === own && log.handle === null && log.remote === null;
}

/** The tracking refs still name the replaced logs; what they named must not be found in their reflogs either. */
async function forgetCopies(
  repository: Repository,
  { remote, address }: { remote: string; address: string },
  network: Network,
  pushed: readonly PushedRef[],
): Promise<void> {
  const sent = pushed.filter(({ status }) => status !== "rejected");
  if (sent.length === 0) return;
  const specs = sent.map(({ ref }) => `+${ref}:${trackingRefName(ref, remote)}`);
  await fetchRefs(repository, address, specs, network);
  for (const { ref } of sent) {
    const copy = trackingRefName(ref, remote);
    // By default git keeps no reflog for them.
    const { code } = await repository.run(["reflog", "exists", copy]);
    if (code === 0) await repository.port().expireReflog?.(copy);
  }
}
