/** Noting the lessons that came with a handoff, once that is stored. */
import { oneLine } from "../document/strip.js";
import { type Noted, noteLessons } from "../write/lessons.js";
import type { Making } from "../write/making.js";
import type { Context } from "./context.js";

/** The handoff stands by now: lessons that cannot be noted are told, and shown, but are no failure. */
export async function noteSafely(lessons: readonly string[], making: Making): Promise<Noted> {
  try {
    return await noteLessons(making.repository, lessons, making);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { path: "", count: 0, warnings: [`${why}; not noted: ${lessons.join("; ")}`] };
  }
}

export function sayNoted({ count, path }: Noted, context: Context): void {
  if (count === 0) return;
  const what = count === 1 ? "Lesson" : `${count} lessons`;
  context.stdout.write(`${what} noted in ${oneLine(path)}.\n`);
}
