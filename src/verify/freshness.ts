import type { Freshness } from "../surface/report.js";
import type { Facts } from "./facts.js";

/** What a document says about where it was written. */
export interface WrittenAt {
  /** `<branch> @ <oid>` + ` (dirty)`; `none`; `unknown`; an imported document may abbreviate the id. */
  git: string;
  /** ISO 8601. */
  written: string;
}

/** Answers gathered before (the hook's shell asks git while Node starts); saves asking again. */
export interface KnownHistory {
  /** Full ids of ancestors of HEAD → commits HEAD has since; null where not counted. */
  ancestors?: ReadonlyMap<string, number | null>;
}

/** How far a comparison of histories may go. Milliseconds. */
export interface FreshnessBounds {
  /** Distinct commits that are compared by their change. */
  commits: number;
  each: number;
  total: number;
}

/** One verdict for each document, in order. Never throws for what git says; bounded in processes and time. */
export async function checkFreshness(
  _commits: readonly WrittenAt[],
  _facts: Facts,
  _known: KnownHistory = {},
  _bounds?: FreshnessBounds,
): Promise<Freshness[]> {
  throw new Error("not built yet");
}
