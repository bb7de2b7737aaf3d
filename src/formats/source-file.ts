/** Reading a file that may be anything: never followed, never waited for, never changed. */
import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { basename } from "node:path";
import { MAX_DOCUMENT_BYTES } from "../document/frontmatter.js";
import { NotTaken, type SourceFile } from "./types.js";

/**
 * The file's text and what was odd about it. Throws NotTaken for what is no regular file, is empty, larger than
 * a document may be, binary, or cannot be read.
 */
export async function readSource(path: string): Promise<{ file: SourceFile; warnings: string[] }> {
  return decodeSource(path, await readBytes(path));
}

/** The same of bytes that were read. */
export function decodeSource(path: string, bytes: Uint8Array): { file: SourceFile; warnings: string[] } {
  const { text, warnings } = decodeText(bytes);
  if (text.trim() === "") throw new NotTaken("empty");
  const lines = text.replace(/\r\n?/g, "\n");
  if (lines !== text) warnings.push("its line ends (CR) are stored as LF");
  return { file: { path, name: basename(path), text: lines }, warnings };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) throw new NotTaken("a symbolic link, which is not followed: name its target");
    if (!found.isFile()) throw new NotTaken("not a regular file");
    // Not blocking: it may have become a FIFO in between.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      if (size > MAX_DOCUMENT_BYTES) throw new NotTaken(`larger than 1 MiB (${size} bytes)`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof NotTaken) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new NotTaken("no such file");
    if (code === "EACCES" || code === "EPERM") throw new NotTaken("permission denied");
    throw new NotTaken(`cannot be read: ${message}`);
  }
}

/** Text of bytes in whatever encoding; no byte is lost. Throws NotTaken for binary content. */
function decodeText(bytes: Uint8Array): { text: string; warnings: string[] } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const text = new TextDecoder(first === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
    return { text, warnings: ["UTF-16; stored as UTF-8"] };
  }
  if (bytes.includes(0)) throw new NotTaken("binary");
  const warnings =
    first === 0xef && second === 0xbb && bytes[2] === 0xbf ? ["begins with a BOM; left out"] : [];
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), warnings };
  } catch {
    // Every byte is some character there, so nothing is lost.
    const text = new TextDecoder("windows-1252").decode(bytes);
    return { text, warnings: [...warnings, "not valid UTF-8; read as Windows-1252"] };
  }
}
