/** From the files and folders a user names to the handoff files in them. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { evidenceFolder, saysEvidence } from "./evidence.js";
import { placeOf } from "./inbox.js";
import { readSource } from "./source-file.js";

/** Folders below the one named; no layout is deeper. */
const MAX_DEPTH = 8;
/** Folders looked into; a home folder named by mistake ends here. */
const MAX_FOLDERS = 5_000;
const NOT_ENTERED = new Set([".git", "node_modules"]);

const MARKDOWN = /\.(?:md|markdown)$|\.md\.closed-[^/]*$/i;
/** About handoffs, and none. */
const NO_HANDOFF = /^(?:skill|readme)\.md$/i;
const ANY = /\.(?:md|markdown|ya?ml)$|\.md\.closed-[^/]*$|^handoff-\d{8}T.*\.json$/i;

export interface Found {
  /** Absolute, sorted within each folder, each once. */
  files: string[];
  /** `<path>: <why>` of what could not be looked into. */
  problems: string[];
}

/**
 * A file is taken as it is named. Of a folder: the known layouts in it at any depth; where there is none, the
 * Markdown and YAML files, and the evidence, that lie directly in it.
 */
export async function findFiles(paths: readonly string[], cwd: string): Promise<Found> {
  const files = new Set<string>();
  const problems: string[] = [];
  for (const path of paths) {
    const full = resolve(cwd, path);
    const isFolder = await stat(full).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) {
      files.add(full);
      continue;
    }
    const walk = new Walk();
    await walk.enter(full, 0);
    problems.push(...walk.problems);
    for (const file of walk.inLayout.length > 0 ? walk.inLayout : walk.direct) files.add(file);
  }
  return { files: [...files], problems };
}

class Walk {
  readonly inLayout: string[] = [];
  readonly direct: string[] = [];
  readonly problems: string[] = [];
  #folders = 0;

  async enter(folder: string, depth: number): Promise<void> {
    this.#folders += 1;
    if (this.#folders === MAX_FOLDERS + 1) {
      this.problems.push(`more than ${MAX_FOLDERS} folders: the rest is left out; name a smaller one`);
    }
    if (this.#folders > MAX_FOLDERS) return;
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      this.problems.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH && !NOT_ENTERED.has(entry.name)) await this.enter(path, depth + 1);
      } else if (isInLayout(path)) this.inLayout.push(path);
      // Links and FIFOs are named too, so that reading can say why they are left out.
      else if (depth === 0 && (ANY.test(entry.name) || (await isEvidenceFile(path)))) this.direct.push(path);
    }
  }
}

/** JSON of another name is a handoff only if it says so. */
async function isEvidenceFile(path: string): Promise<boolean> {
  if (!path.endsWith(".json")) return false;
  return readSource(path).then(
    ({ file }) => saysEvidence(file.text),
    () => false,
  );
}

function isInLayout(path: string): boolean {
  const name = basename(path);
  // Of any name: one that is not valid is then told, and not left without a word.
  if (evidenceFolder(path) !== null && name.endsWith(".json")) return true;
  if (!MARKDOWN.test(name) || NO_HANDOFF.test(name)) return false;
  return placeOf(path) !== null || basename(dirname(path)) === "handoff";
}
