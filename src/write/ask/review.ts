/** The whole document is shown, and written only when approved. Source: the park document, step 6. */

import type { Context } from "../../context.js";
import { oneLine } from "../../document/strip.js";
import { NegativeError, UsageError } from "../../errors.js";
import { editContent } from "../edit.js";
import { lessonsFile } from "../lessons.js";
import { make } from "../making.js";
import { editField } from "./fields.js";
import type { Interview } from "./interview.js";

/** The warnings that were shown, once approved; null when the person wants nothing written. */
export async function review(interview: Interview, context: Context): Promise<string[] | null> {
  const { prompts } = interview;
  for (;;) {
    const told = await show(interview);
    const answer = await prompts.key(told === null ? "It cannot be written as it is." : "Write it?", [
      ...(told === null ? [] : [{ value: "y" as const, label: "yes, write it" }]),
      { value: "e" as const, label: "edit a field, or all in the editor" },
      { value: "x" as const, label: "abort without writing" },
    ]);
    if (answer === "x") return null;
    if (answer === "y" && told !== null) return told;
    await edit(interview, context);
  }
}

/** Shows the document as it would be stored; null when it cannot be. */
async function show(interview: Interview): Promise<string[] | null> {
  await interview.lookAgain();
  const { prompts, making, content, open, input } = interview;
  try {
    const prepared = await make(making, content, content.mode === "write" ? [] : open);
    prompts.show(`\n${new TextDecoder().decode(prepared.bytes)}`);
    for (const warning of prepared.warnings) prompts.warn(oneLine(warning));
    const lessons = input.lessons ?? [];
    if (lessons.length > 0) {
      const path = oneLine(await lessonsFile(making.repository));
      prompts.say(`Lessons for ${path}:\n${lessons.map((lesson) => `- ${oneLine(lesson)}`).join("\n")}`);
    }
    return prepared.warnings;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const line of error.message.split("\n")) prompts.warn(oneLine(line));
    return null;
  }
}

async function edit(interview: Interview, context: Context): Promise<void> {
  if ((await editField(interview)) !== "editor") return;
  const { prompts, making, open } = interview;
  try {
    const again = async (problems: readonly string[]) => {
      for (const problem of problems) prompts.warn(problem);
      return prompts.confirm("Edit it again?", true);
    };
    const { content } = await editContent(interview.content, { making, open, context, again });
    interview.content = content;
    await interview.save();
  } catch (error) {
    // An emptied or unusable text leaves the document as it was before.
    if (!(error instanceof NegativeError)) throw error;
    prompts.warn(oneLine(error.message));
  }
}
