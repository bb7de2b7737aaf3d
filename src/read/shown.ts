/**
 * Remembers, in the user's state folder, that a session start was answered, so that two hosts' settings which
 * overlap show a handoff once. Reading never writes into a repository. On the hot path.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Milliseconds within which a second call counts as the same start: the timeout that our hooks are given. */
export const SAME_START = 5_000;
const FORGET = 86_400_000;

/** The user's own state folder for this program. Throws where there is neither XDG_STATE_HOME nor a home. */
export function stateFolder(env: Readonly<NodeJS.ProcessEnv>): string {
  const base = env.XDG_STATE_HOME?.startsWith("/") ? env.XDG_STATE_HOME : null;
  return join(base ?? join(env.HOME || homedir(), ".local", "state"), "git-handoff");
}

/**
 * True when this start (same session, same source, within SAME_START) was already answered; records it
 * otherwise. Of calls at the same moment exactly one gets false. Unacknowledged inbox items are to be shown
 * all the same. Never throws: what cannot be remembered is shown.
 */
export function alreadyShown(
  start: { sessionId: string | null; source: string },
  env: Readonly<NodeJS.ProcessEnv>,
  now: number,
): boolean {
  if (start.sessionId === null) return false;
  try {
    const folder = join(stateFolder(env), "shown");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, keyOf(`${start.sessionId}\0${start.source}`));
    if (claim(path, now)) {
      forgetOld(folder, now);
      return false;
    }
    if (Math.abs(now - statSync(path).mtimeMs) < SAME_START) return true;
    // Of several that find an old mark only the one that moves it away shows.
    const old = `${path}.${randomUUID()}`;
    if (!moveAway(path, old)) return true;
    const isOld = Math.abs(now - statSync(old).mtimeMs) >= SAME_START;
    unlinkSync(old);
    return !claim(path, now) || !isOld;
  } catch {
    return false;
  }
}

/** Bytes that are a name as they are, in hexadecimal. */
const MAX_KEY = 100;

/** A file's name for any text. Loading `crypto` takes a fifth of Node's own start, so only what is too long is hashed. */
function keyOf(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= MAX_KEY ? bytes.toString("hex") : createHash("sha256").update(bytes).digest("hex");
}

/** Leaves a mark of this time; false when there is one. */
function claim(path: string, now: number): boolean {
  try {
    const mark = openSync(path, "wx", 0o600);
    futimesSync(mark, now / 1000, now / 1000);
    closeSync(mark);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

function moveAway(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

function forgetOld(folder: string, now: number): void {
  for (const name of readdirSync(folder).slice(0, 50)) {
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > FORGET) unlinkSync(path);
  }
}
