/** What is to become of the handoff that is open. Source: the park document, step 2. */
import { oneLine } from "../../document/strip.js";
import type { Item } from "../../store/types.js";
import type { WriteMode } from "../prepare.js";
import type { Prompts } from "./prompts.js";

/** Null: the person wants neither. */
export async function askMode(open: readonly Item[], prompts: Prompts): Promise<WriteMode | null> {
  const named = open.map(({ id, document }) => {
    const { intent, author } = document?.meta ?? { intent: "(not readable)", author: "unknown" };
    return `${id}\n  ${oneLine(intent)} (${oneLine(author)})`;
  });
  prompts.say(`Open for this branch:\n${named.join("\n")}`);
  const choice = await prompts.choose("Go on from it?", [
    { value: "append", label: "append: keep what it says and add to it" },
    { value: "overwrite", label: "overwrite: replace it; it is closed and no longer surfaced" },
    { value: "abort", label: "abort: write nothing" },
  ]);
  return choice === "abort" ? null : choice === "append" ? "append" : "supersede";
}
