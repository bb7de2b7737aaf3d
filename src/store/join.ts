/** Views: the join with its documents read, in a number of reads that does not grow with branches, refs or documents. */
import { prepareHeadlines } from "../document/headline.js";
import { belongsTo, handleOf, parseDocumentName } from "../document/id.js";
import { oneLine } from "../document/strip.js";
import { writtenTime } from "../document/time.js";
import type { StoragePort } from "../git/port.js";
import { type BranchLogs, readAllBranchesInParts, readBranches } from "./branch.js";
import { type ReadDocument, readDocuments } from "./documents.js";
import type { Joined } from "./join-logs.js";
import { compareText } from "./log.js";
import { isBranchName, REPOSITORY_BRANCH } from "./names.js";
import { newest } from "./newest.js";
import type { Folder, Item, Left, State, View } from "./types.js";

/** Branches that documents may name beside those asked for: they become one command line. */
const MAX_ORIGINS = 200;

export interface ViewOptions {
  /** Only what is open or in the inbox; closed and acked documents are neither listed nor read. */
  live?: boolean;
  /** At most so many journal documents of each branch are read, and so many of its inbox: see newest. */
  limit?: number;
  /** Only what a list shows of documents; `document` stays null. What else may be wrong with one is not looked for. */
  headlines?: boolean;
}

/** All logs of one branch joined: local and fetched ones, whatever the order in which they came. */
export async function readView(port: StoragePort, branch: string, options: ViewOptions = {}): Promise<View> {
  const [view] = await readViews(port, [branch], options);
  return view ?? { branch, items: [], warnings: [] };
}

/** The branch's open and inbox documents alone. */
export async function readLive(port: StoragePort, branch: string): Promise<View> {
  return readView(port, branch, { live: true });
}

/** Several branches' views in the order asked for, in the reads that one would take. */
export async function readViews(
  port: StoragePort,
  branches: readonly string[],
  options: ViewOptions = {},
): Promise<View[]> {
  const states = await readBranches(port, branches);
  return viewsOf(port, [...states.values()], options, states);
}

/** The views of every branch that has a log, `HEAD` included, by name. */
export async function readAllViews(port: StoragePort, options: ViewOptions = {}): Promise<View[]> {
  const parts = await readAllBranchesInParts(
    port,
    async (branches) => ({ branches, ...(await readShown(port, branches.values(), options)) }),
    options.headlines ? prepareHeadlines : undefined,
  );
  const known = new Map(parts.flatMap(({ branches }) => [...branches]));
  const views = parts.flatMap(({ shown, documents }) =>
    shown.map((part) => viewOf(part, documents, known, options)),
  );
  return views.sort((a, b) => compareText(a.branch, b.branch));
}

/**
 * The views of branches whose logs have been read.
 * @param known further branches already read, so that a moved document's own branch need not be read again
 */
export async function viewsOf(
  port: StoragePort,
  states: readonly BranchLogs[],
  options: ViewOptions,
  known: ReadonlyMap<string, BranchLogs>,
): Promise<View[]> {
  const { shown, documents } = await readShown(port, states, options);
  const elsewhere = await readOrigins(port, shown, documents, known);
  return shown.map((part) => viewOf(part, documents, elsewhere, options));
}

/** What is to be shown of these branches, with its documents. */
async function readShown(
  port: StoragePort,
  states: Iterable<BranchLogs>,
  options: ViewOptions,
): Promise<{ shown: Shown[]; documents: ReadonlyMap<string, ReadDocument> }> {
  const oids: string[] = [];
  const shown: Shown[] = [];
  for (const state of states) {
    const joined: Joined[] = [];
    state.joined.forEach((entry) => {
      if (entry.stage === 0 || (entry.stage === 2 && options.live !== true)) joined.push(entry);
    });
    const { kept, left } = newest(joined, options.limit ?? Number.POSITIVE_INFINITY);
    kept.forEach(({ oid }) => {
      oids.push(oid);
    });
    shown.push({ state, joined: kept, left });
  }
  return { shown, documents: await readDocuments(port, oids, options.headlines === true) };
}

/** What of a branch is to be shown, and how much of it is left out. */
interface Shown {
  state: BranchLogs;
  joined: readonly Joined[];
  left: Left;
}

/** The branches on which documents were written that now stand on another one: closed there is closed here. */
async function readOrigins(
  port: StoragePort,
  shown: readonly Shown[],
  documents: ReadonlyMap<string, ReadDocument>,
  known: ReadonlyMap<string, BranchLogs>,
): Promise<Map<string, BranchLogs>> {
  const wanted = new Set<string>();
  for (const { state, joined } of shown) {
    for (const { oid } of joined) {
      const origin = originBranch(documents.get(oid), state.branch);
      if (origin !== null && !known.has(origin) && wanted.size < MAX_ORIGINS) wanted.add(origin);
    }
  }
  const read = wanted.size > 0 ? await readBranches(port, wanted) : new Map<string, BranchLogs>();
  return new Map([...known, ...read]);
}

/**
 * Where a document is joined and closed too, beside the branch on which it stands: the branch it says it was
 * written on, when that is another one. A journal document that names none (imported without a branch, or
 * unreadable) does not tell to whom it was moved where others have it: for these all meet in the repository's own
 * logs, which every reader of a branch reads anyway. (`moved/` does not say to where, and asking every branch's
 * would be a read that grows.) Null where there is no such place, and for what is not downloaded.
 */
export function originBranch(
  read: Pick<ReadDocument, "headline"> | undefined,
  branch: string,
): string | null {
  if (read === undefined) return null;
  const key = read.headline?.task_key;
  if (key === branch && key !== "unknown") return null;
  if (key !== undefined && key !== "unknown" && isBranchName(key)) return key;
  return read.headline?.delivery === "pushed" || branch === REPOSITORY_BRANCH ? null : REPOSITORY_BRANCH;
}

function viewOf(
  { state, joined, left }: Shown,
  documents: ReadonlyMap<string, ReadDocument>,
  elsewhere: ReadonlyMap<string, BranchLogs>,
  options: ViewOptions,
): View {
  const warnings = leftWarnings(left, state.branch);
  for (const { text } of state.warnings) warnings.push(oneLine(text));
  const items: Item[] = [];
  let absent = 0;
  // By index, as in all that is done for each of thousands: iterators are several times as slow before V8 compiles them.
  for (let index = 0; index < joined.length; index++) {
    const entry = joined[index];
    if (entry === undefined) continue;
    const read = documents.get(entry.oid);
    const origin = originBranch(read, state.branch);
    const there = origin === null ? 0 : (elsewhere.get(origin)?.joined.get(entry.oid)?.stage ?? 0);
    const stage = there >= 2 ? Math.max(entry.stage, there) : entry.stage;
    if (stage === 3 || (stage === 2 && options.live === true)) continue;
    const item = itemOf(state.branch, entry, stage === 2 ? 2 : 0, read);
    // A closed journal document there is one of some branch that says no branch: see originBranch.
    if (!item || (state.branch === REPOSITORY_BRANCH && item.state === "closed")) continue;
    items.push(item);
    if (!read) absent += 1;
    else warn(item, read, warnings);
  }
  if (absent > 0) {
    warnings.push(`${absent} handoffs for ${oneLine(state.branch)} are not downloaded: git handoff fetch`);
  }
  return { branch: state.branch, items: items.length > 1 ? sort(items) : items, left, warnings };
}

function leftWarnings(left: Left, branch: string): string[] {
  if (left.open + left.inbox === 0) return [];
  const place = branch === REPOSITORY_BRANCH ? "this repository" : oneLine(branch);
  const say = (count: number, what: string) =>
    count === 0
      ? []
      : [
          `${count} more ${what} handoff${count === 1 ? "" : "s"} for ${place} not shown: git handoff list --all`,
        ];
  return [...say(left.open, "open"), ...say(left.inbox, "unread")];
}

/** An item as shown; null for an entry that no log names any more. */
export function itemOf(
  branch: string,
  entry: Joined,
  stage: 0 | 2,
  read: ReadDocument | undefined,
): Item | null {
  if (!entry.at) return null;
  return {
    oid: entry.oid,
    id: entry.name.endsWith(".md") ? entry.name.slice(0, -3) : entry.name,
    handle: handleOf(entry.oid),
    state: stateOf(stage, entry.folder, read),
    branch,
    writer: entry.at.log.writer,
    ref: entry.at.log.ref,
    path: `${entry.at.folder}/${entry.name}`,
    headline: read?.headline ?? null,
    document: read?.document ?? null,
    fault: read?.fault ?? null,
    bytes: read?.bytes ?? null,
  };
}

function stateOf(stage: 0 | 2, folder: Folder, read: ReadDocument | undefined): State {
  const pushed = read?.headline
    ? read.headline.delivery === "pushed"
    : folder === "inbox" || folder === "acked";
  if (stage === 0) return pushed ? "inbox" : "open";
  return pushed ? "acked" : "closed";
}

function warn(item: Item, read: ReadDocument, warnings: string[]): void {
  const fits = belongsTo(item.id, item.handle);
  if (fits && read.fault === null && read.warnings.length === 0) return;
  const place = oneLine(`${item.ref}:${item.path}`);
  if (read.fault === "malformed") {
    warnings.push(`Handoff file at ${place} is malformed; skipping. Inspect manually.`);
    return;
  }
  if (read.fault === "oversize") {
    warnings.push(`Handoff file at ${place} is larger than 1 MiB; skipping.`);
    return;
  }
  for (const warning of read.warnings) warnings.push(`${place}: ${oneLine(warning)}`);
  if (!fits)
    warnings.push(`${place}: the name does not belong to this document, whose handle is ${item.handle}`);
}

/** Puts items in the order in which documents are shown, each time read once. */
function sort(items: Item[]): Item[] {
  if (isSorted(items)) return items;
  const times = new Map(items.map((item) => [item, timeOf(item)]));
  return items.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0) || compareNames(a, b));
}

/** A few items of as many writers mostly are. */
function isSorted(items: readonly Item[]): boolean {
  let last: Item | undefined;
  let before = 0;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item === undefined) continue;
    const time = timeOf(item);
    if (last && (time > before || (time === before && compareNames(last, item) > 0))) return false;
    last = item;
    before = time;
  }
  return true;
}

/** The order in which documents are shown: newest first by `written`, ties by id. */
export function compareItems(a: Item, b: Item): number {
  return timeOf(b) - timeOf(a) || compareNames(a, b);
}

function compareNames(a: Item, b: Item): number {
  return compareText(a.id, b.id) || compareText(a.oid, b.oid);
}

/** Milliseconds; of a document that cannot be read, what its name says; 0 when that says nothing. */
export function timeOf(item: Item): number {
  const written = item.headline ? writtenTime(item.headline.written) : null;
  if (written !== null) return written;
  const time = parseDocumentName(item.id)?.time ?? "";
  return writtenTime(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z")) ?? 0;
}
