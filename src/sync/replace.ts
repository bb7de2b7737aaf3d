/** What may change or delete a ref on a remote: always one that is known, with a lease on its value. */
import type { Repository } from "../git/repository.js";
import { compareTips } from "../store/collision.js";
import { joinLogs } from "../store/join-logs.js";
import { type Logs, readLogs } from "../store/log.js";
import { parseRefName, refName, trackingRefName } from "../store/names.js";
import { writerId } from "../store/writer.js";
import { fetchRefs } from "./fetch.js";
import { gitReason, listRemote, type Network, runNetwork } from "./network.js";
import { type PushedRef, parsePushed } from "./porcelain.js";
import { pushCommand } from "./push-command.js";

/** One ref of a remote: from the value it must have there (null: none) to another; null deletes. */
export interface RemoteUpdate {
  ref: string;
  from: string | null;
  to: string | null;
}

/** The only push that forces; each ref only from the value named. What was refused is in the result. */
export async function updateRemote(
  repository: Repository,
  remote: string,
  network: Network,
  updates: readonly RemoteUpdate[],
): Promise<PushedRef[]> {
  if (updates.length === 0) return [];
  const leases = updates.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ""}`);
  const refspecs = updates.map(({ ref, to }) => `${to ?? ""}:${ref}`);
  const answer = await runNetwork(repository, network, [
    ...pushCommand(remote),
    ...leases,
    "--",
    remote,
    ...refspecs,
  ]);
  const pushed = parsePushed(answer.stdout.toString("utf8"));
  return updates.map(
    ({ ref }) =>
      pushed.find((each) => each.ref === ref) ?? {
        ref,
        status: "rejected",
        summary: "[not sent]",
        reason: gitReason(answer, "git push failed"),
      },
  );
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
  const port = repository.port();
  const own = await writerId(port, { create: false });
  if (own === null) return [];
  const mine = (await port.refs(["refs/handoff/**"])).filter(({ name }) => isOwnLog(name, own));
  const listed = await listRemote(repository, network, remote, ["refs/handoff/*"]);
  const there = mine.filter(({ name, oid }) => listed.has(name) && listed.get(name) !== oid);
  const specs = there.map(({ name }) => `+${name}:${trackingRefName(name, remote)}`);
  if (specs.length > 0) await fetchRefs(repository, remote, specs, network, []);
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
  const pushed = await updateRemote(repository, remote, network, updates);
  await forgetCopies(repository, remote, network, pushed);
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
  remote: string,
  network: Network,
  pushed: readonly PushedRef[],
): Promise<void> {
  const sent = pushed.filter(({ status }) => status !== "rejected");
  if (sent.length === 0) return;
  const specs = sent.map(({ ref }) => `+${ref}:${trackingRefName(ref, remote)}`);
  await fetchRefs(repository, remote, specs, network, []);
  for (const { ref } of sent) {
    const copy = trackingRefName(ref, remote);
    // By default git keeps no reflog for them.
    const { code } = await repository.run(["reflog", "exists", copy]);
    if (code === 0) await repository.port().expireReflog?.(copy);
  }
}
