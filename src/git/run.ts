/** Runs git through execa: for the command line. */
import type { RunGit } from "./process.js";

/** RunGit over execa. `env` of each call is the child's whole environment. */
export function execaGit(): RunGit {
  throw new Error("not built yet");
}
