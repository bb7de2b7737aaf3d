/** The events that end a document's life: close, ack, decline. */
import type { StoragePort } from "../git/port.js";
import { readBranches } from "./branch.js";
import { UnknownHandoffError, WrongDeliveryError } from "./errors.js";
import { type LogChange, ownState, type RecordedCommit, record } from "./record.js";
import type { Item } from "./types.js";
import { aboutItems, closeAtOrigin, idsOf, joinChanges, type RecordOptions } from "./write.js";

/** What `close`, `ack` and `mv` did. */
export interface Moved {
  /** One for each log that got a commit; empty when nothing was to be done. */
  commits: RecordedCommit[];
  /** Those whose state changed. */
  changed: Item[];
  /** Those that were so before. */
  already: Item[];
}

/** Closes journal handoffs, one commit a branch. Throws WrongDeliveryError on an inbox one. Twice is fine. */
export async function closeItems(
  port: StoragePort,
  close: { items: readonly Item[]; reason?: string | null } & RecordOptions,
): Promise<Moved> {
  for (const item of close.items) {
    if (item.state === "inbox" || item.state === "acked") {
      throw new WrongDeliveryError(`${item.id} is an inbox handoff: git handoff ack ${item.handle}`);
    }
  }
  return end(port, "close", close);
}

/** Acknowledges (or declines) inbox handoffs, one commit a branch. Throws WrongDeliveryError on a journal one. Twice is fine. */
export async function ackItems(
  port: StoragePort,
  ack: { items: readonly Item[]; decline?: boolean; reason?: string | null } & RecordOptions,
): Promise<Moved> {
  for (const item of ack.items) {
    if (item.state === "open" || item.state === "closed") {
      throw new WrongDeliveryError(`${item.id} is not an inbox handoff: git handoff close ${item.handle}`);
    }
  }
  return end(port, ack.decline ? "decline" : "ack", ack);
}

async function end(
  port: StoragePort,
  event: "close" | "ack" | "decline",
  { items, reason, now }: { items: readonly Item[]; reason?: string | null } & RecordOptions,
): Promise<Moved> {
  const folder = event === "close" ? "closed" : "acked";
  return record(port, now, async (writer) => {
    const branches = await readBranches(
      port,
      items.map(({ branch }) => branch),
    );
    const changes: LogChange[] = [];
    const changed: Item[] = [];
    const already: Item[] = [];
    for (const [branch, logs] of branches) {
      const own = ownState(logs, writer);
      const ended: Item[] = [];
      for (const item of items) {
        if (item.branch !== branch || ended.some(({ oid }) => oid === item.oid)) continue;
        const entry = logs.joined.get(item.oid);
        if (!entry) throw new UnknownHandoffError(`No handoff ${item.id} on ${branch} any more.`);
        // The state a view showed counts too: closed on the branch it was written on is closed here.
        if (entry.stage >= 2 || item.state === "closed" || item.state === "acked") {
          already.push(item);
          continue;
        }
        own.state.put(item.oid, folder, entry.name);
        ended.push(item);
      }
      if (ended.length === 0) continue;
      changed.push(...ended);
      const message = { event, about: aboutItems(ended), ids: idsOf(ended), reason };
      changes.push({ branch, ...own, blobs: [], message });
    }
    const origins = await closeAtOrigin(port, changed, writer, event);
    return {
      changes: joinChanges(changes, origins, changed, folder),
      result: (commits) => ({ commits: [...commits.values()], changed, already }),
    };
  });
}
