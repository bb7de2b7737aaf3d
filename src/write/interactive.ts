/** The write flow at a terminal. Source: the park document, steps 1 to 9. */
import type { Args, Context } from "../context.js";
import type { Delivery } from "../document/types.js";
import type { Repository } from "../git/repository.js";
import type { Item } from "../store/types.js";

export interface InteractiveWrite {
  args: Args;
  context: Context;
  repository: Repository;
  branch: string;
  delivery: Delivery;
}

export async function writeInteractively(write: InteractiveWrite): Promise<number> {
  throw new Error(`not built yet ${write.branch}`);
}

export async function askExisting(
  open: readonly Item[],
  _context: Context,
): Promise<"append" | "overwrite" | "abort"> {
  throw new Error(`not built yet ${open.length}`);
}
