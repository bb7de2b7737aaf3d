/**
 * Locks on handoff refs that a killed git left behind. git takes none away by itself; these refs are written by
 * this program and by fetches alone, each within milliseconds, so that one which nobody touches for long has
 * no owner any more. What guards other things too (`config.lock`, `packed-refs.lock`) is left to the user.
 */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Milliseconds of watching. Not the file's age: that also grows while a laptop sleeps, and its owner goes on
 * afterwards.
 */
const WATCH = 10_000;
const STEP = 200;

const OURS = /^refs\/handoff(?:-remotes)?\//;

/** The lock files of these refs; only of handoff refs. */
export function locksOf(commonDir: string, refs: readonly string[]): string[] {
  return refs.filter((ref) => OURS.test(ref)).map((ref) => join(commonDir, `${ref}.lock`));
}

/** Every lock file below `refs/handoff-remotes/`. */
export function trackingLocks(commonDir: string): string[] {
  const folder = join(commonDir, "refs/handoff-remotes");
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".lock")).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/**
 * Waits until each of these locks is gone or was left untouched for ten seconds, and removes the latter. Returns
 * the removed ones; null when there was nothing to wait for.
 */
export async function removeLeftLocks(locks: readonly string[]): Promise<string[] | null> {
  const watched = locks.flatMap((lock) => {
    const state = stateOf(lock);
    return state === null ? [] : [{ lock, state }];
  });
  if (watched.length === 0) return null;
  const end = Date.now() + WATCH;
  const untouched = () => watched.filter(({ lock, state }) => stateOf(lock) === state);
  while (Date.now() < end && untouched().length > 0) await sleep(STEP);
  return untouched().map(({ lock }) => {
    rmSync(lock, { force: true });
    return lock;
  });
}

export function leftLockNotice(lock: string): string {
  return `removed a lock that a killed git left behind: ${lock}`;
}

function stateOf(lock: string): string | null {
  try {
    const { ino, mtimeMs, size } = lstatSync(lock);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return null;
  }
}
