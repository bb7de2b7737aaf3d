/** What became of the commits that documents were written at: all of them asked of git together. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Budget, ifTooFar, TooFarError } from "../budget.js";
import type { Facts } from "../facts.js";
import type { Freshness } from "../verdict.js";
import { countAllSince, countSince, notAncestors, resolveCommits } from "./ancestry.js";
import type { HistoryFacts } from "./changes-of.js";
import { compareCommit } from "./compare.js";
import { parseRecordedCommit, type RecordedCommit } from "./written-at.js";

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

export const FRESHNESS_BOUNDS: FreshnessBounds = { commits: 5, each: 1500, total: 2500 };

/** What became of a commit, without the document's age. */
export type Lineage = Pick<Freshness, "ancestry" | "behind" | "as" | "note">;

/**
 * One lineage for each document, in order, against `facts.head`. Processes and time are bounded whatever the
 * number of documents: none where the commit is HEAD, one for one ancestor, four for many, nine more for each
 * of at most five commits that are no ancestors. Never throws for what git says.
 */
export async function checkLineage(
  commits: readonly { git: string }[],
  facts: Facts,
  known: KnownHistory = {},
  bounds: FreshnessBounds = FRESHNESS_BOUNDS,
): Promise<Lineage[]> {
  const recorded = commits.map(({ git }) => parseRecordedCommit(git));
  const ids = new Set(recorded.flatMap((each) => (each.kind === "commit" ? [each.id] : [])));
  const lineages = await lineagesOf([...ids], facts, known, bounds);
  return recorded.map((each) => lineageFor(each, lineages));
}

function lineageFor(recorded: RecordedCommit, lineages: ReadonlyMap<string, Lineage>): Lineage {
  if (recorded.kind === "none") return { ancestry: "none", behind: null, as: null, note: null };
  const lineage = recorded.kind === "commit" ? lineages.get(recorded.id) : undefined;
  return lineage ?? unknown("the document names no commit");
}

function unknown(note: string): Lineage {
  return { ancestry: "unknown", behind: null, as: null, note };
}

function ancestor(behind: number | null): Lineage {
  return { ancestry: "ancestor", behind, as: null, note: null };
}

async function lineagesOf(
  ids: readonly string[],
  facts: Facts,
  known: KnownHistory,
  bounds: FreshnessBounds,
): Promise<Map<string, Lineage>> {
  const lineages = new Map<string, Lineage>();
  const budget = new Budget(facts.git, Math.min(facts.deadline, Date.now() + bounds.total));
  try {
    await fillLineages(lineages, ids, facts, known, bounds, budget);
  } catch (error) {
    if (!(error instanceof TooFarError)) throw error;
  }
  for (const id of ids) {
    if (!lineages.has(id)) lineages.set(id, unknown("not compared with HEAD: out of time"));
  }
  return lineages;
}

async function fillLineages(
  lineages: Map<string, Lineage>,
  ids: readonly string[],
  facts: Facts,
  known: KnownHistory,
  bounds: FreshnessBounds,
  budget: Budget,
): Promise<void> {
  const { head } = facts;
  const open: string[] = [];
  for (const id of ids) {
    const behind = known.ancestors?.get(id);
    if (head === null) lineages.set(id, unknown("HEAD has no commit yet"));
    else if (id === head) lineages.set(id, ancestor(0));
    else if (behind !== undefined && behind !== null) lineages.set(id, ancestor(behind));
    else open.push(id);
  }
  if (head === null || open.length === 0) return;

  const shallow = shallowCommits(facts);
  const history: HistoryFacts = { head, shallow, partial: facts.repository.partial };
  const [only] = open;
  if (open.length === 1 && only !== undefined && only.length === head.length && shallow.size === 0) {
    const behind = await countSince(only, head, budget);
    if (behind !== null && behind >= 0) lineages.set(only, ancestor(behind));
    else if (behind !== null) {
      await compareAll([only], history, facts, bounds, budget, (id, lineage) => lineages.set(id, lineage));
    }
    if (behind !== null) return;
  }

  const resolved = await resolveCommits(open, budget);
  const named = new Map<string, string[]>();
  for (const [id, answer] of resolved) {
    if ("problem" in answer) lineages.set(id, unknown(absence(answer.problem, id, facts, head)));
    else named.set(answer.oid, [...(named.get(answer.oid) ?? []), id]);
  }
  const set = (oid: string, lineage: Lineage) => {
    for (const id of named.get(oid) ?? []) lineages.set(id, lineage);
  };
  const oids = [...named.keys()];
  if (oids.length === 0) return;
  const apart = await notAncestors(oids, head, budget);
  if (!apart) {
    for (const oid of oids) set(oid, unknown("git cannot read HEAD's history"));
    return;
  }
  const ancestors = oids.filter((oid) => !apart.has(oid));
  for (const oid of ancestors) set(oid, ancestor(null));
  if (ancestors.length > 0) {
    const counts = await countAllSince(ancestors, head, shallow, budget.part(bounds.each)).catch(
      ifTooFar(new Map<string, null>()),
    );
    for (const [oid, behind] of counts) set(oid, ancestor(behind));
  }
  await compareAll([...apart], history, facts, bounds, budget, set);
}

async function compareAll(
  apart: readonly string[],
  history: HistoryFacts,
  facts: Facts,
  bounds: FreshnessBounds,
  budget: Budget,
  set: (oid: string, lineage: Lineage) => void,
): Promise<void> {
  const diverged: string[] = [];
  for (const [index, oid] of apart.entries()) {
    if (index >= bounds.commits) {
      set(oid, unknown(`not compared: more than ${bounds.commits} commits that HEAD does not have`));
      continue;
    }
    const limit = budget.part(bounds.each);
    const tooFar = { ancestry: "unknown" as const, as: null, note: "too far from HEAD to compare in time" };
    const comparison = await compareCommit(oid, history, limit).catch(ifTooFar(tooFar));
    set(oid, { ...comparison, behind: null });
    if (comparison.ancestry === "diverged") diverged.push(oid);
  }
  if (diverged.length === 0) return;
  // A replacement may hide a part of the history that is there all the same.
  const really = await notAncestors(diverged, history.head, budget, ["--no-replace-objects"]);
  const grafted = existsSync(join(facts.repository.commonDir, "info", "grafts"));
  for (const oid of diverged) {
    if (really && !really.has(oid)) {
      set(oid, { ...ancestor(null), note: "in HEAD's history as recorded; a replace object hides it here" });
    } else if (grafted) set(oid, unknown("a graft file changes what HEAD's history is here"));
  }
}

function absence(problem: "missing" | "ambiguous", id: string, facts: Facts, head: string): string {
  if (problem === "ambiguous") return `the abbreviated id ${id} names more than one object`;
  if (id.length > head.length) return "its commit is one of a repository with another hash";
  if (facts.repository.shallow) return "its commit is not here (shallow clone): git fetch --unshallow";
  if (facts.repository.partial) return "its commit is not here (partial clone): git fetch --refetch";
  return "its commit is not here: git fetch";
}

/** Commits whose parents are cut off. Read as a file: `git rev-parse` would be a process more. */
function shallowCommits(facts: Facts): Set<string> {
  if (!facts.repository.shallow) return new Set();
  try {
    return new Set(
      readFileSync(join(facts.repository.commonDir, "shallow"), "utf8").split("\n").filter(Boolean),
    );
  } catch {
    return new Set();
  }
}
