/** Puts an agent's entry, skill and extension on disk and takes them off again. */
import { mkdirSync, readdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../../git/environment.js";
import { digest, isThere, putFile, readIfThere, removeFile } from "../files.js";
import { cutPieces, type Piece } from "./json-text.js";
import { forgetPlaced, readPlaced, writePlaced } from "./record.js";
import { addEntry, type Entry, hasEntry, isSkeleton, removeEntry } from "./settings.js";

/** What became, or with `dry` would become, of one file. */
export interface Change {
  path: string;
  action: "written" | "unchanged" | "removed" | "kept";
  /** The whole new text; null when the file goes or stays. */
  text: string | null;
  note: string | null;
}

export interface PlaceOptions {
  env: Environment;
  /** Only say what would be done. */
  dry: boolean;
}

/** Throws SettingsError when the file is no valid JSON or has something else in our entry's place. */
export function placeEntry(path: string, entry: Entry, { env, dry }: PlaceOptions): Change {
  const before = readIfThere(path);
  const added = addEntry(before ?? "", entry);
  if (added === null) return { path, action: "unchanged", text: null, note: null };
  const { text, pieces } = added;
  if (!dry) {
    const folders = makeFolders(dirname(path));
    writePlaced(path, { created: before === null, pieces, digest: null, folders }, env);
    replace(path, text);
  }
  return { path, action: "written", text, note: null };
}

/** Takes the entry out; the file goes with it where it was made for the entry and holds nothing else. */
export function takeEntry(path: string, entry: Entry, { env, dry }: PlaceOptions): Change {
  const before = readIfThere(path);
  if (before === null || !hasEntry(before, entry))
    return { path, action: "unchanged", text: null, note: null };
  const placed = readPlaced(path, env);
  const text = exactly(before, placed?.pieces ?? [], entry) ?? removeEntry(before, entry);
  if ((placed === null || placed.created) && isSkeleton(text, entry)) {
    if (!dry) {
      removeFile(path);
      removeFolders(placed?.folders ?? []);
      forgetPlaced(path, env);
    }
    return { path, action: "removed", text: null, note: null };
  }
  if (!dry) {
    replace(path, text);
    forgetPlaced(path, env);
  }
  return { path, action: "written", text, note: null };
}

/** A whole file of ours. One that somebody wrote or changed stays. */
export function placeFile(path: string, text: string, { env, dry }: PlaceOptions): Change {
  const before = readIfThere(path);
  if (before === text) return { path, action: "unchanged", text: null, note: null };
  if (before !== null && readPlaced(path, env)?.digest !== digest(before)) {
    return { path, action: "kept", text: null, note: "another file is there; it stays as it is" };
  }
  if (!dry) {
    const earlier = readPlaced(path, env)?.folders ?? [];
    const folders = [...makeFolders(dirname(path)), ...earlier];
    writePlaced(path, { created: true, pieces: [], digest: digest(text), folders }, env);
    replace(path, text);
  }
  return { path, action: "written", text, note: null };
}

export function takeFile(path: string, text: string, { env, dry }: PlaceOptions): Change {
  const before = readIfThere(path);
  if (before === null) return { path, action: "unchanged", text: null, note: null };
  const placed = readPlaced(path, env);
  if (before !== text && placed?.digest !== digest(before)) {
    return { path, action: "kept", text: null, note: "it was changed since it was installed" };
  }
  if (!dry) {
    removeFile(path);
    removeFolders(placed?.folders ?? [dirname(path)]);
    forgetPlaced(path, env);
  }
  return { path, action: "removed", text: null, note: null };
}

/** What was put in cut out, where it still stands as it was put; null where somebody changed that place. */
function exactly(before: string, pieces: readonly Piece[], entry: Entry): string | null {
  const cut = cutPieces(before, pieces);
  try {
    return cut === null || hasEntry(cut, entry) ? null : cut;
  } catch {
    return null;
  }
}

/** Through a link into the file it leads to, with that file's mode. */
function replace(path: string, text: string): void {
  const real = isThere(path) ? realpathSync(path) : path;
  putFile(real, text, isThere(real) ? statSync(real).mode & 0o7777 : 0o644);
}

/** Makes a folder; returns the ones that were not there, innermost first. */
function makeFolders(folder: string): string[] {
  const made: string[] = [];
  for (let at = folder; !isThere(at); at = dirname(at)) made.push(at);
  mkdirSync(folder, { recursive: true });
  return made;
}

function removeFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      if (readdirSync(folder).length > 0) return;
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}
