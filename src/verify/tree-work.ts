/** The checked-out files as a FileTree. */
import type { FileTree } from "./facts.js";

/** Files below `top` (absolute). Nothing outside it, in `.git`, or that is no regular file or folder is opened. */
export function workTree(_top: string): FileTree {
  throw new Error("not built yet");
}
