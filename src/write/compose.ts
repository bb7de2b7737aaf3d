/** From what the caller said to the document that is stored. Nothing is inferred: what was not given is unknown. */
import { formatBody, parseSections } from "../document/sections.js";
import {
  type Allowance,
  type Artifact,
  type Delivery,
  type Frontmatter,
  type HandoffDocument,
  KINDS,
  type Link,
  type Observed,
  type Origin,
  type Rejection,
  type Session,
  type Span,
  type Unresolved,
  type Work,
} from "../document/types.js";
import { isLowInfo } from "../verify/predicate/lowinfo.js";
import type { HandoffInput } from "./input.js";

export const DEFAULT_FALLBACK = "drop and surface to user";
const UNKNOWN = "unknown";

/** What the tool knows by itself of the place and time of writing. */
export interface Surroundings {
  /** The branch, verbatim, or `HEAD`. */
  branch: string;
  delivery: Delivery;
  project: string;
  repository: string;
  /** `<branch> @ <full oid>` + ` (dirty)`, `none` or `unknown`. */
  git: string;
  /** Every changed path; at most 20 are recorded. */
  dirtyFiles: readonly string[];
  /** `Name <email>`. */
  author: string;
  harness: string;
  session: Session;
  /** ISO 8601 with offset. */
  written: string;
  from?: Origin;
}

/** What stands at a piece of evidence now (verify/evidence.ts). */
export type Observe = (
  evidence: string,
) => Promise<{ exists: boolean; oid: string | null; note: string | null }>;

export interface Composed {
  document: HandoffDocument;
  warnings: string[];
}

/** At most this many changed files are recorded. */
export const DIRTY_FILES_LIMIT = 20;

/** Builds the document. `input` has passed inputSchema and has an intent. */
export async function compose(input: HandoffInput, place: Surroundings, observe: Observe): Promise<Composed> {
  const warnings: string[] = [];
  const rejections = (input.rejections ?? []).map((raw, index) => rejection(raw, index + 1, warnings));
  const { artifacts, gaps } = await prove(input.artifacts ?? [], observe, warnings);
  const work = input.work?.map(completeWork);
  const unresolved = [
    ...(input.unresolved ?? []).map(unresolvedEntry),
    ...gaps,
    ...workGaps(work ?? [], warnings),
  ];
  const given = withoutBody(input);
  const dirty = place.dirtyFiles.length > 0 && input.git === undefined;
  if (dirty) warnings.push(dirtyWarning(place.dirtyFiles));
  if (typeof input.task_key === "string" && input.task_key !== place.branch) {
    warnings.push(
      `task_key '${input.task_key}' is not this branch; the handoff is written for ${place.branch}`,
    );
  }
  const meta: Frontmatter = {
    ...given,
    handoff: 1,
    task_key: place.branch,
    project: given.project ?? place.project,
    repository: given.repository ?? place.repository,
    delivery: place.delivery,
    written: given.written ?? place.written,
    author: given.author ?? place.author,
    harness: given.harness ?? place.harness,
    session: completeSession(given.session, place.session),
    intent: String(given.intent),
    goal: given.goal ?? null,
    git: given.git ?? place.git,
    rejections,
    artifacts,
    unresolved,
    allowance: completeAllowance(given.allowance),
    links: (given.links ?? []).map(completeLink),
    watches: given.watches ?? [],
  };
  if (dirty) meta.dirty_files = place.dirtyFiles.slice(0, DIRTY_FILES_LIMIT);
  const from = given.from ?? place.from;
  if (from) meta.from = from;
  if (place.delivery === "pulled") delete meta.breaking;
  if (work) meta.work = work;
  if (given.observed) meta.observed = completeObserved(given.observed);
  if (given.spans) meta.spans = given.spans.map(completeSpan);
  return { document: { meta, body: composeBody(input) }, warnings };
}

function dirtyWarning(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(", ");
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  return `uncommitted changes are not part of the handoff: ${shown}${more}`;
}

function rejection(raw: Record<string, unknown>, number: number, warnings: string[]): Rejection {
  let kind = KINDS.find((name) => name === raw.kind);
  if (!kind) {
    if (raw.kind !== undefined) {
      warnings.push(
        `Rejection ${number} has the unknown kind '${String(raw.kind)}'; recorded as untyped. Valid kinds: ${KINDS.join(", ")}.`,
      );
    }
    kind = "untyped";
  }
  const { low_info: _, ...rest } = raw;
  const entry: Rejection = {
    ...rest,
    kind,
    claim: text(raw.claim),
    anchor: raw.anchor == null || text(raw.anchor).trim() === "" ? null : text(raw.anchor),
    predicate: text(raw.predicate),
    fallback: text(raw.fallback).trim() === "" ? DEFAULT_FALLBACK : text(raw.fallback),
  };
  // Set by the tool alone: an author cannot take an always-true predicate out of "noted".
  if (isLowInfo(entry)) entry.low_info = true;
  return entry;
}

/**
 * Work is done only where its proof is there; what has none becomes a gap. Source: the evidence document,
 * optimistic closure.
 */
async function prove(
  raw: readonly Record<string, unknown>[],
  observe: Observe,
  warnings: string[],
): Promise<{ artifacts: Artifact[]; gaps: Unresolved[] }> {
  const artifacts: Artifact[] = [];
  const gaps: Unresolved[] = [];
  const observed = await Promise.all(
    raw.map((entry) => (entry.withdrawn === undefined ? observe(text(entry.evidence)) : null)),
  );
  raw.forEach((entry, index) => {
    const { oid: _, ...rest } = entry;
    const artifact: Artifact = { ...rest, claim: text(entry.claim), evidence: text(entry.evidence) };
    const found = observed[index];
    if (!found || found.exists) {
      if (found?.oid) artifact.oid = found.oid;
      else if (!found && typeof entry.oid === "string") artifact.oid = entry.oid;
      artifacts.push(artifact);
      return;
    }
    const what =
      artifact.evidence.trim() === ""
        ? "no evidence named"
        : `evidence '${artifact.evidence}' ${found.note ?? "does not exist"}`;
    gaps.push({ kind: "gap", text: `${artifact.claim || "(no claim)"}: ${what}` });
    warnings.push(`not recorded as done: ${artifact.claim || "(no claim)"}: ${what}`);
  });
  return { artifacts, gaps };
}

function workGaps(work: readonly Work[], warnings: string[]): Unresolved[] {
  return work
    .filter((entry) => entry.association === UNKNOWN)
    .map((entry) => {
      const name =
        [entry.store, entry.project, entry.id].filter((part) => part !== UNKNOWN).join("/") || UNKNOWN;
      warnings.push(`work ${name} has no recorded association with this session`);
      return { kind: "gap", text: `work ${name}: no recorded association with this session` };
    });
}

function unresolvedEntry(raw: Record<string, unknown>): Unresolved {
  return { ...raw, kind: (raw.kind ?? "finding") as Unresolved["kind"], text: text(raw.text) };
}

function text(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function known(value: unknown): string {
  return text(value).trim() === "" ? UNKNOWN : text(value);
}

function completeSession(given: Partial<Session> | undefined, detected: Session): Session {
  return {
    ...given,
    runtime: known(given?.runtime ?? detected.runtime),
    id: known(given?.id ?? detected.id),
    context: known(given?.context ?? detected.context),
  };
}

function completeWork(raw: Partial<Work>): Work {
  return {
    ...raw,
    store: known(raw.store),
    project: known(raw.project),
    id: known(raw.id),
    association: known(raw.association),
  };
}

function completeLink(raw: Link): Link {
  return { ...raw, rel: raw.rel, target: known(raw.target), evidence: known(raw.evidence) };
}

function completeObserved(raw: Partial<Observed>): Observed {
  return { ...raw, by: known(raw.by), at: known(raw.at), cutoff: known(raw.cutoff) };
}

function completeSpan(raw: Partial<Span>): Span {
  return {
    ...raw,
    work: known(raw.work),
    source: known(raw.source),
    from: known(raw.from),
    to: known(raw.to),
    digest: known(raw.digest),
  };
}

function completeAllowance(raw: Allowance | "unknown" | undefined): Allowance | "unknown" {
  if (raw === undefined || raw === UNKNOWN) return UNKNOWN;
  return {
    ...raw,
    remaining: raw.remaining ?? UNKNOWN,
    state: raw.state ?? UNKNOWN,
    incident: raw.incident ?? UNKNOWN,
    helper_used: raw.helper_used ?? UNKNOWN,
    repair_bound: raw.repair_bound ?? UNKNOWN,
    operator_action: raw.operator_action ?? UNKNOWN,
    evidence: raw.evidence ?? [],
  };
}

const BODY_KEYS = ["state", "impact", "next", "pointers", "skills", "body", "lessons"] as const;

function withoutBody(input: HandoffInput): Partial<Frontmatter> {
  const rest: Record<string, unknown> = { ...input };
  for (const key of BODY_KEYS) delete rest[key];
  return rest as Partial<Frontmatter>;
}

/** Named sections in the fixed order, then the given Markdown; a section in both has the named text first. */
export function composeBody(input: HandoffInput): string {
  const body = input.body ?? "";
  const named = {
    state: input.state ?? null,
    impact: input.impact ?? null,
    next: input.next ?? [],
    pointers: input.pointers ?? [],
    skills: input.skills ?? null,
  };
  if (!BODY_KEYS.some((key) => key !== "body" && key !== "lessons" && input[key] !== undefined)) return body;
  const given = parseSections(body);
  return formatBody({
    state: both(named.state, given.state),
    impact: both(named.impact, given.impact),
    next: [...named.next, ...given.next],
    pointers: [...named.pointers, ...given.pointers],
    skills: both(named.skills, given.skills),
    rest: given.rest,
  });
}

function both(a: string | null, b: string | null): string | null {
  return a !== null && b !== null ? `${a}\n\n${b}` : (a ?? b);
}
