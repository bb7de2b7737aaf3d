/**
 * The read flow: branch → join → parse → check → partition → Report. Reading never writes.
 * Source: the park document, section H, with the inbox document's two checks.
 */
import { readViews } from "../store/join.js";
import { REPOSITORY_BRANCH } from "../store/names.js";
import type { Item, View } from "../store/types.js";
import type { Report } from "../surface/report.js";
import { checkHandoffs, checkInbox, isReadable } from "./check.js";
import { type Ground, groundOf, type ReadOptions } from "./ground.js";
import type { ReadSource } from "./source.js";

export type { ReadOptions } from "./ground.js";

/** Documents of one branch that are read and checked, so many of the journal and of the inbox; a list shows all. */
export const READ_AT_ONCE = 2_000;
/** The same in a hook, whose text has no room for a tenth of them. */
const READ_IN_HOOK = 500;

/** Everything open for a branch and in the inbox, checked. Detached: the inbox alone. */
export async function readBranch(source: ReadSource, options: ReadOptions): Promise<Report> {
  const ground = await groundOf(source, options);
  const branches = ground.branch === null ? [] : [ground.branch];
  const limit = options.hook === true ? READ_IN_HOOK : READ_AT_ONCE;
  const views = await readViews(source.port(), [...branches, REPOSITORY_BRANCH], { live: true, limit });
  return reportOf(ground, views, options.only);
}

/** One document with its verdicts, whatever its state; asked of the branch that carries it. */
export async function readDocument(source: ReadSource, item: Item, options: ReadOptions): Promise<Report> {
  const branch = options.branch ?? (item.branch === REPOSITORY_BRANCH ? undefined : item.branch);
  const ground = await groundOf(source, { ...options, branch });
  const readable = isReadable(item) ? [item] : [];
  const pushed = readable.filter(({ document }) => document.meta.delivery === "pushed");
  const [handoffs, inbox] = await Promise.all([checkHandoffs(readable, ground), checkInbox(pushed, ground)]);
  const warnings = readable.length > 0 ? [] : [malformed(item)];
  return { format: 1, branch: item.branch, head: ground.head, handoffs, inbox, warnings };
}

/** The report of joined views: the branch's own (none when detached) and the repository's, in this order. */
export async function reportOf(
  ground: Ground,
  views: readonly View[],
  only?: ReadOptions["only"],
): Promise<Report> {
  const items = views.flatMap((view) => view.items);
  const journal =
    only === "inbox" ? [] : items.filter((item) => item.state === "open" && item.branch === ground.branch);
  const pushed = items.filter((item) => item.state === "inbox");
  const [handoffs, inbox] = await Promise.all([
    checkHandoffs(journal.filter(isReadable), ground),
    checkInbox(pushed.filter(isReadable), ground),
  ]);
  return {
    format: 1,
    branch: ground.branch,
    head: ground.head,
    handoffs,
    inbox,
    warnings: [...new Set(views.flatMap((view) => view.warnings))],
    left: views[0]?.branch === ground.branch ? views[0]?.left?.open : 0,
    unread: [...journal, ...pushed].flatMap((item) =>
      isReadable(item) ? [] : [{ handle: item.handle, state: item.state, fault: item.fault ?? null }],
    ),
  };
}

function malformed({ ref, path }: Item): string {
  return `Handoff file at ${ref}:${path} is malformed; skipping. Inspect manually.`;
}
