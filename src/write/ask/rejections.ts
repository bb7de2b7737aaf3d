/** The loop that collects what was tried or ruled out. Source: the park document, steps C and 5. */
import { oneLine } from "../../document/strip.js";
import type { Rejection, RejectionKind } from "../../document/types.js";
import { validateRejections } from "../../document/validate.js";
import { checkPredicate } from "../../verify/predicate/check.js";
import { composeRejection, DEFAULT_FALLBACK } from "../compose.js";
import { lessonsFile } from "../lessons.js";
import { writingFacts } from "../place.js";
import type { Interview } from "./interview.js";
import { KIND_CHOICES, suggestKind } from "./kinds.js";

/** Word for word. Source: the park document, pre-queue filter. */
export const META_QUESTION =
  "Is there a specific artifact this rejects against, or is this a meta-lesson about how to approach problems in general?";

/** Asks until nothing more is named. */
export async function askRejections(interview: Interview): Promise<void> {
  for (;;) {
    const { rejections: before = [], lessons: noted = [] } = interview.input;
    const first = before.length + noted.length === 0;
    const raw = interview.pending ?? {};
    const claim = await interview.prompts.text({
      question: first ? "Was something tried or ruled out? Say what" : "Something else that was ruled out?",
      hint: "Enter when there is nothing (more)",
      ...(typeof raw.claim === "string" ? { initial: raw.claim } : {}),
    });
    if (claim === "") return forget(interview);
    await remember(interview, { ...raw, claim });
    if (await isLesson(interview)) {
      const lessons = [...noted, claim];
      interview.pending = null;
      await interview.take({ ...interview.input, lessons });
      continue;
    }
    const rejection = await askRejection(interview, { ...raw, claim });
    const rejections = [...before, rejection];
    interview.pending = null;
    await interview.take({ ...interview.input, rejections });
    sayWarnings(interview, rejections);
  }
}

async function remember(interview: Interview, raw: Record<string, unknown>): Promise<void> {
  interview.pending = raw;
  await interview.save();
}

async function forget(interview: Interview): Promise<void> {
  interview.pending = null;
  await interview.save();
}

/** The routing decision is shown, and can be overridden. */
async function isLesson({ prompts, making }: Interview): Promise<boolean> {
  const answer = await prompts.choose(META_QUESTION, [
    { value: "specific", label: "a specific artifact" },
    { value: "meta", label: "a meta-lesson" },
  ]);
  if (answer === "specific") return false;
  const path = oneLine(await lessonsFile(making.repository));
  prompts.say(`It goes to ${path} when the handoff is written, not into the handoff.`);
  const route = await prompts.choose("Is that right?", [
    { value: "lesson", label: "yes, note it as a lesson" },
    { value: "rejection", label: "no, record it as a rejection all the same" },
  ]);
  return route === "lesson";
}

/** Kind, anchor, predicate with its verdict, fallback. `raw` has the claim, and what was answered before. */
export async function askRejection(
  interview: Interview,
  raw: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { prompts } = interview;
  const known = (key: string) => (typeof raw[key] === "string" ? { initial: raw[key] } : {});
  const kind = await prompts.choose("Which kind is it?", KIND_CHOICES, kindToStart(raw));
  let answered: Record<string, unknown> = { ...raw, kind };
  await remember(interview, answered);
  if (kind !== "goal-conditional" && kind !== "untyped") {
    const anchor = await prompts.text({
      question: "Anchor: what does it stand on?",
      hint: "a file path, a function signature, a dependency name+version",
      ...known("anchor"),
    });
    answered = { ...answered, anchor: anchor === "" ? null : anchor };
    await remember(interview, answered);
  }
  answered = { ...answered, predicate: await askPredicate(interview, answered) };
  await remember(interview, answered);
  const fallback = await prompts.text({
    question: "Fallback: what to do when it no longer holds?",
    initial: DEFAULT_FALLBACK,
    ...known("fallback"),
  });
  return { ...answered, fallback: fallback === "" ? DEFAULT_FALLBACK : fallback };
}

/** When in doubt goal-conditional: it is asked of the user instead of gating silently. */
function kindToStart(raw: Record<string, unknown>): RejectionKind {
  const before = KIND_CHOICES.find(({ value }) => value === raw.kind);
  return before?.value ?? suggestKind(String(raw.claim)) ?? "goal-conditional";
}

const PREDICATE_HINT: Partial<Record<RejectionKind, string>> = {
  "goal-conditional": "user still wants …",
  untyped: "in your own words",
};

/** Asks until the author is content with what the predicate says now. */
async function askPredicate(interview: Interview, raw: Record<string, unknown>): Promise<string> {
  const { prompts } = interview;
  let initial = typeof raw.predicate === "string" ? raw.predicate : undefined;
  for (;;) {
    const predicate = await prompts.text({
      question: "Predicate: how can the next reader see whether it still stands?",
      hint: PREDICATE_HINT[raw.kind as RejectionKind] ?? "grep -q 'final class Foo' src/Foo.php",
      ...(initial === undefined ? {} : { initial }),
    });
    if (predicate === "") return "";
    const content = await sayVerdict(interview, { ...raw, predicate });
    if (content) return predicate;
    if (!(await prompts.confirm("Change the predicate?", true))) return predicate;
    initial = predicate;
  }
}

/** Shows what a reader would be told now. True when that is what an author wants of this kind. */
async function sayVerdict({ prompts, making }: Interview, raw: Record<string, unknown>): Promise<boolean> {
  const rejection = composeRejection(raw);
  const facts = await writingFacts(making.repository, making.now, making.head);
  const { verdict, note, low_info } = await checkPredicate(rejection, facts);
  const told = `${verdict}${note === null ? "" : ` — ${oneLine(note)}`}`;
  if (low_info) {
    prompts.warn(`${told}; it is always true, so it will be shown as "noted but not gating".`);
    return false;
  }
  if (verdict === "holds" || rejection.kind === "goal-conditional" || rejection.kind === "untyped") {
    prompts.say(`It says: ${told}`);
    return true;
  }
  prompts.warn(`It says: ${told}`);
  return false;
}

/** What the validator finds about the newest one, and about all of them together. */
function sayWarnings({ prompts }: Interview, raws: readonly Record<string, unknown>[]): void {
  const all: Rejection[] = raws.map(composeRejection);
  const before = new Set(validateRejections(all.slice(0, -1)));
  for (const warning of validateRejections(all)) if (!before.has(warning)) prompts.warn(warning);
}
