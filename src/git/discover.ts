/** Finds a repository, in one process. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FatalError, NoRepositoryError } from "../errors.js";
import { type FileEntry, parseBoolean, parseConfigFile } from "./config-file.js";
import type { RepositoryInfo, RunGit } from "./process.js";

/**
 * What to ask in one go. Paths stand between words that cannot be paths, so that a path with a newline is
 * still told apart. `--show-ref-format` is echoed by a git that does not know it (before 2.44: files only).
 * `--show-toplevel` comes last because git dies there without a work tree, having answered the rest.
 */
export const QUESTIONS = [
  "--path-format=absolute",
  "--show-object-format",
  "--git-dir",
  "--is-bare-repository",
  "--git-common-dir",
  "--is-shallow-repository",
  "--show-ref-format",
  "--show-toplevel",
];
const ANSWERS =
  /^(sha1|sha256)\n(.+?)\n(true|false)\n(.+?)\n(true|false)\n(files|reftable|--show-ref-format)\n(?:(.+)\n)?$/s;

/** git's own words: from its `fatal:` on, without that word. */
export function gitMessage(stderr: string, otherwise: string): string {
  const text = stderr.trim();
  const fatal = /^(?:fatal|error): /m.exec(text);
  return (fatal ? text.slice(fatal.index + fatal[0].length) : text) || otherwise;
}

/** git speaks English here (userEnvironment). */
function refusal(message: string): FatalError {
  return /^not a git repository\b/.test(message) ? new NoRepositoryError(message) : new FatalError(message);
}

/** The common config file, read without git; empty when unreadable. */
function commonConfig(commonDir: string): FileEntry[] {
  try {
    return parseConfigFile(readFileSync(join(commonDir, "config"), "utf8"));
  } catch {
    return [];
  }
}

function isPartial(commonDir: string, config: readonly FileEntry[]): boolean {
  for (const { key, value } of config) {
    if (key === "extensions.partialclone") return true;
    if (/^remote\..*\.promisor$/s.test(key) && parseBoolean(value)) return true;
  }
  try {
    return readdirSync(join(commonDir, "objects", "pack")).some((name) => name.endsWith(".promisor"));
  } catch {
    return false;
  }
}

/**
 * `run` must already be bound to a folder and an environment. Throws FatalError with git's own line outside a
 * repository, and where git refuses one (dubious ownership, safe.bareRepository).
 */
export async function discover(run: RunGit): Promise<RepositoryInfo & { bare: boolean }> {
  const { code, stdout, stderr } = await run(["rev-parse", ...QUESTIONS]);
  const match = ANSWERS.exec(stdout.toString("utf8"));
  if (!match && code === 0)
    throw new FatalError("git does not answer as expected; git 2.39 or newer is needed");
  if (!match) throw refusal(gitMessage(stderr, "not a git repository"));
  const [, objectFormat, gitDir = "", bare, commonDir = "", shallow, refFormat, workTree] = match;
  return {
    gitDir,
    commonDir,
    workTree: workTree ?? null,
    objectFormat: objectFormat === "sha256" ? "sha256" : "sha1",
    refFormat: refFormat === "reftable" ? "reftable" : "files",
    shallow: shallow === "true",
    partial: isPartial(commonDir, commonConfig(commonDir)),
    bare: bare === "true",
  };
}

/**
 * Basename of the main worktree, not of a linked one; of a bare repository without `.git`; of a submodule
 * its own folder.
 */
export function projectName(info: RepositoryInfo): string {
  const { gitDir, commonDir, workTree } = info;
  // `proj/.git`, and `proj/.bare` with all its worktrees linked.
  if (basename(commonDir).startsWith(".")) return basename(dirname(commonDir));
  const configured = commonConfig(commonDir).findLast((entry) => entry.key === "core.worktree")?.value;
  if (configured) return basename(resolve(commonDir, configured));
  // A git directory kept elsewhere (`--separate-git-dir`) does not say where its worktree is.
  if (gitDir === commonDir && workTree !== null && existsSync(workTree)) return basename(workTree);
  return basename(commonDir).replace(/\.git$/, "");
}
