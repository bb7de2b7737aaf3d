/** Looking at evidence without git: that it is there, not what git would store of it. */
import type { StoragePort } from "../git/port.js";
import { parseEvidence } from "../verify/evidence.js";
import type { Observe } from "../write/compose.js";

/** What is asked of an `fs.promises`. */
export interface Files {
  readFile(path: string): Promise<Uint8Array>;
  stat(path: string): Promise<unknown>;
  lstat(path: string): Promise<{ isSymbolicLink(): boolean; isDirectory(): boolean }>;
}

const NEWLINE = 10;

/**
 * Sees paths below `top` (null: a bare repository has none), lines and commits by their whole id. No object id
 * is given for a path: conversions and filters are git's to apply, and a wrong one would later look like a change.
 */
export function observer(files: Files, top: string | null, port: StoragePort): Observe {
  const absent = (note: string) => ({ exists: false, oid: null, note });
  return async (text) => {
    const evidence = parseEvidence(text);
    if (evidence.kind === "none") return absent(evidence.note);
    if (evidence.kind === "url") return { exists: true, oid: null, note: null };
    if (evidence.kind === "commit") {
      if (evidence.commit.length < 40) return absent("give the commit's whole id");
      const found = (await port.read([evidence.commit])).get(evidence.commit);
      return found?.type === "commit"
        ? { exists: true, oid: found.oid, note: null }
        : absent("no such commit here");
    }
    if (top === null) return absent("a bare repository has no files");
    const kind = await kindOf(files, top, evidence.path);
    if (kind === null) return absent("no such file");
    if (kind === "link") return absent("leads over a symbolic link");
    if (evidence.kind === "path") return { exists: true, oid: null, note: null };
    if (kind === "folder") return absent("a folder has no lines");
    const count = countLines(await files.readFile(`${top}/${evidence.path}`));
    return evidence.to <= count ? { exists: true, oid: null, note: null } : absent(`has only ${count} lines`);
  };
}

/** Each step of the path is looked at, so that no link leads out of the work tree. */
async function kindOf(files: Files, top: string, path: string): Promise<"file" | "folder" | "link" | null> {
  let at = top;
  let kind: "file" | "folder" = "folder";
  for (const part of path.split("/")) {
    at = `${at}/${part}`;
    const stat = await files.lstat(at).catch(() => null);
    if (stat === null) return null;
    if (stat.isSymbolicLink()) return "link";
    kind = stat.isDirectory() ? "folder" : "file";
  }
  return kind;
}

function countLines(content: Uint8Array): number {
  const ends = content.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
  return content.length > 0 && content.at(-1) !== NEWLINE ? ends + 1 : ends;
}
