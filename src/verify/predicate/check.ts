/** Asks every rejection's predicate of the facts and says whether it still stands. */
import { KINDS, type Rejection } from "../../document/types.js";
import type { Facts } from "../facts.js";
import type { PredicateVerdict } from "../verdict.js";
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import { askGh } from "./gh.js";
import { askGit } from "./git.js";
import { askGrep, askTest } from "./grep.js";
import { isLowInfo, isTautology } from "./lowinfo.js";
import { parsePredicate } from "./parse.js";
import { type Answer, Session } from "./session.js";
import type { Form } from "./types.js";

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

/**
 * All of them, side by side, results in the order given. What is not done at `facts.deadline` is
 * cannot-evaluate, `out-of-budget: …`. Equal predicates are asked once.
 */
export async function checkPredicates(
  rejections: readonly Rejection[],
  facts: Facts,
): Promise<PredicateResult[]> {
  const session = new Session(facts);
  const alarm = session.budget.alarm();
  const asked = new Map<string, Promise<PredicateResult>>();
  const ask = (text: string): Promise<PredicateResult> => {
    let verdict = asked.get(text);
    if (verdict === undefined) {
      verdict = evaluate(text, session, alarm.rang);
      asked.set(text, verdict);
    }
    return verdict;
  };
  try {
    return await Promise.all(
      rejections.map(async (rejection) => {
        const result = byKind(rejection, session) ?? (await ask(rejection.predicate));
        return rejection.low_info === true ? { ...result, low_info: true } : result;
      }),
    );
  } finally {
    alarm.stop();
  }
}

/** What the kind alone decides. Source: the park document, read half, step 3. */
function byKind(rejection: Rejection, session: Session): PredicateResult | null {
  const low = (): boolean => !session.budget.over && isLowInfo(rejection);
  if (rejection.kind === "goal-conditional") {
    return cannot(`goal-conditional: ask the user: "${rejection.predicate}"`, low());
  }
  if (rejection.kind === "untyped" || !KINDS.includes(rejection.kind)) {
    return cannot(REASONS.untyped, low());
  }
  return null;
}

function cannot(note: string, low_info: boolean): PredicateResult {
  return { verdict: "cannot-evaluate", note, low_info };
}

async function evaluate(text: string, session: Session, alarm: Promise<never>): Promise<PredicateResult> {
  let low_info: boolean | null = null;
  try {
    // Before anything else: thousands of predicates must not take their time one by one.
    session.budget.until();
    const predicate = parsePredicate(text);
    low_info = isTautology(predicate);
    const answer = await Promise.race([put(predicate.ask, session), alarm]);
    return answer.gone !== true && answer.value !== predicate.negated
      ? { verdict: "holds", note: null, low_info }
      : { verdict: "fails", note: answer.found, low_info };
  } catch (error) {
    low_info ??= !session.budget.over && isLowInfo({ kind: "structural", predicate: text });
    if (error instanceof CannotEvaluate) return cannot(error.message, low_info);
    // A tree or a repository that cannot be read: one predicate's trouble is not the others'.
    return cannot(
      `could not be asked: ${quoted(error instanceof Error ? error.message : String(error))}`,
      low_info,
    );
  }
}

async function put(form: Form, session: Session): Promise<Answer> {
  switch (form.form) {
    case "true":
      return { value: true, found: "always true" };
    case "grep":
      return askGrep(form, session);
    case "test":
      return askTest(form, session);
    case "gh":
      return askGh(form, session);
    default:
      return askGit(form, session);
  }
}
