/** What stands at a path now, in the work tree or in a commit. */
import { hashObject } from "../../git/object.js";
import type { Budget } from "../budget.js";
import type { Facts } from "../facts.js";

export type Place =
  /** `oid` is that of the bytes found; what git would store may differ in the work tree. */
  | { kind: "file"; path: string; oid: string; content: Uint8Array | null }
  /** `oid` is null in the work tree: a folder has none until it is stored. */
  | { kind: "folder"; path: string; oid: string | null }
  | { kind: "missing" }
  /** `here`: there is a file all the same. */
  | { kind: "unreadable"; note: string; here: boolean };

/** Bytes; larger files are not hashed on a read. */
const MAX_FILE = 64 * 1024 * 1024;
/** Bytes of paths on one command line. */
const MAX_ARGUMENTS = 64 * 1024;

const NOTES = {
  outside: "leads out of the repository",
  special: "no regular file, or not downloaded",
} as const;

/** git gives up on content that would have to be downloaded. */
const NOT_HERE = { kind: "special", resolved: null } as const;

/** Each path's place; no process in a work tree, two or three for a commit. */
export async function lookAt(
  paths: readonly string[],
  facts: Facts,
  budget: Budget,
): Promise<Map<string, Place>> {
  if (facts.commit !== null) return lookInCommit(paths, facts.commit, facts, budget);
  const places = await Promise.all(
    paths.map(async (path): Promise<[string, Place]> => {
      const { kind, size, resolved } = await facts.tree.stat(path);
      if (kind === "missing") return [path, { kind }];
      if (kind === "folder") return [path, { kind, path: resolved ?? path, oid: null }];
      if (kind !== "file") return [path, { kind: "unreadable", note: NOTES[kind], here: false }];
      if (size > MAX_FILE) return [path, { kind: "unreadable", note: "larger than 64 MiB", here: true }];
      const content = await facts.tree.read(path);
      if (content === null) return [path, { kind: "unreadable", note: "cannot be read", here: true }];
      const oid = hashObject("blob", content, facts.repository.objectFormat);
      return [path, { kind, path: resolved ?? path, oid, content }];
    }),
  );
  return new Map(places);
}

async function lookInCommit(
  paths: readonly string[],
  commit: string,
  facts: Facts,
  budget: Budget,
): Promise<Map<string, Place>> {
  const entries = await listPaths(paths, commit, budget);
  const places = new Map<string, Place>();
  const elsewhere = new Map<string, string>();
  for (const path of paths) {
    const entry = entries?.get(path);
    if (entry) places.set(path, entry);
    else {
      // Behind a link, or nowhere.
      const { kind, resolved } = await facts.tree.stat(path).catch(() => NOT_HERE);
      if (kind === "missing") places.set(path, { kind });
      else if (resolved === null) {
        const note = kind === "outside" ? NOTES.outside : NOTES.special;
        places.set(path, { kind: "unreadable", note, here: false });
      } else elsewhere.set(path, resolved);
    }
  }
  const targets = elsewhere.size > 0 ? await listPaths([...elsewhere.values()], commit, budget) : null;
  for (const [path, resolved] of elsewhere) {
    places.set(path, targets?.get(resolved) ?? { kind: "unreadable", note: NOTES.special, here: false });
  }
  return places;
}

/** Entries of a commit's tree by path; links are left out. Null where git cannot read the tree. */
async function listPaths(
  paths: readonly string[],
  commit: string,
  budget: Budget,
): Promise<Map<string, Place> | null> {
  const found = new Map<string, Place>();
  for (const some of byLength(paths)) {
    const answer = await budget.ask(["ls-tree", "-t", "-z", "--full-tree", commit, "--", ...some]);
    if (answer.code !== 0) return null;
    for (const row of answer.stdout.toString("utf8").split("\0")) {
      const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
      if (oid === undefined || path === undefined || mode === "120000") continue;
      const folder = mode === "040000" || mode === "160000";
      found.set(path, folder ? { kind: "folder", path, oid } : { kind: "file", path, oid, content: null });
    }
  }
  return found;
}

function byLength(paths: readonly string[]): string[][] {
  const slices: string[][] = [[]];
  let length = 0;
  for (const path of paths) {
    length += path.length * 3 + 1;
    if (length > MAX_ARGUMENTS) {
      slices.push([]);
      length = path.length * 3 + 1;
    }
    slices.at(-1)?.push(path);
  }
  return slices.filter((slice) => slice.length > 0);
}
