/** Where git looks for hook files, and whether a file of ours may go there. */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Repository } from "../git/repository.js";
import { isMissing, isThere, readIfThere } from "./files.js";
import { HOOK, parseHookFile } from "./hook-file.js";
import { hookManager, type Manager } from "./managers.js";

export interface HooksFolder {
  /** Absolute. */
  path: string;
  /** `core.hooksPath`; null: not set, the repository's own folder. */
  configured: string | null;
  manager: Manager | null;
  /** Why no file of ours can go there; null: it can. */
  refusal: string | null;
}

/**
 * Asked at the top of the work tree, because a relative `core.hooksPath` means the folder the hook runs in,
 * not the one the user stands in.
 */
export async function findHooksFolder(repository: Repository): Promise<HooksFolder> {
  const { gitDir, workTree } = repository.info;
  const base = workTree ?? gitDir;
  const answer = await repository.run(["rev-parse", "--git-path", "hooks"], { cwd: base });
  const path = resolve(base, answer.stdout.toString().replace(/\n$/, ""));
  const configured = (await repository.config()).get("core.hookspath") ?? null;
  const manager = hookManager(path, workTree);
  return { path, configured, manager, refusal: await refusalOf(repository, path, configured, manager) };
}

async function refusalOf(
  repository: Repository,
  path: string,
  configured: string | null,
  manager: Manager | null,
): Promise<string | null> {
  if (configured === "") return "core.hooksPath is empty, so git runs no hook files here";
  if (manager?.owns) return `${manager.name} writes '${path}' anew whenever it is installed`;
  try {
    if (!statSync(path).isDirectory()) {
      return `core.hooksPath is '${configured ?? path}', which is no folder, so git runs no hook files here`;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const { workTree } = repository.info;
  if (workTree !== null && isInside(path, workTree) && !isInside(path, repository.info.commonDir)) {
    const tracked = await repository.run(["ls-files", "-z", "--", path], { cwd: workTree });
    if (tracked.stdout.length > 0)
      return `'${path}' is part of the project, and its files come and go with branches`;
  }
  const hook = join(path, HOOK);
  if (isThere(hook) && parseHookFile(readIfThere(hook) ?? "") === null && goesByItsName(hook)) {
    return `'${hook}' goes by the name it is called by, so it cannot be kept under another one`;
  }
  return null;
}

/** One script for all hooks that looks at its own name, or a program of which that must be feared. */
function goesByItsName(hook: string): boolean {
  let text: string;
  try {
    if (lstatSync(hook).isDirectory()) return true;
    text = readFileSync(hook, "latin1");
  } catch {
    return false;
  }
  if (text.includes("\0")) return true;
  return /basename\b.*(\$\{?0|argv|__file__|__FILE__|BASH_SOURCE|PROGRAM_NAME|__filename)|\$\{0##\*\/\}|File\.basename\(\$0\)/.test(
    text,
  );
}

function isInside(path: string, folder: string): boolean {
  const way = relative(real(folder), real(path));
  return way === "" || !(way.startsWith("..") || way.startsWith("/"));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
