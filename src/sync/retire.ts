/** A sent ref ends when a clone's own, pushed log has acknowledged its document. */
import type { RefUpdate } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { readAllBranches } from "../store/branch.js";
import type { Log } from "../store/log.js";
import { refName, sentRefName } from "../store/names.js";
import { writerId } from "../store/writer.js";
import { type Network, runNetwork } from "./network.js";
import { type PushedRef, parsePushed } from "./porcelain.js";
import { pushCommand } from "./push-command.js";

/**
 * Deletes, here and on the remote, the sent refs whose every document is acknowledged by an own log in `pushed`
 * (names of own refs that the remote has). With a lease: a ref that is another there stays.
 */
export async function retireSent(
  repository: Repository,
  remote: string,
  pushed: ReadonlySet<string>,
  network: Network,
): Promise<PushedRef[]> {
  const port = repository.port();
  const own = await writerId(port, { create: false });
  if (own === null || pushed.size === 0) return [];
  const local: RefUpdate[] = [];
  const there = new Map<string, string>();
  for (const { branch, logs } of (await readAllBranches(port)).values()) {
    const mine = logs.find((log) => log.writer === own && log.remote === null && log.handle === null);
    if (!mine || !pushed.has(refName(branch, own))) continue;
    const acked = new Set(["acked", "gone"].flatMap((folder) => blobs(mine, folder as "acked" | "gone")));
    for (const log of logs.filter((one) => one.handle !== null && isAcknowledged(one, acked))) {
      if (log.remote === null) local.push({ ref: log.ref, from: log.tip, to: null });
      if (log.remote === remote) there.set(sentRefName(branch, log.writer, log.handle ?? ""), log.tip);
    }
  }
  const deleted = await deleteThere(repository, remote, there, network);
  if (local.length > 0) await port.updateRefs(local, "handoff: acknowledged");
  return deleted;
}

function blobs(log: Log, folder: "acked" | "gone" | "inbox"): string[] {
  return (log.folders.get(folder)?.entries ?? []).map((entry) =>
    folder === "gone" ? entry.name : entry.oid,
  );
}

function isAcknowledged(sent: Log, acked: ReadonlySet<string>): boolean {
  const documents = blobs(sent, "inbox");
  return documents.length > 0 && documents.every((oid) => acked.has(oid));
}

async function deleteThere(
  repository: Repository,
  remote: string,
  refs: ReadonlyMap<string, string>,
  network: Network,
): Promise<PushedRef[]> {
  if (refs.size === 0) return [];
  const leases = [...refs].map(([ref, oid]) => `--force-with-lease=${ref}:${oid}`);
  const answer = await runNetwork(repository, network, [
    ...pushCommand(remote),
    ...leases,
    "--",
    remote,
    ...[...refs.keys()].map((ref) => `:${ref}`),
  ]);
  // Somebody else may have been first: what is not there any more is as it should be.
  return parsePushed(answer.stdout.toString("utf8")).filter(({ status }) => status === "deleted");
}
