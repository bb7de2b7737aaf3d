/**
 * What was put into which settings file, kept in the user's state folder: our own text only, never the user's.
 * With it a removal is exact to the byte; without it (another machine, a change in between) it still works.
 */
import { join } from "node:path";
import type { Environment } from "../../git/environment.js";
import { stateFolder } from "../../read/shown.js";
import { digest, putFile, readIfThere, removeFile } from "../files.js";
import type { Piece } from "./json-text.js";

export interface Placed {
  /** The file did not exist before. */
  created: boolean;
  /** What went into the file and where. */
  pieces: Piece[];
  /** For a file of our own: its digest. */
  digest: string | null;
  /** Folders that were made for it, innermost first. */
  folders: string[];
}

function pathOf(file: string, env: Environment): string {
  return join(stateFolder(env as NodeJS.ProcessEnv), "agents", `${digest(file).slice(0, 32)}.json`);
}

/** Null where nothing (readable) was noted. */
export function readPlaced(file: string, env: Environment): Placed | null {
  try {
    const raw = JSON.parse(readIfThere(pathOf(file, env)) ?? "null") as Partial<Placed> | null;
    if (raw === null || typeof raw.created !== "boolean") return null;
    return {
      created: raw.created,
      pieces: Array.isArray(raw.pieces) ? raw.pieces.filter(isPiece) : [],
      digest: typeof raw.digest === "string" ? raw.digest : null,
      folders: Array.isArray(raw.folders) ? raw.folders.filter((folder) => typeof folder === "string") : [],
    };
  } catch {
    return null;
  }
}

function isPiece(value: unknown): value is Piece {
  const piece = value as Partial<Piece> | null;
  return typeof piece?.offset === "number" && typeof piece.text === "string";
}

/** Best effort: without a state folder removal is less exact. */
export function writePlaced(file: string, placed: Placed, env: Environment): void {
  try {
    putFile(pathOf(file, env), `${JSON.stringify(placed)}\n`, 0o600);
  } catch {}
}

export function forgetPlaced(file: string, env: Environment): void {
  try {
    removeFile(pathOf(file, env));
  } catch {}
}
