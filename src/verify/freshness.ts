/** How far a document is from HEAD: its age, and what became of the commit it was written at. */
import type { Facts } from "./facts.js";
import {
  checkLineage,
  FRESHNESS_BOUNDS,
  type FreshnessBounds,
  type KnownHistory,
  type Lineage,
} from "./freshness/lineage.js";
import { ageOf } from "./freshness/written-at.js";
import type { Freshness } from "./verdict.js";

export { checkLineage, FRESHNESS_BOUNDS, type FreshnessBounds, type KnownHistory, type Lineage };

/** What a document says about where it was written. */
export interface WrittenAt {
  /** `<branch> @ <oid>` + ` (dirty)`; `none`; `unknown`; an imported document may abbreviate the id. */
  git: string;
  /** ISO 8601. */
  written: string;
}

/** One verdict for each document, in order; bounded as checkLineage is. */
export async function checkFreshness(
  commits: readonly WrittenAt[],
  facts: Facts,
  known: KnownHistory = {},
  bounds: FreshnessBounds = FRESHNESS_BOUNDS,
): Promise<Freshness[]> {
  const lineages = await checkLineage(commits, facts, known, bounds);
  return lineages.map((lineage, index) => {
    const { days, old, note } = ageOf(commits[index]?.written ?? "", facts.now, facts.maxAge);
    const notes = [lineage.note, note].filter((each) => each !== null);
    return {
      stale: lineage.ancestry === "diverged" || old,
      ancestry: lineage.ancestry,
      behind: lineage.behind,
      as: lineage.as,
      ageDays: days,
      note: notes.length > 0 ? notes.join("; ") : null,
    };
  });
}
