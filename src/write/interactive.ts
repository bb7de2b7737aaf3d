/** The write flow at a terminal. Source: the park document, steps 1 to 9. */
import type { Context } from "../context.js";
import { oneLine } from "../document/strip.js";
import { NegativeError } from "../errors.js";
import type { Item } from "../store/types.js";
import { askDone, askImpact, askLines, askState, askUnresolved } from "./ask/details.js";
import { DraftFile } from "./ask/draft.js";
import { askMode } from "./ask/existing.js";
import { askGoal, askIntent } from "./ask/fields.js";
import { Interview } from "./ask/interview.js";
import { openPrompts } from "./ask/open.js";
import { Interrupted, type Prompts } from "./ask/prompts.js";
import { askRejections } from "./ask/rejections.js";
import { review } from "./ask/review.js";
import { askWatch } from "./ask/watch.js";
import type { Making } from "./making.js";
import { type Content, contentOf, type WriteMode } from "./prepare.js";
import { readableIds } from "./record.js";

export interface Asked {
  content: Content;
  /** As things stood when the document was approved. */
  making: Making;
  /** Warnings that were shown. */
  told: string[];
  draft: DraftFile;
}

/**
 * Asks everything. Throws NegativeError when the person wants nothing written, Interrupted when they leave;
 * then a draft waits, if there was anything to keep.
 */
export async function interview(
  begin: () => Promise<Making>,
  open: readonly Item[],
  mode: WriteMode,
  context: Context,
): Promise<Asked> {
  const making = await begin();
  const { commonDir } = making.repository.info;
  const draft = DraftFile.of(commonDir, making, context.env, making.redaction);
  const prompts = await openPrompts(context);
  const asking = new Interview(prompts, making, begin, open, contentOf({}, mode), draft);
  try {
    await sayPlace(making, prompts);
    await goOnFrom(draft, asking);
    await askExisting(asking);
    await askContent(asking);
    const told = await review(asking, context);
    if (told === null) {
      await draft.remove();
      throw new NegativeError("Nothing written.");
    }
    const approved = asking.content.mode === "write" ? null : readableIds(open);
    return { content: { ...asking.content, approved }, making: asking.making, told, draft };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const kept = await asking.save();
    prompts.say(kept ? "Stopped; the answers so far are offered again next time." : "Stopped.");
    throw error;
  } finally {
    prompts.close();
  }
}

/** Source: the park document, step 1. */
async function sayPlace({ place, branch, delivery }: Making, prompts: Prompts): Promise<void> {
  const whom = delivery === "pushed" ? "An inbox handoff for" : "A handoff for";
  const what = branch === "HEAD" ? "this repository" : oneLine(branch);
  const files = place.dirtyFiles.length;
  const dirty = files > 0 ? `, ${files} changed ${files === 1 ? "file" : "files"} not committed` : "";
  const at = place.git === "none" ? "before the first commit" : `at ${shortPlace(place.git)}`;
  prompts.say(`${whom} ${what}, ${at}${dirty}.`);
}

function shortPlace(git: string): string {
  return oneLine(git)
    .replace(/ \(dirty\)$/, "")
    .replace(/(?<=@ [0-9a-f]{12})[0-9a-f]+$/, "");
}

async function goOnFrom(draft: DraftFile, asking: Interview): Promise<void> {
  const left = await draft.load();
  if (left === null) return;
  const intent = oneLine(left.content.input.intent ?? "without an intent yet");
  const answer = await asking.prompts.choose(
    `A draft of ${oneLine(left.saved).slice(0, 16)} is here: ${intent}`,
    [
      { value: "go-on", label: "go on with it" },
      { value: "discard", label: "discard it and start anew" },
    ],
  );
  if (answer === "discard") return draft.remove();
  asking.content = left.content;
  asking.pending = left.pending;
  for (const step of left.answered) asking.answered.add(step);
}

/** Asked again for a draft: what is open may be another one by now. */
async function askExisting(asking: Interview): Promise<void> {
  const { open, content, prompts } = asking;
  const { carried } = content;
  const same = content.mode !== "write" && carried.every((id) => open.some((item) => item.id === id));
  if (open.length === 0) asking.content = { ...content, mode: "write" };
  else if (!same || content.mode === "write") {
    const mode = await askMode(open, prompts);
    if (mode === null) throw new NegativeError("Nothing written.");
    asking.content = { ...content, mode };
  }
}

async function askContent(asking: Interview): Promise<void> {
  const journal = asking.making.delivery === "pulled";
  await asking.step("intent", () => askIntent(asking));
  if (!journal) await asking.step("impact", () => askImpact(asking));
  await asking.step("goal", () => askGoal(asking));
  await asking.step("rejections", () => askRejections(asking));
  await asking.step("state", () => askState(asking));
  await asking.step("next", () => askLines(asking, "next", "Next steps: what comes first?", "And then?"));
  await asking.step("pointers", () =>
    askLines(asking, "pointers", "Pointers: which path or URL is worth opening?", "Another one?"),
  );
  await asking.step("done", () => askDone(asking));
  await asking.step("unresolved", () => askUnresolved(asking));
  await asking.step("watch", () => askWatch(asking));
}
