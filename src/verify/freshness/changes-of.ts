/** What the commit changed: by itself, and since it left HEAD's history. */
import type { Budget } from "../budget.js";
import { type Change, parseRaw } from "./change.js";
import { mergeBase, type Sides } from "./sides.js";

/** Only plumbing that runs no program of the repository's config. */
export const DIFF = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--full-index"];

export interface HistoryFacts {
  head: string;
  /** Commits whose parents a shallow clone cut off. */
  shallow: ReadonlySet<string>;
  partial: boolean;
}

export interface Changes {
  /** The commit's own, against its parent; empty for a merge. */
  own: Change;
  /** Everything since the merge base, as a squash would have it. */
  net: Change;
  /** `diff-tree` input that asks for the two. */
  asked: string[];
  paths: string[];
  /** False where git could not read the trees (a partial clone may lack them). */
  readable: boolean;
}

export async function changesOf(sides: Sides, facts: HistoryFacts, budget: Budget): Promise<Changes> {
  const { oid } = sides.commit;
  const base = await mergeBase(sides, facts.head, budget);
  const asked: string[] = [];
  // Beyond a cut the parent is not known, and the change would be the whole tree.
  const whole = !sides.left.some((each) => facts.shallow.has(each.oid));
  if (!facts.shallow.has(oid)) asked.push(oid);
  if (base !== null && whole) asked.push(`${oid} ${base}`);
  const answer = await budget.ask(
    ["diff-tree", "--stdin", "--always", "--root", "-r", "--raw", "-z", ...DIFF],
    `${asked.join("\n")}\n`,
  );
  const blocks = answer.code === 0 ? parseRaw(answer.stdout.toString("latin1")) : [];
  const change = (line: string): Change => blocks[asked.indexOf(line)]?.change ?? new Map();
  const own = sides.commit.parents.length > 1 ? new Map() : change(oid);
  const net = base === null ? new Map() : change(`${oid} ${base}`);
  return {
    own,
    net,
    asked,
    readable: answer.code === 0,
    paths: [...new Set([...own.keys(), ...net.keys()])],
  };
}
