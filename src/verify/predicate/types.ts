/** A predicate as data: what is left of its text once it is parsed. Nothing of its words is passed through. */

/** What grep looks for. `patterns` are alternatives; `perl` has exactly the text given. */
export interface Search {
  syntax: "basic" | "extended" | "fixed" | "perl";
  patterns: string[];
  ignoreCase: boolean;
  /** -w */
  word: boolean;
  /** -x */
  line: boolean;
  /** -v: some line does not match. */
  invert: boolean;
}

export interface GrepPredicate {
  form: "grep";
  search: Search;
  path: string;
  recursive: boolean;
  /** Globs of base names (--include); empty: all. */
  include: string[];
}

export interface TestPredicate {
  form: "test";
  operator: "e" | "f" | "d" | "s" | "x";
  path: string;
}

/** Arguments before `--` may be revisions or paths: git decides by what exists, and so do we. */
export interface GitOperands {
  loose: string[];
  /** After `--`; null where there is no `--`. */
  paths: string[] | null;
}

export interface GitGrepPredicate {
  form: "git grep";
  search: Search;
  operands: GitOperands;
}

export interface GitDiffPredicate {
  form: "git diff";
  cached: boolean;
  operands: GitOperands;
}

export type GitPredicate =
  | GitGrepPredicate
  | GitDiffPredicate
  | { form: "git object"; revision: string }
  | { form: "git ancestor"; ancestor: string; descendant: string }
  | { form: "git ref"; ref: string }
  | { form: "git tracked"; path: string };

export interface GhPredicate {
  form: "gh";
  subject: "pr" | "issue" | "release" | "run";
  /** A bare number, or a release's tag. */
  name: string;
  fields: string[];
  /** A plain comparison such as `.state == "OPEN"`; null: existence only. */
  query: string | null;
}

export type Form = { form: "true" } | GrepPredicate | TestPredicate | GitPredicate | GhPredicate;

export interface Predicate {
  negated: boolean;
  ask: Form;
}
