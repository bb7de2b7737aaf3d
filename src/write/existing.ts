/** A branch's open handoffs, which a new one goes on from or replaces. */
import { readLive } from "../store/join.js";
import type { Item } from "../store/types.js";
import type { Making } from "./making.js";

/** Oldest first; none for an inbox handoff, which stands alone. */
export async function openHandoffsOf({
  repository,
  branch,
  delivery,
}: Pick<Making, "repository" | "branch" | "delivery">): Promise<Item[]> {
  if (delivery === "pushed") return [];
  const { items } = await readLive(repository.port(), branch);
  return items.filter((item) => item.state === "open").reverse();
}
