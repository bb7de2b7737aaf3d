/** Asks predicates of a real repository, as the read flow does. */
import type { Rejection } from "../../../src/document/types.js";
import { Repository } from "../../../src/git/repository.js";
import { spawnGit } from "../../../src/git/spawn.js";
import type { Facts } from "../../../src/verify/facts.js";
import { checkPredicates, type PredicateResult } from "../../../src/verify/predicate/check.js";
import { commitTree } from "../../../src/verify/tree-commit.js";
import { workTree } from "../../../src/verify/tree-work.js";

/** Facts of the work tree at `dir`, or of `commit` there. */
export async function factsOf(dir: string, change: Partial<Facts> = {}): Promise<Facts> {
  const repository = await Repository.open(dir, process.env, spawnGit());
  const { info, safe } = repository;
  const commit = change.commit ?? null;
  const tree =
    commit === null && info.workTree !== null
      ? workTree(info.workTree, [info.gitDir, info.commonDir])
      : commitTree(safe, commit ?? "");
  return {
    tree,
    commit,
    head: (await repository.head()).oid,
    repository: info,
    git: safe,
    hook: false,
    now: new Date("2026-05-02T10:00:00Z"),
    maxAge: 7,
    predicateTimeout: 2_000,
    deadline: Date.now() + 60_000,
    ...change,
  };
}

export function rejection(predicate: string, change: Partial<Rejection> = {}): Rejection {
  return {
    kind: "structural",
    claim: "tried",
    anchor: "src/parser.ts",
    predicate,
    fallback: "drop and surface to user",
    ...change,
  };
}

/** One result for each predicate text. */
export function askAll(predicates: readonly string[], facts: Facts): Promise<PredicateResult[]> {
  return checkPredicates(
    predicates.map((predicate) => rejection(predicate)),
    facts,
  );
}

/** A POSIX shell word that stands for `text`. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
