/** How messages name a handoff. */
import { oneLine } from "../document/strip.js";
import type { Item } from "../store/types.js";

export { summaryOf } from "../store/summary.js";

/** The intent on one line, safe to print. */
export function intentOf(item: Item): string {
  return item.headline ? oneLine(item.headline.intent) : "(not readable)";
}

/** Handle and intent, safe to print. */
export function nameOf(item: Item): string {
  return `${item.handle} ${intentOf(item)}`;
}
