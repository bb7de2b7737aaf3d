/** Where an exported file goes, by the rules of its format. */
import { mkdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { FatalError } from "../errors.js";
import { evidenceFolder } from "./evidence.js";
import type { ExportFormat } from "./types.js";

export interface Place {
  /** Absolute. */
  path: string;
  warnings: string[];
  /**
   * Is exactly this there already? Throws FatalError where another file of that name is: only one that the user
   * named himself is written over.
   */
  holds(bytes: Uint8Array): Promise<boolean>;
}

/**
 * `output` is a file, or a folder (one that is there, or a name that ends in `/`, which is made): then the file
 * gets the format's own name. Throws FatalError for the evidence format's legacy folder.
 */
export async function placeExport(
  output: string,
  name: string,
  options: { format: ExportFormat; pushed: boolean; cwd: string },
): Promise<Place> {
  const target = resolve(options.cwd, output);
  const isFolder = /[\\/]$/.test(output) || (await isDirectory(target));
  const folder = isFolder ? folderFor(target, options) : dirname(target);
  const path = isFolder ? join(folder, name) : target;
  if (options.format === "evidence") await refuseLegacy(path, output);
  if (isFolder) await mkdir(folder, { recursive: true });
  const wrong = options.format === "evidence" && basename(path) !== name;
  return {
    path,
    warnings: wrong ? [`readers of the format take it only under the name ${name}`] : [],
    holds: async (bytes) => {
      if (!isFolder && options.format !== "evidence") return false;
      const there = await readFile(path).catch(() => null);
      if (there === null) return false;
      if (there.equals(bytes)) return true;
      throw new FatalError(`'${path}' is there already and is another handoff`);
    },
  };
}

/** Pushed files lie below the journal's. Source: the inbox document, location. */
function folderFor(folder: string, { format, pushed }: { format: ExportFormat; pushed: boolean }): string {
  return format === "inbox" && pushed && basename(folder) === "handoffs" ? join(folder, "inbox") : folder;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Files in the earlier folder are evidence and stay as they are. Source: the evidence document. */
async function refuseLegacy(path: string, output: string): Promise<void> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  if (evidenceFolder(path) === "legacy" || evidenceFolder(join(folder, basename(path))) === "legacy") {
    throw new FatalError(
      `'${output}' is the format's legacy folder, which is read only: use .agents/ao/handoff`,
    );
  }
}
