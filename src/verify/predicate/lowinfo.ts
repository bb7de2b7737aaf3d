/** Predicates that can never be false say nothing: they are shown but do not gate. */
import type { Rejection } from "../../document/types.js";

/** Whether the predicate is trivially always true. Pure. Source: the park document, validator rule 5. */
export function isLowInfo(_rejection: Pick<Rejection, "kind" | "predicate">): boolean {
  throw new Error("not built yet");
}
