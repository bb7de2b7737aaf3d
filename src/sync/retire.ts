/** A sent ref ends when a clone's own, pushed log has acknowledged its document. */
import type { Ref, StoragePort } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { readAllBranches } from "../store/branch.js";
import { deleteRefs } from "../store/delete-refs.js";
import type { Log } from "../store/log.js";
import { allRefPatterns, parseRefName, refName, sentRefName, trackingRefName } from "../store/names.js";
import { writerId } from "../store/writer.js";
import type { Network } from "./network.js";
import type { PushedRef } from "./porcelain.js";
import { updateRemote } from "./replace.js";

/** For reflogs. */
const ACKNOWLEDGED = "handoff: acknowledged";

/** Local sent refs of which every document is acknowledged by somebody: there is nothing left to pass on. */
export async function acknowledgedRefs(port: StoragePort): Promise<Set<string>> {
  const over = new Set<string>();
  for (const { logs, joined } of (await readAllBranches(port)).values()) {
    const ended = new Set([...joined.values()].filter(({ stage }) => stage >= 2).map(({ oid }) => oid));
    for (const log of logs) if (log.remote === null && isSent(log) && isOver(log, ended)) over.add(log.ref);
  }
  return over;
}

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
  // The usual case, told without reading a log.
  const names = await port.refs(allRefPatterns());
  if (!names.some(({ name }) => parseRefName(name)?.handle)) return [];
  const local: Ref[] = [];
  const there = new Map<string, string>();
  for (const { branch, logs } of (await readAllBranches(port)).values()) {
    const mine = logs.find((log) => log.ref === refName(branch, own));
    if (!mine || !pushed.has(mine.ref)) continue;
    const ended = new Set([...blobs(mine, "acked"), ...blobs(mine, "gone")]);
    for (const log of logs.filter((one) => isSent(one) && isOver(one, ended))) {
      if (log.remote === null) local.push({ name: log.ref, oid: log.tip });
      if (log.remote === remote) there.set(sentRefName(branch, log.writer, log.handle ?? ""), log.tip);
    }
  }
  const updates = [...there].map(([ref, from]) => ({ ref, from, to: null }));
  const answered = await updateRemote(repository, remote, network, updates);
  // Somebody else may have been first: what is not there any more is as it should be.
  const deleted = answered.filter(({ status }) => status === "deleted");
  await deleteRefs(port, local, ACKNOWLEDGED);
  // With a refspec configured git has taken the copies out itself.
  const copies = await port.refs(deleted.map(({ ref }) => trackingRefName(ref, remote)));
  await deleteRefs(port, copies, ACKNOWLEDGED);
  return deleted;
}

function isSent(log: Log): boolean {
  return log.handle !== null;
}

function blobs(log: Log, folder: "acked" | "gone" | "inbox"): string[] {
  return (log.folders.get(folder)?.entries ?? []).map((entry) =>
    folder === "gone" ? entry.name : entry.oid,
  );
}

function isOver(sent: Log, ended: ReadonlySet<string>): boolean {
  const documents = blobs(sent, "inbox");
  return documents.length > 0 && documents.every((oid) => ended.has(oid));
}
