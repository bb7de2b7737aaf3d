/** The words of a handoff document. Pure types: everything else in the project speaks in these. */

export const KINDS = [
  "structural",
  "contractual",
  "empirical-local",
  "empirical-external",
  "goal-conditional",
  "untyped",
] as const;
export type RejectionKind = (typeof KINDS)[number];

export const UNRESOLVED_KINDS = ["acceptance", "finding", "uncertainty", "risk", "gap"] as const;
export type UnresolvedKind = (typeof UNRESOLVED_KINDS)[number];

export type Delivery = "pulled" | "pushed";

/** Something tried or ruled out. `predicate` says how to see whether that still stands. */
export interface Rejection {
  kind: RejectionKind;
  claim: string;
  anchor: string | null;
  predicate: string;
  fallback: string;
  low_info?: boolean;
  /** Why it was taken back; kept and shown, not gating. */
  withdrawn?: string;
  [unknown: string]: unknown;
}

/** Work done, with the exact place that proves it. `oid` is what the writer saw there. */
export interface Artifact {
  claim: string;
  evidence: string;
  oid?: string;
  withdrawn?: string;
  [unknown: string]: unknown;
}

export interface Unresolved {
  kind: UnresolvedKind;
  text: string;
  withdrawn?: string;
  [unknown: string]: unknown;
}

export interface Session {
  runtime: string;
  id: string;
  context: string;
  [unknown: string]: unknown;
}

/** What is left of a bounded goal; each value measured or `unknown`. */
export interface Allowance {
  remaining?: unknown;
  state?: unknown;
  incident?: unknown;
  helper_used?: unknown;
  repair_bound?: unknown;
  operator_action?: unknown;
  evidence?: unknown;
  [unknown: string]: unknown;
}

export interface Link {
  rel: "parent" | "resume" | "related";
  target: string;
  evidence: string;
  [unknown: string]: unknown;
}

/** The caller's own tracker entry; every value a string or `unknown`. */
export interface Work {
  store: string;
  project: string;
  id: string;
  association: string;
  [unknown: string]: unknown;
}

export interface Observed {
  by: string;
  at: string;
  cutoff: string;
  [unknown: string]: unknown;
}

export interface Span {
  work: string;
  source: string;
  from: string;
  to: string;
  digest: string;
  [unknown: string]: unknown;
}

/** Where a handoff comes from when it was written from another repository. */
export interface Origin {
  repo: string;
  project?: string;
  git: string;
  [unknown: string]: unknown;
}

export interface Watch {
  until?: string;
  ref?: string;
  at?: string;
  pr?: number;
  state?: string;
  note?: string;
  [unknown: string]: unknown;
}

/** Frontmatter as stored. Unknown keys stay where they are. */
export interface Frontmatter {
  handoff: 1;
  /** The branch, verbatim; `HEAD` for the repository. */
  task_key: string;
  project: string;
  repository: string;
  delivery: Delivery;
  /** ISO 8601 with offset. */
  written: string;
  /** `Name <email>`. */
  author: string;
  harness: string;
  session: Session;
  intent: string;
  goal: string | null;
  summary?: string;
  /** `<branch> @ <full oid>` + ` (dirty)`; `none`; `unknown`. */
  git: string;
  dirty_files?: string[];
  from?: Origin;
  breaking?: boolean;
  rejections: Rejection[];
  artifacts: Artifact[];
  unresolved: Unresolved[];
  allowance: Allowance | "unknown";
  links: Link[];
  work?: Work[];
  observed?: Observed;
  spans?: Span[];
  watches: Watch[];
  supersedes?: string[];
  [unknown: string]: unknown;
}

/** One parsed document. `body` is the Markdown after the frontmatter, byte for byte. */
export interface HandoffDocument {
  meta: Frontmatter;
  body: string;
}

/** The body's fixed spine. `rest` holds every other section as it stands. */
export interface Sections {
  state: string | null;
  impact: string | null;
  next: string[];
  pointers: string[];
  skills: string | null;
  rest: string;
}

/** A document with its place: what `id`, handle and blob it has. */
export interface IdentifiedDocument extends HandoffDocument {
  id: string;
  /** First seven hex of `oid`. */
  handle: string;
  /** Object id of the stored blob. */
  oid: string;
}
