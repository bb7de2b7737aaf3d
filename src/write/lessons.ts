/** Lessons about how to work, which belong to no single handoff. Source: the park document, pre-queue filter. */
import { mkdir, open, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { redactText } from "../document/redact.js";
import { localTime } from "../document/time.js";
import { FatalError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import type { RedactionFor } from "./redaction.js";

const TITLE = "# Lessons\n\n";

/** `handoff.lessons` (from the top of the work tree; `~/` is the home folder), else a file that all worktrees share. */
export async function lessonsFile(repository: Repository): Promise<string> {
  const { commonDir, workTree } = repository.info;
  const configured = (await repository.config()).get("handoff.lessons");
  if (!configured) return join(commonDir, "handoff", "lessons.md");
  const home = repository.env.HOME || homedir();
  return resolve(workTree ?? commonDir, configured.replace(/^~(?=\/)/, home));
}

/** One entry: date, branch, text; further lines of the text are indented below it. */
export function formatLesson(text: string, branch: string, now: Date): string {
  const lines = text.trim().split(/\r?\n/);
  return `- ${localTime(now).slice(0, 10)} ${branch}: ${lines.join("\n  ")}\n`;
}

export interface Noted {
  /** The lessons file. */
  path: string;
  count: number;
  warnings: string[];
}

export interface NotedAt {
  branch: string;
  now: Date;
  redaction: RedactionFor;
}

/** The handoff stands by now: lessons that cannot be noted are told, and shown, but are no failure. */
export async function noteSafely(
  repository: Repository,
  lessons: readonly string[],
  at: NotedAt,
): Promise<Noted> {
  try {
    return await noteLessons(repository, lessons, at);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { path: "", count: 0, warnings: [`${why}; not noted: ${lessons.join("; ")}`] };
  }
}

/** Adds lessons to the file, each without secrets. Throws FatalError when it cannot be written. */
export async function noteLessons(
  repository: Repository,
  lessons: readonly string[],
  { branch, now, redaction }: NotedAt,
): Promise<Noted> {
  const path = await lessonsFile(repository);
  const redacted = await Promise.all(
    lessons.map(async (lesson) => redactText(lesson, { ...(await redaction(lesson)), place: "lesson" })),
  );
  const entries = redacted.map(({ text }) => formatLesson(text, branch, now)).join("");
  if (entries !== "") await append(path, entries);
  return { path, count: lessons.length, warnings: redacted.flatMap(({ warnings }) => warnings) };
}

async function append(path: string, entries: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, TITLE, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const file = await open(path, "a+");
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      // One write: what others add at the same moment stays whole.
      await file.appendFile(size > 0 && last.toString() !== "\n" ? `\n${entries}` : entries);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new FatalError(`cannot write the lessons to '${path}': ${(error as Error).message}`);
  }
}
