/** What is looked at before a handoff is stored. Every finding is a warning; none stops a write. */

import { parseSections } from "./sections.js";
import { oneLine } from "./strip.js";
import { type HandoffDocument, KINDS, type Rejection } from "./types.js";

/** Kinds whose predicate a person answers, so that there is nothing to anchor. */
const WITHOUT_ANCHOR: ReadonlySet<string> = new Set(["goal-conditional", "untyped"]);

/**
 * Warnings about the rejections and about the body's sections, one line each. `low_info` has to be set where
 * it applies. Withdrawn rejections are left alone. Source: the park document, validator rules 1 to 5.
 */
export function validateDocument(document: HandoffDocument): string[] {
  return [...validateRejections(document.meta.rejections), ...validateSections(document)];
}

/** The park document's five rules; rejections are counted from 1. */
export function validateRejections(rejections: readonly Rejection[]): string[] {
  const warnings = rejections.flatMap((rejection, index) =>
    rejection.withdrawn === undefined ? validateRejection(rejection, index + 1) : [],
  );
  const overflow = untypedOverflow(rejections);
  return overflow === null ? warnings : [...warnings, overflow];
}

function validateRejection(rejection: Rejection, number: number): string[] {
  const warnings: string[] = [];
  if (isEmpty(rejection.predicate)) warnings.push(noPredicate(number));
  if (!isKnownKind(rejection.kind)) warnings.push(unknownKind(number, rejection.kind));
  if (isEmpty(rejection.anchor) && !WITHOUT_ANCHOR.has(rejection.kind)) warnings.push(noAnchor(number));
  if (rejection.low_info) warnings.push(lowInformation(number));
  return warnings;
}

function isEmpty(text: string | null | undefined): boolean {
  return text === null || text === undefined || text.trim() === "";
}

function isKnownKind(kind: string): boolean {
  return (KINDS as readonly string[]).includes(kind);
}

/** Source: the park document, validator rule 1. */
export function noPredicate(number: number): string {
  return `Rejection ${number} has no predicate. It will be marked cannot-evaluate on every read and surfaced unconditionally. Recommend authoring one.`;
}

/** Source: the park document, validator rule 2 (which leaves the wording open). */
export function unknownKind(number: number, kind: string): string {
  return `Rejection ${number} has the unrecognized kind "${oneLine(kind)}". It will be stored as untyped. Recommend re-classifying it as one of ${KINDS.join(", ")}.`;
}

/** Source: the park document, validator rule 3. */
export function noAnchor(number: number): string {
  return `Rejection ${number} has no anchor. The evaluator has no idea what to check against. Recommend authoring one (e.g., a file path, a function signature, a dependency name+version).`;
}

/** Source: the park document, validator rule 4: more than a third, not a third itself. Null when not. */
export function untypedOverflow(rejections: readonly Rejection[]): string | null {
  const standing = rejections.filter((rejection) => rejection.withdrawn === undefined);
  const untyped = standing.filter(
    (rejection) => rejection.kind === "untyped" || !isKnownKind(rejection.kind),
  );
  if (untyped.length * 3 <= standing.length) return null;
  return `${untyped.length} of ${standing.length} rejections are untyped. That's a signal the closed enumeration isn't matching what you're trying to capture. Consider re-classifying.`;
}

/** Source: the park document, validator rule 5 (which leaves the wording open). */
export function lowInformation(number: number): string {
  return `Rejection ${number} has a low-information predicate: it is always true. It will be shown as "noted but not gating".`;
}

/** Warnings about the body's fixed spine. An import does not ask for them. */
export function validateSections(document: HandoffDocument): string[] {
  const sections = parseSections(document.body);
  const warnings: string[] = [];
  if (sections.state === null) warnings.push('The body has no "## State" section.');
  if (sections.next.length === 0) warnings.push('The body has no "## Next steps" section.');
  if (sections.pointers.length === 0) warnings.push('The body has no "## Pointers" section.');
  if (sections.impact !== null && document.meta.delivery === "pulled") {
    warnings.push('"## Impact here" belongs to inbox handoffs; this one is a journal handoff.');
  }
  return warnings;
}
