/** The hook for all repositories of the user: through git's configuration, so only with git 2.54 or newer. */
import { readdirSync, realpathSync, rmdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { FatalError } from "../errors.js";
import type { Environment } from "../git/environment.js";
import type { RunGit } from "../git/process.js";
import { addConfig, removeConfig } from "./config-edit.js";
import { CONFIG_HOOKS_SINCE, configHookText, hasConfigHooks } from "./config-hook.js";
import { isThere, putFile, readIfThere, removeFile } from "./files.js";
import { HOOK } from "./hook-file.js";
import { hookText, packageRoot } from "./package.js";
import { readRecord, recordPath, rememberAddition } from "./record.js";
import type { BeforeStep } from "./steps.js";

/** Where it is kept: the user's configuration folder. Throws FatalError without a home. */
export function globalFolder(env: Environment): string {
  return join(configHome(env), "git-handoff");
}

function configHome(env: Environment): string {
  const xdg = env.XDG_CONFIG_HOME;
  if (xdg?.startsWith("/")) return xdg;
  return join(home(env), ".config");
}

function home(env: Environment): string {
  const folder = env.HOME || homedir();
  if (!folder) throw new FatalError("no home folder: set HOME");
  return folder;
}

/** The file that `git config --global` writes: `~/.gitconfig`, or the XDG one where only that exists. */
function globalConfigFile(env: Environment): string {
  if (env.GIT_CONFIG_GLOBAL) return env.GIT_CONFIG_GLOBAL;
  const plain = join(home(env), ".gitconfig");
  const xdg = join(configHome(env), "git", "config");
  return !isThere(plain) && isThere(xdg) ? xdg : plain;
}

/** Throws FatalError with the reason where this git has no hooks in its configuration. */
export async function installGlobalHook(
  run: RunGit,
  version: readonly [number, number, number],
  env: Environment,
  before: BeforeStep,
): Promise<{ folder: string; file: string; added: boolean }> {
  if (!hasConfigHooks(version)) {
    throw new FatalError(
      `--global needs git ${CONFIG_HOOKS_SINCE.join(".")} or newer, which runs hooks named in its configuration; this is git ${version.join(".")}: run 'git handoff install' in each repository`,
    );
  }
  const folder = globalFolder(env);
  before("put the hook in the user's folder");
  const hook = hookText(packageRoot(), process.execPath);
  if (readIfThere(join(folder, HOOK)) !== hook) putFile(join(folder, HOOK), hook, 0o755);
  before("put the settings in the user's folder");
  const settings = configHookText(folder);
  if (readIfThere(join(folder, "config")) !== settings) putFile(join(folder, "config"), settings);
  const file = globalConfigFile(env);
  before("record the include for all repositories");
  const added = await addConfig(run, file, "include.path", join(folder, "config"), folder, (addition) => {
    rememberAddition(folder, addition);
    before("include the settings for all repositories");
  });
  return { folder, file, added };
}

export async function uninstallGlobalHook(
  run: RunGit,
  env: Environment,
  before: BeforeStep,
): Promise<string[]> {
  const folder = globalFolder(env);
  if (!isThere(folder)) return [];
  const removed: string[] = [];
  const value = join(folder, "config");
  const addition = readRecord(folder).config[0] ?? { key: "include.path", value, text: "" };
  before("remove the include for all repositories");
  if (await removeConfig(run, globalConfigFile(env), addition, folder))
    removed.push(`include.path = ${value}`);
  for (const name of ["config", HOOK]) {
    before(`remove the user's ${name}`);
    if (removeFile(join(folder, name))) removed.push(join(folder, name));
  }
  removeFile(recordPath(folder));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
  return removed;
}

/** Is the user's global include in place? */
export function isGlobalInstalled(includes: readonly string[], env: Environment): boolean {
  try {
    const file = realpathSync(join(globalFolder(env), "config"));
    return includes.some((path) => {
      try {
        return realpathSync(path) === file;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}
