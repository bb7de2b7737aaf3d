/** Carrying a renamed branch's open handoffs over. */
import { handleOf } from "../document/id.js";
import { FatalError } from "../errors.js";
import type { StoragePort } from "../git/port.js";
import { readBranches } from "./branch.js";
import type { Moved } from "./close.js";
import { REPOSITORY_BRANCH } from "./names.js";
import { ownState, record } from "./record.js";
import { documentOf, succeed } from "./reopen.js";
import type { Item } from "./types.js";
import { checkBranch, idsOf, nameDocument, openItems, type RecordOptions } from "./write.js";

/**
 * Puts `from`'s open handoffs into `open/` of this writer's log for `to` and into `moved/` of that for `from`,
 * both in one transaction. The blobs stay the same, so doing it again, or by two people, adds nothing.
 */
export async function moveBranch(
  port: StoragePort,
  move: { from: string; to: string; reason?: string | null } & RecordOptions,
): Promise<Moved> {
  const { from, to, reason } = move;
  for (const branch of [from, to]) {
    checkBranch(branch);
    if (branch === REPOSITORY_BRANCH) throw new FatalError("HEAD is no branch whose handoffs could move");
  }
  if (from === to) throw new FatalError(`handoffs of '${from}' are there already`);
  return record(port, move.now, async (writer) => {
    const logs = await readBranches(port, [from, to]);
    const [old, target] = [logs.get(from), logs.get(to)];
    if (!old || !target) throw new Error("branches not read");
    // Moved away from `to` once and unreadable: there is no content for the new document it would have to become.
    // As they stand on `to` afterwards.
    const moved: Item[] = [];
    const items = (await openItems(port, old)).filter(
      ({ oid, document }) => document !== null || target.joined.get(oid)?.stage !== 1,
    );
    if (items.length === 0) return { changes: [], result: () => ({ commits: [], changed: [], already: [] }) };
    const source = ownState(old, writer);
    const destination = ownState(target, writer);
    const blobs: Uint8Array[] = [];
    const ids: string[] = [];
    const supersedes: string[] = [];
    for (const item of items) {
      source.state.put(item.oid, "moved", `${item.id}.md`);
      const there = target.joined.get(item.oid);
      if (there?.stage === 1) {
        // It was moved away from there once, and folders never go back: a new document with the old content,
        // the same for everybody who does this.
        const document = documentOf(item);
        const again = await succeed(document, item, { task_key: to, written: document.meta.written });
        const name = nameDocument(again, port.objectFormat);
        moved.push({ ...item, oid: name.oid, id: name.id, handle: handleOf(name.oid) });
        if (!target.joined.has(name.oid)) {
          destination.state.put(name.oid, name.folder, `${name.id}.md`);
          blobs.push(again.bytes);
          ids.push(name.id);
          supersedes.push(item.id);
        }
        continue;
      }
      moved.push(item);
      if (!there) {
        destination.state.put(item.oid, "open", `${item.id}.md`);
        ids.push(item.id);
      }
    }
    const message = { event: "move" as const, about: `${from} -> ${to}`, reason };
    const changes = [
      { branch: from, ...source, blobs: [], message: { ...message, ids: idsOf(items) } },
      ...(ids.length > 0
        ? [{ branch: to, ...destination, blobs, message: { ...message, ids, supersedes } }]
        : []),
    ];
    return { changes, result: (commits) => movedOf(moved, [...commits.values()]) };
  });
}

function movedOf(items: Item[], commits: Moved["commits"]): Moved {
  return { commits, changed: items, already: [] };
}
