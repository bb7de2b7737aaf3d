/** What git's children get to see of the environment. */
import type { RepositoryInfo } from "./process.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a repository is, as an outer git (a hook, `git --git-dir=… handoff`) hands it down. */
const LOCATION = [
  "GIT_DIR",
  "GIT_COMMON_DIR",
  "GIT_WORK_TREE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_QUARANTINE_PATH",
] as const;

/** Which config files are read: without them git may not even start in a locked-down account. */
const CONFIG_FILES = ["GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL"] as const;

/** Change what a command means, or leak from an outer command (the dates of a rebase, the pathspec mode of an alias). */
const CONFUSING = new Set([
  "GIT_CONFIG",
  "GIT_AUTHOR_DATE",
  "GIT_COMMITTER_DATE",
  "GIT_LITERAL_PATHSPECS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
  "GIT_EXTERNAL_DIFF",
  "GIT_DIFF_OPTS",
  "GIT_DEFAULT_HASH",
  "GIT_DEFAULT_REF_FORMAT",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_REFLOG_ACTION",
  "GIT_GRAFT_FILE",
  "GIT_SHALLOW_FILE",
  "GIT_REPLACE_REF_BASE",
]);

/** English messages, UTF-8 characters. */
const locale = { LC_ALL: process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8", LANGUAGE: "" };

/**
 * For git run on the user's behalf: config from the environment, ssh, askpass, identity and the place of the
 * repository stay; dates and what changes a command's meaning do not.
 */
export function userEnvironment(env: Environment): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([key]) => !CONFUSING.has(key));
  return { ...Object.fromEntries(kept), ...locale };
}

/** The same without the place of this repository: for git run in another one. */
export function elsewhereEnvironment(env: Environment): Record<string, string | undefined> {
  const user = userEnvironment(env);
  for (const key of [...LOCATION, "GIT_INDEX_FILE"]) delete user[key];
  return user;
}

/**
 * For git calls of the read flow, in a repository whose config and content may be hostile: nothing is
 * written, fetched, asked or run. To be used together with SAFE_OPTIONS.
 */
export function safeEnvironment(env: Environment, info: RepositoryInfo): Record<string, string | undefined> {
  const keep = new Set<string>([...LOCATION, ...CONFIG_FILES, "GIT_EXEC_PATH"]);
  keep.delete("GIT_WORK_TREE");
  const kept = Object.entries(env).filter(([key]) => !key.startsWith("GIT_") || keep.has(key));
  return {
    ...Object.fromEntries(kept),
    ...locale,
    GIT_DIR: info.gitDir,
    // With GIT_DIR alone git would take the folder it starts in for the work tree.
    ...(info.workTree === null ? { GIT_IMPLICIT_WORK_TREE: "0" } : { GIT_WORK_TREE: info.workTree }),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    // Stops a download also in the gits that do not know GIT_NO_LAZY_FETCH (2.39.0 to 2.39.3 among them).
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_PAGER: "cat",
  };
}

/** Before the subcommand of every git call of the read flow: no pager, no fsmonitor program or daemon, no hooks. */
export const SAFE_OPTIONS = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "submodule.recurse=false",
] as const;
