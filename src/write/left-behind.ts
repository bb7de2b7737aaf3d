/**
 * Texts that were in the editor when the program was killed. While an editor has a text nothing can be taken out of
 * it, so none may stay: the next write keeps it without secrets, says where, and clears the place.
 */
import { mkdtempSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { redactText } from "../document/redact.js";
import type { Environment } from "../git/environment.js";
import type { Repository } from "../git/repository.js";
import { stateFolder } from "../read/shown.js";
import { keep } from "./kept.js";
import { type RedactionFor, redactionFor } from "./redaction.js";
import { parseTemplate, withoutComments } from "./template.js";

const PREFIX = "edit-";
export const EDITED = "HANDOFF_EDITMSG.md";
/** The processes that have the text: the program, then the editor it started. */
const HOLDERS = "holders";
/** Milliseconds after which another machine's, with which a home folder is shared, counts as left too. */
const LONG = 7 * 86_400_000;

/** A folder of its own for one text, in `parent`; only this user may look into it. */
export function editFolder(parent: string): string {
  return mkdtempSync(join(parent, `${PREFIX}${machine()}-`));
}

/** Says who has the text, so that another write leaves it alone. */
export async function hold(folder: string, processes: readonly number[]): Promise<void> {
  await writeFile(join(folder, HOLDERS), processes.join("\n"), { mode: 0o600 });
}

/** Clears what was left, keeping texts that say something; one line for each, telling where. Never throws. */
export async function clearLeft(repository: Repository, env: Environment): Promise<string[]> {
  const said: string[] = [];
  // Whatever the command at hand is told to keep: nobody looked at these.
  const redaction = redactionFor(repository, true);
  try {
    const parent = stateFolder(env);
    for (const name of await readdir(parent)) {
      if (!name.startsWith(PREFIX)) continue;
      const folder = join(parent, name);
      if (await isHeld(folder, name)) continue;
      const notice = await rescue(folder, env, redaction);
      if (notice !== null) said.push(notice);
    }
  } catch {
    // No state folder: nothing was left.
  }
  return said;
}

async function isHeld(folder: string, name: string): Promise<boolean> {
  const { mtimeMs } = await stat(folder);
  if (!name.startsWith(`${PREFIX}${machine()}-`)) return Date.now() - mtimeMs < LONG;
  const holders = await readFile(join(folder, HOLDERS), "utf8").catch(() => "");
  // Just made, and not yet said by whom.
  if (holders === "") return Date.now() - mtimeMs < 60_000;
  return holders.split("\n").some((pid) => isRunning(Number(pid)));
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function rescue(folder: string, env: Environment, redaction: RedactionFor): Promise<string | null> {
  const text = await readFile(join(folder, EDITED), "utf8").catch(() => "");
  if (!saysSomething(text)) {
    await rm(folder, { recursive: true, force: true });
    return null;
  }
  const bare = withoutComments(text);
  const redacted = await redactText(bare, await redaction(bare));
  const { mtime } = await stat(join(folder, EDITED));
  const name = `${mtime.toISOString().replace(/[-:]|\.\d+/g, "")}-left-in-the-editor`;
  const path = keep("edited", name, new TextEncoder().encode(redacted.text), env);
  if (path === null) return null;
  await rm(folder, { recursive: true, force: true });
  return `an earlier write was cut off in the editor; its text is kept in ${path}; to go on: git handoff write --edit --from ${path}`;
}

/** False for a template nobody filled in. */
function saysSomething(text: string): boolean {
  try {
    return Object.keys(parseTemplate(text)).length > 0;
  } catch {
    return true;
  }
}

/** This machine, as part of a file name. */
function machine(): string {
  return (
    hostname()
      .replace(/[^A-Za-z0-9]+/g, "")
      .slice(0, 32) || "local"
  );
}
