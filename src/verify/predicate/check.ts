/** Asks every rejection's predicate of the facts and says whether it still stands. */
import { KINDS, type Rejection } from "../../document/types.js";
import type { Facts } from "../facts.js";
import type { PredicateVerdict } from "../verdict.js";
import { CannotEvaluate, REASONS } from "./cannot-evaluate.js";
import { askGh } from "./gh.js";
import { askGit } from "./git.js";
import { askGrep, askTest } from "./grep.js";
import { isLowInfo } from "./lowinfo.js";
import { parsePredicate } from "./parse.js";
import { type Answer, Session } from "./session.js";
import type { Form } from "./types.js";

export interface PredicateResult {
  verdict: PredicateVerdict;
  /** Why it fails or cannot be evaluated; null when it holds. One line, may quote the document. */
  note: string | null;
  low_info: boolean;
}

type Verdict = Omit<PredicateResult, "low_info">;

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
  const asked = new Map<string, Promise<Verdict>>();
  const ask = (text: string): Promise<Verdict> => {
    let verdict = asked.get(text);
    if (verdict === undefined) {
      verdict = evaluate(text, session, alarm.rang);
      asked.set(text, verdict);
    }
    return verdict;
  };
  try {
    return await Promise.all(
      rejections.map(async (rejection) => ({
        ...(byKind(rejection) ?? (await ask(rejection.predicate))),
        low_info: rejection.low_info === true || isLowInfo(rejection),
      })),
    );
  } finally {
    alarm.stop();
  }
}

/** What the kind alone decides. Source: the park document, read half, step 3. */
function byKind(rejection: Rejection): Verdict | null {
  if (rejection.kind === "goal-conditional") {
    return cannot(`goal-conditional: ask the user: "${rejection.predicate}"`);
  }
  if (rejection.kind === "untyped" || !KINDS.includes(rejection.kind)) return cannot(REASONS.untyped);
  return null;
}

function cannot(note: string): Verdict {
  return { verdict: "cannot-evaluate", note };
}

async function evaluate(text: string, session: Session, alarm: Promise<never>): Promise<Verdict> {
  try {
    const { negated, ask } = parsePredicate(text);
    session.budget.until();
    const answer = await Promise.race([put(ask, session), alarm]);
    const holds = answer.gone !== true && answer.value !== negated;
    return holds ? { verdict: "holds", note: null } : { verdict: "fails", note: answer.found };
  } catch (error) {
    if (error instanceof CannotEvaluate) return cannot(error.message);
    // A tree or a repository that cannot be read: one predicate's trouble is not the others'.
    return cannot(`could not be asked: ${error instanceof Error ? error.message : String(error)}`);
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
