/** Writing a document to a file of the caller's choice instead of a ref. */
import { randomBytes } from "node:crypto";
import { open, readFile, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { FatalError } from "../errors.js";

/**
 * Writes the bytes beside `path`, puts them in place by rename and reads them back. Throws FatalError when
 * anything fails; there is no other place to fall back to. Source: the evidence document, readback.
 */
export async function writeOutput(
  path: string,
  bytes: Uint8Array,
  cwd: string,
  readBack: (path: string) => Promise<Buffer> = readFile,
): Promise<string> {
  const target = resolve(cwd, path);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const there = await stat(target).catch(() => null);
    if (there?.isDirectory()) throw new Error("is a folder");
    // Put in place by rename, it would take the place of /dev/null itself where the user may do that.
    if (there && !there.isFile()) throw new Error("is no regular file");
    const file = await open(temporary, "wx", 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    const back = await readBack(target);
    if (!back.equals(Buffer.from(bytes))) throw new Error("read back differently than it was written");
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw new FatalError(`cannot write '${path}': ${reason(error)}`);
  }
  return target;
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return "no such folder";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "ENOSPC") return "no space left on device";
  return message;
}
