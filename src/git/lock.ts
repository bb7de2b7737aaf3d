/** git's own locks: a file named `<path>.lock` that only one can create. */

import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, type Files } from "./files.js";
import { RefUpdateError, UnsupportedRepositoryError } from "./port.js";

/** Milliseconds to wait for another's lock. */
const LOCK_WAIT = 3000;

/** Takes `<path>.lock`, making its folders. Throws RefUpdateError when it stays another's, or cannot be made. */
export async function takeLock(files: Files, path: string): Promise<string> {
  const lock = `${path}.lock`;
  const deadline = Date.now() + LOCK_WAIT;
  for (let pause = 1; ; pause = Math.min(pause * 2, 100)) {
    try {
      if (await files.create(lock, "")) return lock;
    } catch (error) {
      if (error instanceof UnsupportedRepositoryError) throw error;
      // No folder yet, or it was removed by somebody else between our mkdir and our create.
      if (errorCode(error) !== "ENOENT") throw refusal(error, lock);
      await files.makeFolder(dirname(lock)).catch((reason: unknown) => {
        throw refusal(reason, lock);
      });
      if (Date.now() <= deadline) continue;
      throw refusal(error, lock);
    }
    if (Date.now() > deadline) {
      throw new RefUpdateError(
        `Unable to create '${lock}': File exists; remove it if no git process is running`,
      );
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

function refusal(error: unknown, lock: string): RefUpdateError {
  const message = error instanceof Error ? error.message : String(error);
  return new RefUpdateError(`Unable to create '${lock}': ${message}`);
}
