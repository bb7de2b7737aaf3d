/** Asks every rejection's predicate of the facts and says whether it still stands. */
import type { Rejection } from "../../document/types.js";
import type { Facts } from "../facts.js";
import type { PredicateVerdict } from "../verdict.js";

export interface PredicateResult {
  verdict: PredicateVerdict;
  /** Why it fails or cannot be evaluated; null when it holds. One line, may quote the document. */
  note: string | null;
  low_info: boolean;
}

/** One rejection. Never throws for anything a document may say. */
export async function checkPredicate(rejection: Rejection, facts: Facts): Promise<PredicateResult> {
  const [result] = await checkPredicates([rejection], facts);
  if (result === undefined) throw new Error("no result for a predicate");
  return result;
}

/** All of them, side by side, results in the order given; what is not done at `facts.deadline` is cannot-evaluate. */
export async function checkPredicates(
  _rejections: readonly Rejection[],
  _facts: Facts,
): Promise<PredicateResult[]> {
  throw new Error("not built yet");
}
