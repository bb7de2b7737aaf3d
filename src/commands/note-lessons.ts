/** Saying that the lessons that came with a handoff were noted. */
import { oneLine } from "../document/strip.js";
import type { Noted } from "../write/lessons.js";
import type { Context } from "./context.js";

export function sayNoted({ count, path }: Noted, context: Context): void {
  if (count === 0) return;
  const what = count === 1 ? "Lesson" : `${count} lessons`;
  context.stdout.write(`${what} noted in ${oneLine(path)}.\n`);
}
