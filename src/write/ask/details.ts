/** The rest of a document, asked briefly: state, next steps, pointers, work done, what is open. */
import { oneLine } from "../../document/strip.js";
import { observeEvidence } from "../../verify/evidence.js";
import { parseUnresolved } from "../flags.js";
import { writingFacts } from "../place.js";
import type { Interview } from "./interview.js";

export async function askState(interview: Interview): Promise<void> {
  const { prompts, input } = interview;
  const state = await prompts.text({
    question: "State: what is done, in flight, decided?",
    hint: "end state and facts; longer text in the editor at the end",
    ...(input.state === undefined ? {} : { initial: input.state }),
  });
  await interview.take(withText(input, "state", state));
}

/** Source: the inbox document, section Impact here. */
export async function askImpact(interview: Interview): Promise<void> {
  const { prompts, input } = interview;
  const impact = await prompts.text({
    question: "Impact here: what does it mean for whoever works there, in their terms?",
    required: true,
    ...(input.impact === undefined ? {} : { initial: input.impact }),
  });
  const breaking = await prompts.confirm(
    "Is it breaking: does the destination have to change something to stay correct?",
    input.breaking ?? false,
  );
  await interview.take({ ...withText(interview.input, "impact", impact), breaking });
}

/** A list of texts, one at a time. */
export async function askLines(
  interview: Interview,
  key: "next" | "pointers",
  question: string,
  more: string,
): Promise<void> {
  for (;;) {
    const lines = interview.input[key] ?? [];
    const line = await interview.prompts.text({
      question: lines.length === 0 ? question : more,
      hint: "Enter when there is nothing (more)",
    });
    if (line === "") return;
    await interview.take({ ...interview.input, [key]: [...lines, line] });
  }
}

/** Work done; each place is looked at as it is named. */
export async function askDone(interview: Interview): Promise<void> {
  const { prompts } = interview;
  for (;;) {
    const artifacts = interview.input.artifacts ?? [];
    const claim = await prompts.text({
      question: artifacts.length === 0 ? "Is something done? Say what" : "What else is done?",
      hint: "Enter when there is nothing (more)",
    });
    if (claim === "") return;
    const evidence = await askEvidence(interview, claim);
    await interview.take({ ...interview.input, artifacts: [...artifacts, { claim, evidence }] });
  }
}

/** Asks for the place that proves a claim until there is one, or the author lets it be a gap. */
export async function askEvidence(
  { prompts, making }: Interview,
  claim: string,
  initial?: string,
): Promise<string> {
  let before = initial;
  for (;;) {
    const evidence = await prompts.text({
      question: "Which place proves it?",
      hint: "path, path:line, path:line-line, commit:<id> or a URL",
      ...(before === undefined ? {} : { initial: before }),
    });
    const facts = await writingFacts(making.repository, making.now, making.head);
    const found = evidence === "" ? null : await observeEvidence(evidence, facts);
    if (found?.exists) return evidence;
    const why = found === null ? "no evidence named" : oneLine(found.note ?? "does not exist");
    prompts.warn(`"${oneLine(claim)}" would be recorded as an open gap, not as done: ${why}.`);
    if (!(await prompts.confirm("Name another place?", true))) return evidence;
    before = evidence;
  }
}

export async function askUnresolved(interview: Interview): Promise<void> {
  for (;;) {
    const unresolved = interview.input.unresolved ?? [];
    const text = await interview.prompts.text({
      question: unresolved.length === 0 ? "Is something unresolved?" : "Something else unresolved?",
      hint: "[acceptance|finding|uncertainty|risk|gap:] text",
    });
    if (text === "") return;
    await interview.take({ ...interview.input, unresolved: [...unresolved, parseUnresolved(text)] });
  }
}

/** An empty answer takes the key away. */
export function withText<T extends Record<string, unknown>>(input: T, key: string, text: string): T {
  const rest: Record<string, unknown> = { ...input };
  if (text === "") delete rest[key];
  else rest[key] = text;
  return rest as T;
}
