/**
 * Is the change of a commit that HEAD does not have in HEAD's history under another id?
 * Asked in the order of what proves most: the same patch, the same content, the same authorship.
 */
import { type Budget, ifTooFar } from "../budget.js";
import { changesOf, type HistoryFacts } from "./changes-of.js";
import type { Comparison } from "./comparison.js";
import { findRewritten } from "./search.js";
import { listSides, type Sides } from "./sides.js";

/** Throws TooFarError when the budget ends. At most nine processes. */
export async function compareCommit(oid: string, facts: HistoryFacts, budget: Budget): Promise<Comparison> {
  const sides = await listSides(oid, facts.head, budget);
  if (!sides) return unknown("git cannot compare its history with HEAD's");
  const cut = [...sides.left, ...sides.right].some((each) => facts.shallow.has(each.oid));
  const changes = await changesOf(sides, facts, budget);
  const { found, gaps } = await findRewritten(sides, changes, facts, budget);
  if (found) return await withRevert(found, facts.head, budget);
  const mentioned = await findMention(sides, budget, facts.head);
  if (mentioned) return mentioned;
  if (cut) return unknown("the clone is shallow there: git fetch --unshallow");
  if (!changes.readable) return unknown(notHere(facts));
  const merge = sides.commit.parents.length > 1;
  if (merge ? changes.net.size === 0 : changes.own.size === 0) {
    return unknown("its commit changes no file, so it cannot be told whether HEAD has it");
  }
  // Where HEAD has nothing of its own, nothing of the commit can be there.
  if (sides.right.length > 0) {
    if (merge) return unknown("its commit is a merge whose change is not in one commit of HEAD's history");
    if (gaps.contents) return unknown(notHere(facts));
    if (gaps.bounds) return unknown("too many commits or files to compare");
  }
  return { ancestry: "diverged", as: null, note: null };
}

function unknown(note: string): Comparison {
  return { ancestry: "unknown", as: null, note };
}

function notHere(facts: HistoryFacts): string {
  return facts.partial
    ? "the content to compare is not downloaded (partial clone): git fetch --refetch --no-filter"
    : "git cannot read the change of its commit";
}

/** git's own words for where a commit went: `cherry-pick -x`, and the message a squash begins with. */
async function findMention(sides: Sides, budget: Budget, head: string): Promise<Comparison | null> {
  if (sides.right.length === 0) return null;
  const { oid } = sides.commit;
  const answer = await budget.ask([
    "rev-list",
    "--no-commit-header",
    "--fixed-strings",
    `--grep=commit ${oid}`,
    "--format=%H%x00%B%x00",
    `${oid}..${head}`,
  ]);
  if (answer.code !== 0) return null;
  const words = answer.stdout.toString("latin1").split("\0");
  for (let at = 0; at + 1 < words.length; at += 2) {
    const lines = (words[at + 1] ?? "").split("\n").map((line) => line.trim());
    const picked = lines.includes(`(cherry picked from commit ${oid})`);
    const squashed = lines.includes("Squashed commit of the following:") && lines.includes(`commit ${oid}`);
    if (picked || squashed) {
      return { ancestry: "rewritten", as: (words[at] ?? "").trim(), note: "content differs" };
    }
  }
  return null;
}

/** What was taken back later is still in the history; the reader should know. */
async function withRevert(found: Comparison, head: string, budget: Budget): Promise<Comparison> {
  const ask = budget.ask([
    "rev-list",
    "--max-count=1",
    "--fixed-strings",
    `--grep=This reverts commit ${found.as}`,
    `${found.as}..${head}`,
  ]);
  // What was found stays found when there is no time left for this.
  const answer = await ask.catch(ifTooFar(null));
  const revert = answer?.code === 0 ? answer.stdout.toString("latin1").trim() : "";
  if (!revert) return found;
  const note = `reverted later by ${revert.slice(0, 12)}`;
  return { ...found, note: found.note === null ? note : `${found.note}; ${note}` };
}
