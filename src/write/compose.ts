/** From what the caller said to the document that is stored. Nothing is inferred: what was not given is unknown. */
import { formatBody, parseSections } from "../document/sections.js";
import {
  type Artifact,
  type Delivery,
  type Frontmatter,
  type HandoffDocument,
  KINDS,
  type Origin,
  type Rejection,
  type Session,
  type Unresolved,
  type Work,
} from "../document/types.js";
import { isLowInfo } from "../verify/predicate/lowinfo.js";
import {
  completeAllowance,
  completeLink,
  completeObserved,
  completeSession,
  completeSpan,
  completeUnresolved,
  completeWork,
  goalOf,
  textOf,
  UNKNOWN,
} from "./complete.js";
import { BODY_KEYS, type HandoffInput } from "./input.js";
import { unknownKeyWarnings } from "./unknown-keys.js";

export const DEFAULT_FALLBACK = "drop and surface to user";

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
  /** Rejections whose kind was none of the closed list, with what was given. */
  unknownKinds: { rejection: Rejection; kind: string }[];
}

/** At most this many changed files are recorded. */
export const DIRTY_FILES_LIMIT = 20;

/**
 * Builds the document.
 * @param input has passed the input's schema and has an intent
 * @param standing artifacts that an earlier document recorded: kept as they were seen then
 */
export async function compose(
  input: HandoffInput,
  place: Surroundings,
  observe: Observe,
  standing: readonly Artifact[] = [],
): Promise<Composed> {
  const warnings: string[] = [];
  const unknownKinds: Composed["unknownKinds"] = [];
  const rejections = (input.rejections ?? []).map((raw) => {
    const rejection = composeRejection(raw);
    if (raw.kind !== rejection.kind) unknownKinds.push({ rejection, kind: textOf(raw.kind) });
    return rejection;
  });
  const { artifacts, gaps } = await prove(input.artifacts ?? [], observe, standing, warnings);
  const work = input.work?.map(completeWork);
  const given = withoutBody(input);
  const dirty = place.dirtyFiles.length > 0 && input.git === undefined;
  if (dirty) warnings.push(dirtyWarning(place.dirtyFiles));
  warnings.push(...unknownKeyWarnings(input), ...contradictions(input, place));
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
    goal: goalOf(given.goal),
    git: given.git ?? place.git,
    rejections,
    artifacts,
    unresolved: distinct([
      ...(input.unresolved ?? []).map(completeUnresolved),
      ...gaps,
      ...workGaps(work ?? [], warnings),
    ]),
    allowance: completeAllowance(given.allowance),
    links: (given.links ?? []).map(completeLink),
    watches: given.watches ?? [],
  };
  if (dirty) meta.dirty_files = [...place.dirtyFiles];
  if (meta.dirty_files) meta.dirty_files = meta.dirty_files.slice(0, DIRTY_FILES_LIMIT);
  const from = given.from ?? place.from;
  if (from) meta.from = from;
  if (place.delivery === "pulled") delete meta.breaking;
  if (work) meta.work = work;
  if (given.observed) meta.observed = completeObserved(given.observed);
  if (given.spans) meta.spans = given.spans.map(completeSpan);
  return { document: { meta, body: composeBody(input) }, warnings, unknownKinds };
}

function dirtyWarning(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(", ");
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  return `uncommitted changes are not part of the handoff: ${shown}${more}`;
}

/** What a document says of itself and what it becomes here. */
function contradictions(input: HandoffInput, place: Surroundings): string[] {
  const warnings: string[] = [];
  if (typeof input.task_key === "string" && input.task_key !== place.branch)
    warnings.push(
      `task_key '${input.task_key}' is not this branch; the handoff is written for ${place.branch}`,
    );
  if (input.delivery === "pulled" && place.delivery === "pushed")
    warnings.push("delivery 'pulled' is not kept: this is an inbox handoff");
  if (input.breaking !== undefined && place.delivery === "pulled")
    warnings.push("breaking is for inbox handoffs; left out");
  return warnings;
}

export function composeRejection(raw: Record<string, unknown>): Rejection {
  const { low_info: _, ...rest } = raw;
  const entry: Rejection = {
    ...rest,
    kind: KINDS.find((name) => name === raw.kind) ?? "untyped",
    claim: textOf(raw.claim),
    anchor: textOf(raw.anchor).trim() === "" ? null : textOf(raw.anchor),
    predicate: textOf(raw.predicate),
    fallback: textOf(raw.fallback).trim() === "" ? DEFAULT_FALLBACK : textOf(raw.fallback),
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
  standing: readonly Artifact[],
  warnings: string[],
): Promise<{ artifacts: Artifact[]; gaps: Unresolved[] }> {
  const artifacts: Artifact[] = [];
  const gaps: Unresolved[] = [];
  const isStanding = (entry: Record<string, unknown>) =>
    standing.some((kept) => ["claim", "evidence", "oid"].every((key) => kept[key] === entry[key]));
  const observed = await Promise.all(
    raw.map((entry) =>
      entry.withdrawn === undefined && !isStanding(entry) ? observe(textOf(entry.evidence)) : null,
    ),
  );
  raw.forEach((entry, index) => {
    const { oid, ...rest } = entry;
    const artifact: Artifact = { ...rest, claim: textOf(entry.claim), evidence: textOf(entry.evidence) };
    const found = observed[index];
    if (!found || found.exists) {
      const seen = found ? found.oid : oid;
      if (typeof seen === "string") artifact.oid = seen;
      artifacts.push(artifact);
      return;
    }
    const what =
      artifact.evidence.trim() === ""
        ? "no evidence named"
        : `evidence '${artifact.evidence}': ${found.note ?? "does not exist"}`;
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

/** A document that is written again already holds the gaps that were found the first time. */
function distinct(entries: readonly Unresolved[]): Unresolved[] {
  return entries.filter(
    (entry, index) =>
      entries.findIndex(({ kind, text }) => kind === entry.kind && text === entry.text) === index,
  );
}

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
