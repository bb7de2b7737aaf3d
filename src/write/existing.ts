/** A branch's open handoffs, which a new one goes on from or replaces. */
import { readLive } from "../store/join.js";
import { isSkipped } from "../store/skipped.js";
import type { Item } from "../store/types.js";
import type { Making } from "./making.js";

type Standing = Pick<Making, "repository" | "branch" | "delivery">;

/** Oldest first, without those that cannot be read; none for an inbox handoff, which stands alone. */
export async function openHandoffsOf(standing: Standing): Promise<Item[]> {
  return (await standingHandoffs(standing)).open;
}

/** The same, and what of it is skipped. */
export async function standingHandoffs({
  repository,
  branch,
  delivery,
}: Standing): Promise<{ open: Item[]; skipped: Item[] }> {
  if (delivery === "pushed") return { open: [], skipped: [] };
  const { items } = await readLive(repository.port(), branch);
  const open = items.filter((item) => item.state === "open").reverse();
  return { open: open.filter((item) => !isSkipped(item)), skipped: open.filter(isSkipped) };
}
