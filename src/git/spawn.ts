/** Runs git through node:child_process alone: for the hook, where loading execa would cost a third of Node's own start. */
import type { RunGit } from "./process.js";

/** RunGit without a library. `env` of each call is the child's whole environment. */
export function spawnGit(): RunGit {
  throw new Error("not built yet");
}
