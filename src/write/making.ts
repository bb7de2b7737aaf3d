/** Everything about the place of writing, gathered once; then a document is one call away. */
import type { RedactOptions } from "../document/redact.js";
import type { Delivery } from "../document/types.js";
import type { Repository } from "../git/repository.js";
import type { Item } from "../store/types.js";
import { observeEvidence } from "../verify/evidence.js";
import type { Surroundings } from "./compose.js";
import { surroundings, writingFacts } from "./place.js";
import { type Content, type Prepared, prepare } from "./prepare.js";
import { redactionFor } from "./redaction.js";

export interface Target {
  /** `HEAD` for the repository as a whole. */
  branch: string;
  delivery: Delivery;
}

export interface Making extends Target {
  repository: Repository;
  place: Surroundings;
  redaction: RedactOptions;
  now: Date;
}

export async function beginMaking(
  repository: Repository,
  target: Target,
  options: { now: Date; terminal: boolean; redact: boolean },
): Promise<Making> {
  const [place, redaction] = await Promise.all([
    surroundings(repository, { ...target, now: options.now, terminal: options.terminal }),
    redactionFor(repository, options.redact),
  ]);
  return { ...target, repository, place, redaction, now: options.now };
}

/**
 * The document of this content as it would be stored now. `open` are the branch's open handoffs, oldest first.
 * Throws as prepare does.
 */
export async function make(making: Making, content: Content, open: readonly Item[]): Promise<Prepared> {
  const facts = await writingFacts(making.repository, making.now);
  return prepare(content, making.place, (evidence) => observeEvidence(evidence, facts), {
    open,
    redaction: making.redaction,
  });
}
