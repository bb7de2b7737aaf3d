/** From what a user types to a document. */
import { handleOf, matchName } from "../document/id.js";
import { oneLine } from "../document/strip.js";
import type { StoragePort } from "../git/port.js";
import { type BranchLogs, readAllBranches, readBranches } from "./branch.js";
import { readDocuments } from "./documents.js";
import { AmbiguousHandoffError, UnknownHandoffError } from "./errors.js";
import { readPruned } from "./history.js";
import { compareItems, itemOf, viewsOf } from "./join.js";
import { compareText } from "./log.js";
import { REPOSITORY_BRANCH } from "./names.js";
import type { Item } from "./types.js";

/**
 * The handoff that `text` names (exact handle, exact id, unique prefix of either): looked for on `branch` and
 * among the repository's own, then everywhere; with `pruned`, last among what moved away and is on no branch any
 * more, and in the logs' history.
 * Throws UnknownHandoffError, AmbiguousHandoffError.
 */
export async function findItem(
  port: StoragePort,
  text: string,
  options: { branch: string | null; pruned?: boolean },
): Promise<Item> {
  const near = await readBranches(port, [
    ...(options.branch === null ? [] : [options.branch]),
    REPOSITORY_BRANCH,
  ]);
  const here = await pick(port, text, [...near.values()], near);
  if (here) return here;
  const all = await readAllBranches(port);
  const states = [...all.values()].sort((a, b) => compareText(a.branch, b.branch));
  const there = await pick(port, text, states, all);
  if (there) return there;
  if (options.pruned) {
    const moved = await pickMoved(port, text, states);
    if (moved) return moved;
    const pruned = one(text, matchName(await readPruned(port, null), text));
    if (pruned) return pruned;
  }
  throw new UnknownHandoffError(`No handoff is named '${oneLine(text)}'.`);
}

/** Names are matched before any document is read: only what matches is. */
async function pick(
  port: StoragePort,
  text: string,
  states: readonly BranchLogs[],
  known: ReadonlyMap<string, BranchLogs>,
): Promise<Item | null> {
  const matches = states.flatMap((state) => {
    const named = [...state.joined.values()]
      .filter(({ stage, at }) => at && (stage === 0 || stage === 2))
      .map((entry) => ({ id: entry.name.replace(/\.md$/, ""), handle: handleOf(entry.oid), entry, state }));
    return named;
  });
  const chosen = matchName(matches, text);
  if (chosen.length === 0) return null;
  const narrowed = new Map<string, BranchLogs>();
  for (const { entry, state } of chosen) {
    const before = narrowed.get(state.branch)?.joined ?? new Map();
    const joined = new Map([...before, [entry.oid, entry] as const]);
    narrowed.set(state.branch, { ...state, joined, warnings: [] });
  }
  const views = await viewsOf(port, [...narrowed.values()], {}, known);
  return one(
    text,
    views.flatMap(({ items }) => items),
  );
}

/** What was carried to another branch and came back as a new document: only its text is left, on no branch. */
async function pickMoved(
  port: StoragePort,
  text: string,
  states: readonly BranchLogs[],
): Promise<Item | null> {
  const moved = states.flatMap(({ branch, joined }) =>
    [...joined.values()]
      .filter(({ stage, at }) => at && stage === 1)
      .map((entry) => ({ id: entry.name.replace(/\.md$/, ""), handle: handleOf(entry.oid), branch, entry })),
  );
  const chosen = matchName(moved, text);
  const documents = await readDocuments(
    port,
    chosen.map(({ entry }) => entry.oid),
  );
  return one(
    text,
    chosen.flatMap(({ branch, entry }) => itemOf(branch, entry, 2, documents.get(entry.oid)) ?? []),
  );
}

/** The one item, null when there is none. One blob on several branches (after `mv`) is one: the live one first. */
function one(text: string, items: readonly Item[]): Item | null {
  const live = (item: Item) => (item.state === "open" || item.state === "inbox" ? 0 : 1);
  const sorted = [...items].sort((a, b) => live(a) - live(b) || compareItems(a, b));
  const distinct = sorted.filter(({ oid }, index) => sorted.findIndex((item) => item.oid === oid) === index);
  if (distinct.length > 1) throw new AmbiguousHandoffError(oneLine(text), distinct);
  return distinct[0] ?? null;
}
