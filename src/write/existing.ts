/** What to do with a branch's open handoffs when a new one is written. */
import type { Context } from "../context.js";
import { NegativeError } from "../errors.js";
import { OpenHandoffError } from "../store/errors.js";
import type { Item } from "../store/types.js";
import type { WriteMode } from "./prepare.js";

/**
 * `write` when nothing is open. A person is offered append, overwrite or abort; a program has to say
 * which: OpenHandoffError. Source: the park document, step 2.
 */
export async function chooseMode(
  items: readonly Item[],
  branch: string,
  context: Context,
): Promise<WriteMode> {
  const open = items.filter((item) => item.state === "open");
  if (open.length === 0) return "write";
  if (context.stdin.isTTY !== true || context.stderr.isTTY !== true) throw new OpenHandoffError(branch, open);
  const { askExisting } = await import("./interactive.js");
  const choice = await askExisting(open, context);
  if (choice === "abort") throw new NegativeError("Nothing written.");
  return choice === "append" ? "append" : "supersede";
}
