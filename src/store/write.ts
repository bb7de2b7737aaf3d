/** The events that bring a new document: write, append, supersede. */
import { documentId, handleOf } from "../document/id.js";
import type { Delivery } from "../document/types.js";
import { FatalError } from "../errors.js";
import { hashObject } from "../git/object.js";
import type { ObjectFormat, StoragePort } from "../git/port.js";
import { append } from "./append.js";
import { type BranchLogs, readBranches } from "./branch.js";
import { KnownDocumentError, OpenHandoffError } from "./errors.js";
import { compareItems, originBranch, viewsOf } from "./join.js";
import type { Joined } from "./join-logs.js";
import { isBranchName, REPOSITORY_BRANCH } from "./names.js";
import { type LogChange, ownState, type RecordedCommit, record } from "./record.js";
import { isSkipped } from "./skipped.js";
import type { Item } from "./types.js";

/** A document as it is to be stored. */
export interface NewDocument {
  bytes: Uint8Array;
  /** ISO 8601; makes the id's time. */
  written: string;
  /** Makes the id's slug and the commit's subject. */
  intent: string;
  /** Decides between `open/` and `inbox/`; pulled by default. */
  delivery?: Delivery;
}

export interface RecordOptions {
  /** The commit's date; now by default. */
  now?: Date;
}

/** Where a document now is. */
export interface Recorded {
  id: string;
  handle: string;
  oid: string;
  ref: string;
  path: string;
  commit: string;
  writer: string;
  /** Ids of the open handoffs that this one closed. */
  superseded: string[];
}

export interface Written extends Recorded {
  /** Open handoffs of the branch that stay as they are: broken, or for an append not downloaded. */
  skipped: Item[];
}

export interface WriteRequest extends RecordOptions {
  /** A branch, or `HEAD` for a pushed document to the repository as a whole. */
  branch: string;
  mode: "write" | "append" | "supersede";
  document: NewDocument | ((open: Item[]) => Promise<NewDocument> | NewDocument);
  /** Ids for the trailer `Handoff-Supersedes` beside those of the open ones that are closed. */
  supersedes?: readonly string[];
}

/**
 * Records a new document. A function in the document's place is called with the branch's open handoffs
 * (oldest first; what cannot be read is not among them), again after each lost race, so that an append merges what is there when the ref moves.
 * Throws OpenHandoffError (mode `write` beside an open one), KnownDocumentError, FatalError (branch `HEAD`
 * for a pulled document, own log unreadable or of a newer format).
 */
export async function recordWrite(port: StoragePort, write: WriteRequest): Promise<Written> {
  const { branch, mode } = write;
  checkBranch(branch);
  return record(port, write.now, async (writer) => {
    const logs = await readBranch(port, branch);
    const items = await openItems(port, logs);
    // An append carries on what the open ones say: what is not downloaded stays open, as nothing of it is known here.
    const open = items.filter((item) => !isSkipped(item) && (mode !== "append" || item.document !== null));
    const document = typeof write.document === "function" ? await write.document(open) : write.document;
    checkDelivery(branch, document);
    const name = nameDocument(document, port.objectFormat);
    const known = logs.joined.get(name.oid);
    if (known) throw new KnownDocumentError(known.name.replace(/\.md$/, "") || name.id, stateWord(known));
    if (mode === "write" && name.folder === "open" && open.length > 0) {
      throw new OpenHandoffError(branch, open);
    }
    const closing = mode === "write" ? [] : open;
    const { tip, state } = ownState(logs, writer);
    for (const item of closing) state.put(item.oid, "closed", `${item.id}.md`);
    state.put(name.oid, name.folder, `${name.id}.md`);
    const superseded = closing.map((item) => item.id);
    const change: LogChange = {
      branch,
      tip,
      state,
      blobs: [document.bytes],
      message: {
        event: mode,
        about: document.intent,
        ids: [name.id],
        supersedes: [...new Set([...superseded, ...(write.supersedes ?? [])])],
      },
    };
    return {
      changes: [change, ...(await closeAtOrigin(port, closing, writer))],
      result: (commits) => ({
        ...recordedAs(name, commits.get(branch), superseded),
        skipped: name.folder === "inbox" ? [] : items.filter((item) => !open.includes(item)),
      }),
    };
  });
}

/** The name that a document gets from its content. */
export interface DocumentName {
  oid: string;
  id: string;
  folder: "open" | "inbox";
}

export function nameDocument(document: NewDocument, format: ObjectFormat): DocumentName {
  const oid = hashObject("blob", document.bytes, format);
  return {
    oid,
    id: documentId(document.written, document.intent, oid),
    folder: document.delivery === "pushed" ? "inbox" : "open",
  };
}

export function recordedAs(
  name: { oid: string; id: string; folder: string },
  commit: RecordedCommit | undefined,
  superseded: string[],
): Recorded {
  if (!commit) throw new Error(`no commit for ${name.id}`);
  const { oid, id } = name;
  return { id, handle: handleOf(oid), oid, path: `${name.folder}/${id}.md`, ...commit, superseded };
}

/** Throws FatalError for what can be no branch. */
export function checkBranch(branch: string): void {
  if (!isBranchName(branch)) throw new FatalError(`'${branch}' is not a valid branch name`);
}

/** `HEAD` stands for the repository as a whole; a branch made by hand under that name cannot be served beside it. */
export function checkDelivery(branch: string, document: Pick<NewDocument, "delivery">): void {
  if (branch === REPOSITORY_BRANCH && document.delivery !== "pushed") {
    throw new FatalError("Cannot write a handoff for a branch named HEAD: rename the branch");
  }
}

export async function readBranch(port: StoragePort, branch: string): Promise<BranchLogs> {
  const logs = (await readBranches(port, [branch])).get(branch);
  if (!logs) throw new Error(`no logs of ${branch}`);
  return logs;
}

/** The branch's open handoffs, oldest first. */
export async function openItems(port: StoragePort, logs: BranchLogs): Promise<Item[]> {
  if (![...logs.joined.values()].some(({ stage }) => stage === 0)) return [];
  const [view] = await viewsOf(port, [logs], { live: true }, new Map([[logs.branch, logs]]));
  return (view?.items ?? []).filter(({ state }) => state === "open").sort((a, b) => compareItems(b, a));
}

/** A document, and the branch on which it stands. */
export type Placed = Pick<Item, "oid" | "id" | "branch" | "headline">;

/**
 * A document that was moved here is closed on the branch where it was written too: a reader to whose branch
 * somebody else moved it meanwhile looks there.
 */
export async function closeAtOrigin(
  port: StoragePort,
  items: readonly Placed[],
  writer: string | null,
  event: "close" | "ack" | "decline" = "close",
): Promise<LogChange[]> {
  const byOrigin = new Map<string, Placed[]>();
  for (const item of items) {
    const origin = originBranch(item, item.branch);
    if (origin !== null) append(byOrigin, origin, item);
  }
  if (byOrigin.size === 0) return [];
  const logs = await readBranches(port, byOrigin.keys());
  return [...byOrigin].flatMap(([branch, moved]) => {
    const there = logs.get(branch);
    const closed = moved.filter(({ oid }) => (there?.joined.get(oid)?.stage ?? 0) < 2);
    if (!there || closed.length === 0) return [];
    const { tip, state } = ownState(there, writer);
    const folder = event === "close" ? "closed" : "acked";
    for (const item of closed) state.put(item.oid, folder, `${item.id}.md`);
    return [
      { branch, tip, state, blobs: [], message: { event, about: aboutItems(closed), ids: idsOf(closed) } },
    ];
  });
}

/** What closeAtOrigin gave for these items, as part of the commit that a log gets anyway where it gets one. */
export function joinChanges(
  changes: readonly LogChange[],
  origins: readonly LogChange[],
  items: readonly Placed[],
  folder: "closed" | "acked",
): LogChange[] {
  const more = origins.filter((change) => {
    const same = changes.find(({ branch }) => branch === change.branch);
    for (const item of same ? items : []) {
      if (originBranch(item, item.branch) === change.branch)
        same?.state.put(item.oid, folder, `${item.id}.md`);
    }
    return same === undefined;
  });
  return [...changes, ...more];
}

/** A subject's text for one handoff or several. */
export function aboutItems(items: readonly Pick<Item, "id" | "headline">[]): string {
  const [first] = items;
  if (!first || items.length > 1) return `${items.length} handoffs`;
  return first.headline?.intent ?? first.id;
}

export function idsOf(items: readonly Pick<Item, "id">[]): string[] {
  return items.map(({ id }) => id);
}

function stateWord(known: Joined): string {
  return known.stage === 3 ? "pruned or redacted" : known.folder;
}
