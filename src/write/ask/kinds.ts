/** The kind of a rejection: what its wording suggests, and another choice where it is none of the list. */
import { oneLine } from "../../document/strip.js";
import { KINDS, type RejectionKind } from "../../document/types.js";
import type { HandoffInput } from "../input.js";
import type { Choice, Prompts } from "./prompts.js";

/** Source: the park document, predicate grammar. */
export const KIND_CHOICES: readonly Choice<RejectionKind>[] = [
  { value: "structural", label: "structural: a type, invariant or schema forbids it" },
  { value: "contractual", label: "contractual: a signature, API or interface stands against it" },
  { value: "empirical-local", label: "empirical-local: tried here, and it behaved otherwise" },
  { value: "empirical-external", label: "empirical-external: a dependency or outside service prevents it" },
  { value: "goal-conditional", label: "goal-conditional: only wrong as long as the goal is what it is" },
  { value: "untyped", label: "untyped: none of these" },
];

const HARD =
  /\b(?:must(?: not|n['\u2019]t| never)?|never|cannot|can['\u2019]t|may not|(?:not|isn['\u2019]t|aren['\u2019]t) (?:allowed|permitted)|no [^.]* (?:allowed|permitted)|forbidden|prohibited|at most|no more than|exceeds?|no new|has to|have to|required?|invariant)\b/i;
const SOFT =
  /\b(?:prefer(?:s|red|able|ably|ence)?|better|nicer|simpler|smaller|fewer|less|rather|too (?:big|large|much|many|complex|invasive)|ideally|would like|wants?|easier|cleaner)\b/i;

/**
 * What a claim's wording says of its kind; null when it cites no selection criteria. A soft preference
 * depends on the goal, a hard invariant on the structure; both at once is a doubt, and in doubt the next
 * session is to ask. Source: the park document, tie-break rule.
 */
export function suggestKind(claim: string): RejectionKind | null {
  if (SOFT.test(claim)) return "goal-conditional";
  return HARD.test(claim) ? "structural" : null;
}

/** Offers another kind for each rejection that has none of the list. Source: the park document, validator rule 2. */
export async function reclassify(input: HandoffInput, prompts: Prompts): Promise<HandoffInput> {
  if (!input.rejections) return input;
  const rejections: Record<string, unknown>[] = [];
  for (const raw of input.rejections) {
    if (KINDS.some((kind) => kind === raw.kind)) rejections.push(raw);
    else {
      const claim = oneLine(String(raw.claim ?? ""));
      const kind = raw.kind === undefined ? "no kind" : `the kind "${oneLine(String(raw.kind))}"`;
      prompts.warn(`Rejection ${rejections.length + 1} has ${kind}, which is none of the list: ${claim}`);
      const suggested = suggestKind(claim) ?? "untyped";
      rejections.push({ ...raw, kind: await prompts.choose("Which kind is it?", KIND_CHOICES, suggested) });
    }
  }
  return { ...input, rejections };
}

/** True when `reclassify` would ask. */
export function hasUnknownKinds(input: HandoffInput): boolean {
  return (input.rejections ?? []).some((raw) => !KINDS.some((kind) => kind === raw.kind));
}
