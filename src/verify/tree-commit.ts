/** A commit's tree as a FileTree. */
import type { RunGit } from "../git/process.js";
import type { FileTree } from "./facts.js";

/** Files in the tree of `commit` (a full id); never downloads. */
export function commitTree(_git: RunGit, _commit: string): FileTree {
  throw new Error("not built yet");
}
