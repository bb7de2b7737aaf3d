/** Everything about the place of writing, gathered once; then a document is one call away. */
import type { Repository } from "../git/repository.js";
import type { Item } from "../store/types.js";
import { observeEvidence } from "../verify/evidence.js";
import type { Surroundings } from "./compose.js";
import { type Head, surroundings, type Target, writingFacts } from "./place.js";
import { type Content, type Prepared, prepare } from "./prepare.js";
import { type RedactionFor, redactionFor } from "./redaction.js";

export type { Head, Target };

export interface Making extends Target {
  repository: Repository;
  head: Head;
  place: Surroundings;
  redaction: RedactionFor;
  now: Date;
}

/** @param target may be told from HEAD; what it throws is thrown */
export async function beginMaking(
  repository: Repository,
  target: Target | ((head: Head) => Target),
  options: { now: Date; terminal: boolean; redact: boolean },
): Promise<Making> {
  const { place, head } = await surroundings(repository, target, options);
  const { branch, delivery } = place;
  const redaction = redactionFor(repository, options.redact);
  return { branch, delivery, repository, head, place, redaction, now: options.now };
}

/**
 * The document of this content as it would be stored now. `open` are the branch's open handoffs, oldest first.
 * Throws as prepare does.
 */
export async function make(making: Making, content: Content, open: readonly Item[]): Promise<Prepared> {
  const { repository, now, head, place, redaction } = making;
  const facts = await writingFacts(repository, now, head);
  return prepare(content, place, (evidence) => observeEvidence(evidence, facts), { open, redaction });
}
