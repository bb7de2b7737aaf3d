/** What the files of one store say about each other: which is current, which is done. */
import { readFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { writtenTime } from "../document/time.js";
import { evidenceFolder } from "./evidence.js";
import { compareEvidenceIds } from "./evidence-schema.js";
import type { Understood } from "./types.js";

export interface Placed {
  path: string;
  understood: Understood & { id?: string };
}

/**
 * Sets the states that take more than one file to know: of evidence files and of journal files the newest one
 * of each store is open and the others are closed; inbox files named in `.acked` are acknowledged. Evidence
 * comes in its own order, newest first.
 */
export async function settleStates(files: readonly Placed[]): Promise<Placed[]> {
  const evidence = files.filter(({ understood }) => understood.form === "evidence");
  const others = files.filter(({ understood }) => understood.form !== "evidence");
  const sorted = evidence.toSorted(newestEvidence);
  closeOlder(sorted, ({ path }) => evidenceStore(path));
  const journal = others.filter(
    ({ understood }) => understood.form === "inbox" && understood.state === "open",
  );
  closeOlder(journal.toSorted(newestJournal), ({ path }) => dirname(path));
  await acknowledge(others);
  return [...sorted, ...others];
}

/** Source: the evidence document: newest id; the canonical folder's copy wins. */
function newestEvidence(a: Placed, b: Placed): number {
  const byId = compareEvidenceIds(b.understood.id ?? "", a.understood.id ?? "");
  return (
    byId || Number(evidenceFolder(b.path) === "canonical") - Number(evidenceFolder(a.path) === "canonical")
  );
}

/** The folder above `.agents/`: both folders of it are one store. */
function evidenceStore(path: string): string {
  const place = evidenceFolder(path);
  const folder = dirname(path);
  if (place === null) return folder;
  return folder.slice(0, folder.lastIndexOf(`${sep}.agents${sep}`));
}

/** Names begin with the time; where one does not, `created` says when. Source: the inbox document, location. */
function newestJournal(a: Placed, b: Placed): number {
  const [first, second] = [journalTime(a), journalTime(b)];
  return second - first || (basename(a.path) < basename(b.path) ? 1 : -1);
}

function journalTime({ path, understood }: Placed): number {
  const [, day, hour, minute] = /^(\d{4}-\d\d-\d\d)_(\d\d)(\d\d)_/.exec(basename(path)) ?? [];
  const named = day === undefined ? null : writtenTime(`${day}T${hour}:${minute}`);
  return named ?? writtenTime(understood.document.meta.written) ?? Number.NEGATIVE_INFINITY;
}

/** Of files sorted newest first: all but the first of each store that is still open. */
function closeOlder(sorted: readonly Placed[], storeOf: (file: Placed) => string): void {
  const seen = new Set<string>();
  for (const file of sorted) {
    if (file.understood.state !== "open") continue;
    const store = storeOf(file);
    if (seen.has(store)) {
      file.understood.state = "closed";
      file.understood.reason ??= "a newer one superseded it";
    }
    seen.add(store);
  }
}

/** Source: the inbox document, location: `.acked`, one file name a line. */
async function acknowledge(files: readonly Placed[]): Promise<void> {
  const lists = new Map<string, Set<string>>();
  for (const { path, understood } of files) {
    if (understood.form !== "inbox" || understood.state !== "inbox") continue;
    const folder = dirname(path);
    const list = lists.get(folder) ?? (await readAcked(join(folder, ".acked")));
    lists.set(folder, list);
    if (!list.has(basename(path))) continue;
    understood.state = "acked";
    understood.reason = "named in .acked";
  }
}

async function readAcked(path: string): Promise<Set<string>> {
  const text = await readFile(path, "utf8").catch(() => "");
  return new Set(text.split(/\r?\n/).map((line) => line.trim()));
}
