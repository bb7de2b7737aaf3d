/** The document in the user's editor, as `git commit` does it. */
import type { Context } from "../context.js";
import type { Repository } from "../git/repository.js";
import type { Surroundings } from "./compose.js";
import type { HandoffInput } from "./input.js";

export async function editInput(
  input: HandoffInput,
  editing: { context: Context; repository: Repository; place: Surroundings },
): Promise<HandoffInput> {
  throw new Error(`not built yet ${editing.place.branch} ${input.intent}`);
}
