/** Changing one field of what was answered. */
import type { Watch } from "../../document/types.js";
import { parseUnresolved } from "../flags.js";
import { askDone, askEvidence, askImpact, askLines, askState, askUnresolved, withText } from "./details.js";
import type { Interview } from "./interview.js";
import { askRejection, askRejections } from "./rejections.js";
import { askWatch } from "./watch.js";

type Field =
  | "intent"
  | "goal"
  | "rejections"
  | "state"
  | "impact"
  | "next"
  | "pointers"
  | "artifacts"
  | "unresolved"
  | "watches"
  | "lessons"
  | "editor";

/** Asks which, and changes it; `editor` is left to the caller. */
export async function editField(interview: Interview): Promise<Field> {
  const { prompts, input, making } = interview;
  const count = (list: readonly unknown[] | undefined) => ` (${list?.length ?? 0})`;
  const field = await prompts.choose<Field>("Edit what?", [
    { value: "editor", label: "everything, in the editor" },
    { value: "intent", label: "intent" },
    { value: "goal", label: "goal" },
    { value: "rejections", label: `rejections${count(input.rejections)}` },
    { value: "state", label: "state" },
    ...(making.delivery === "pushed" ? [{ value: "impact" as const, label: "impact and breaking" }] : []),
    { value: "next", label: `next steps${count(input.next)}` },
    { value: "pointers", label: `pointers${count(input.pointers)}` },
    { value: "artifacts", label: `done${count(input.artifacts)}` },
    { value: "unresolved", label: `unresolved${count(input.unresolved)}` },
    { value: "watches", label: `watches${count(input.watches)}` },
    { value: "lessons", label: `lessons${count(input.lessons)}` },
  ]);
  await change(field, interview);
  return field;
}

async function change(field: Field, interview: Interview): Promise<void> {
  switch (field) {
    case "editor":
      return;
    case "intent":
      return askIntent(interview);
    case "goal":
      return askGoal(interview);
    case "state":
      return askState(interview);
    case "impact":
      return askImpact(interview);
    case "rejections":
      return changeList(interview, "rejections", {
        label: (item) => `[${item.kind}] ${item.claim}`,
        change: async (item) => {
          const claim = await asked(interview, "What was tried or ruled out?", String(item.claim ?? ""));
          return claim === "" ? null : askRejection(interview, { ...item, claim });
        },
        add: () => askRejections(interview),
      });
    case "next":
      return changeLines(interview, "next", "Next step");
    case "pointers":
      return changeLines(interview, "pointers", "Pointer");
    case "lessons":
      return changeLines(interview, "lessons", "Lesson");
    case "artifacts":
      return changeList(interview, "artifacts", {
        label: (item) => `${item.evidence} — ${item.claim}`,
        change: async (item) => {
          const claim = await asked(interview, "What is done?", String(item.claim ?? ""));
          if (claim === "") return null;
          return {
            ...item,
            claim,
            evidence: await askEvidence(interview, claim, String(item.evidence ?? "")),
          };
        },
        add: () => askDone(interview),
      });
    case "unresolved":
      return changeList(interview, "unresolved", {
        label: (item) => `${item.kind}: ${item.text}`,
        change: async (item) => {
          const text = await asked(
            interview,
            "What is unresolved?",
            `${item.kind ?? "finding"}: ${item.text}`,
          );
          return text === "" ? null : { ...item, ...parseUnresolved(text) };
        },
        add: () => askUnresolved(interview),
      });
    case "watches":
      return changeList<Watch>(interview, "watches", {
        label: (item) => Object.values(item).map(String).join(", "),
        change: async (item) => {
          const note = await asked(interview, "Note (empty takes the watch away)", item.note ?? "");
          return note === "" ? null : { ...item, note };
        },
        add: () => askWatch(interview),
      });
  }
}

/** Required, and always asked anew. Source: the park document, step 3. */
export async function askIntent(interview: Interview): Promise<void> {
  const { prompts, input } = interview;
  const intent = await prompts.text({
    question: "Immediate next intent: what is the next session to do first?",
    hint: "one short statement",
    required: true,
    ...(input.intent === undefined ? {} : { initial: input.intent }),
  });
  await interview.take({ ...interview.input, intent });
}

/** Optional. Source: the park document, step 4. */
export async function askGoal(interview: Interview): Promise<void> {
  const { prompts, input } = interview;
  const goal = await prompts.text({
    question: "Active goal?",
    hint: "Enter or skip when it is trivially recoverable from PR or ticket",
    ...(typeof input.goal === "string" ? { initial: input.goal } : {}),
  });
  await interview.take(withText(input, "goal", goal));
}

async function asked({ prompts }: Interview, question: string, initial: string): Promise<string> {
  return prompts.text({ question: `${question} (empty takes it away)`, initial });
}

interface ListEditing<T> {
  label(item: T): string;
  /** Null takes the entry away. */
  change(item: T): Promise<T | null>;
  add(): Promise<void>;
}

/** Chooses an entry to change or take away, or adds some. */
async function changeList<T extends object = Record<string, unknown>>(
  interview: Interview,
  key: "rejections" | "artifacts" | "unresolved" | "watches",
  editing: ListEditing<T>,
): Promise<void> {
  const items = (interview.input[key] ?? []) as T[];
  const at = await chooseEntry(
    interview,
    items.map((item) => editing.label(item)),
  );
  const item = items[at];
  if (item === undefined) return editing.add();
  const changed = await editing.change(item);
  interview.pending = null;
  await interview.take({
    ...interview.input,
    [key]: changed === null ? items.toSpliced(at, 1) : items.toSpliced(at, 1, changed),
  });
}

async function changeLines(
  interview: Interview,
  key: "next" | "pointers" | "lessons",
  name: string,
): Promise<void> {
  const lines = interview.input[key] ?? [];
  const at = await chooseEntry(interview, lines);
  const line = lines[at];
  if (line === undefined) {
    if (key !== "lessons") return askLines(interview, key, `${name}?`, "Another?");
    const lesson = await interview.prompts.text({ question: "Lesson?" });
    if (lesson !== "") await interview.take({ ...interview.input, lessons: [...lines, lesson] });
    return;
  }
  const changed = await asked(interview, name, line);
  await interview.take({
    ...interview.input,
    [key]: changed === "" ? lines.toSpliced(at, 1) : lines.toSpliced(at, 1, changed),
  });
}

/** The entry's place; one past the end for a new one. */
async function chooseEntry({ prompts }: Interview, labels: readonly string[]): Promise<number> {
  if (labels.length === 0) return 0;
  const choices = labels.map((label, index) => ({ value: String(index), label }));
  const answer = await prompts.choose("Which one?", [
    ...choices,
    { value: String(labels.length), label: "a new one" },
  ]);
  return Number(answer);
}
