/** What checks answer. */

export type PredicateVerdict = "holds" | "fails" | "cannot-evaluate";
export type EvidenceVerdict = "verified" | "changed" | "missing" | "unchecked";
export type Ancestry = "ancestor" | "rewritten" | "diverged" | "unknown" | "none";

export interface Freshness {
  stale: boolean;
  ancestry: Ancestry;
  /** Commits HEAD has since; null where not known. */
  behind: number | null;
  /** Full id of the commit that carries the change now. */
  as: string | null;
  /** Whole days; null when the clock is in the future or `written` is unreadable. */
  ageDays: number | null;
  note: string | null;
}

/** A watch with what was found; not `Watch & …`, which would leave `note` no null. */
export interface WatchReport {
  until?: string;
  ref?: string;
  at?: string;
  pr?: number;
  state?: string;
  due: boolean | null;
  note: string | null;
  [unknown: string]: unknown;
}

/** The two checks of an inbox handoff, never swapped. */
export interface InboxVerdicts {
  /** Is the described work still on the origin's main line? `unchecked` where the origin is not here. */
  origin: { ancestry: Ancestry | "unchecked"; note: string | null };
  /** Has this repository moved since the writer looked? */
  destination: { ancestry: Ancestry; note: string | null };
}
