/**
 * What a check may look at: one tree (the work tree, or a commit's) and one repository, both read-only.
 * Verdicts take these and nothing else, so the same check serves the checked-out branch, another branch's
 * commit, a bare repository and an origin on this machine.
 */
import type { RepositoryInfo, RunGit } from "../git/process.js";

export type PathKind = "file" | "folder" | "missing" | "outside" | "special";

export interface PathFact {
  kind: PathKind;
  /** Bytes; 0 for what is no file. */
  size: number;
  /** Owner-executable (work tree) or mode 100755 (commit). */
  executable: boolean;
  /** Path after symlinks, relative to the top; null when missing or outside. */
  resolved: string | null;
}

/** One tree of files. Paths are relative to the top, `/`-separated; symlinks are followed, never out. */
export interface FileTree {
  stat(path: string): Promise<PathFact>;
  /** Content of a regular file, or null when missing, outside or special. Callers check `size` first. */
  read(path: string): Promise<Uint8Array | null>;
  /** Regular files below a folder (symlinks and `.git` not followed), sorted, at most `limit`. */
  walk(path: string, limit: number): Promise<{ files: string[]; complete: boolean }>;
}

export interface Facts {
  tree: FileTree;
  /** null: asked of a checked-out work tree; else the commit whose tree is asked. */
  commit: string | null;
  /** The commit everything is compared with; null before the first commit. */
  head: string | null;
  repository: RepositoryInfo;
  /** Runs git with the safe options and environment of the read flow (git/safe.ts). */
  git: RunGit;
  /** Inside a git hook: nothing that may use the network. */
  hook: boolean;
  now: Date;
  /** Days. */
  maxAge: number;
  /** Milliseconds for one predicate. */
  predicateTimeout: number;
  /** Absolute time (ms, Date.now()) at which everything still open becomes cannot-evaluate. */
  deadline: number;
}
