/** Entries as a document holds them: every key there, `unknown` where nothing was said. Nothing is inferred. */
import type { Allowance, Link, Observed, Session, Span, Unresolved, Work } from "../document/types.js";

export const UNKNOWN = "unknown";

/** A value as text; empty for what is not there. */
export function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function known(value: unknown): string {
  return textOf(value).trim() === "" ? UNKNOWN : textOf(value);
}

/** The goal, or null. Source: the park document, step 4: two answers that stand for none. */
export function goalOf(value: unknown): string | null {
  const goal = textOf(value).trim();
  return goal === "" || /^(?:skip|trivially recoverable from (?:the )?pr)\.?$/i.test(goal)
    ? null
    : textOf(value);
}

export function completeUnresolved(raw: Record<string, unknown>): Unresolved {
  return { ...raw, kind: (raw.kind ?? "finding") as Unresolved["kind"], text: textOf(raw.text) };
}

export function completeSession(given: Partial<Session> | undefined, detected: Session): Session {
  return {
    ...given,
    runtime: known(given?.runtime ?? detected.runtime),
    id: known(given?.id ?? detected.id),
    context: known(given?.context ?? detected.context),
  };
}

export function completeWork(raw: Partial<Work>): Work {
  return {
    ...raw,
    store: known(raw.store),
    project: known(raw.project),
    id: known(raw.id),
    association: known(raw.association),
  };
}

export function completeLink(raw: Link): Link {
  return { ...raw, rel: raw.rel, target: known(raw.target), evidence: known(raw.evidence) };
}

export function completeObserved(raw: Partial<Observed>): Observed {
  return { ...raw, by: known(raw.by), at: known(raw.at), cutoff: known(raw.cutoff) };
}

export function completeSpan(raw: Partial<Span>): Span {
  return {
    ...raw,
    work: known(raw.work),
    source: known(raw.source),
    from: known(raw.from),
    to: known(raw.to),
    digest: known(raw.digest),
  };
}

export function completeAllowance(raw: Allowance | "unknown" | undefined): Allowance | "unknown" {
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
