/**
 * Puts a git configuration file in place under git's own lock. The lock is made as a link to a draft that has
 * everything already, and becomes the file at once: a kill hardly ever leaves it behind, and where it does, the
 * draft beside it tells whose it was. Text is held one character a byte.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { FatalError } from "../errors.js";
import { isMissing } from "./files.js";

/**
 * Replaces `before` by `content`; false when the lock is another's or the file holds something else by now.
 * Throws FatalError when the lock cannot be made.
 */
export function replaceLocked(file: string, before: string, content: string): boolean {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.new`);
  try {
    writeSynced(draft, content, modeOf(file));
    sweep(file);
    if (!link(draft, `${file}.lock`)) return false;
    return putInPlace(file, before);
  } catch (error) {
    throw new FatalError(`could not lock config file ${file}: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function putInPlace(file: string, before: string): boolean {
  const lock = `${file}.lock`;
  try {
    if (readOrEmpty(file) === before) {
      renameSync(lock, file);
      return true;
    }
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
  rmSync(lock, { force: true });
  return false;
}

function writeSynced(path: string, content: string, mode: number): void {
  const descriptor = openSync(path, "w", mode);
  try {
    fchmodSync(descriptor, mode);
    writeSync(descriptor, content, null, "latin1");
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** False when there is one already. */
function link(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return false;
    // A file system without links.
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code)) return copy(draft, lock);
    throw error;
  }
}

function copy(draft: string, lock: string): boolean {
  try {
    copyFileSync(draft, lock, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Takes away drafts whose process has ended, and with them the lock that is the same file. */
function sweep(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(`.${basename(file)}.`)) continue;
    const pid = /\.([0-9]+)\.new$/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const draft = join(dirname(file), name);
    if (isSame(draft, `${file}.lock`)) rmSync(`${file}.lock`, { force: true });
    rmSync(draft, { force: true });
  }
}

function isSame(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function modeOf(file: string): number {
  try {
    return statSync(file).mode & 0o777;
  } catch {
    return 0o644;
  }
}

export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}
