/** Installs the hook in one repository, in the way that its git offers. */
import { join } from "node:path";
import { FatalError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { addConfig } from "./config-edit.js";
import { configHookText, HOOK_NAME, hasConfigHooks, INCLUDED } from "./config-hook.js";
import { putFile, readIfThere } from "./files.js";
import { findHookFiles, HOOK, placeHookFile, takeHookFile } from "./hook-file.js";
import { findHooksFolder } from "./hooks-folder.js";
import { plainRemedy } from "./managers.js";
import { hookText, packageRoot } from "./package.js";
import { type Probe, probeHook } from "./probe.js";
import { readRecord, rememberAddition, writeRecord } from "./record.js";
import type { BeforeStep } from "./steps.js";

export interface HookInstall {
  /** `config`: git's configuration runs it; `file`: a hook file of ours; `other`: somebody else's hook does. */
  kind: "config" | "file" | "other" | "refused";
  /** The file that git reads or runs. */
  path: string;
  probe: Probe;
  /** Why no file could go there, and what to add where; null unless refused. */
  refusal: { reason: string; file: string; lines: string[] } | null;
  notes: string[];
}

/** Our folder in a repository, shared by its worktrees. */
export function handoffFolder(repository: Repository): string {
  return join(repository.info.commonDir, "handoff");
}

/**
 * Puts the hook in place and asks git to run it. Doing it again changes nothing. Stopped anywhere it leaves a
 * repository in which git works.
 */
export async function installHook(repository: Repository, before: BeforeStep): Promise<HookInstall> {
  const folder = handoffFolder(repository);
  const root = packageRoot();
  before("put the hook beside");
  putIfChanged(join(folder, HOOK), hookText(root, process.execPath), 0o755);
  const install = hasConfigHooks(await repository.version())
    ? await installConfigHook(repository, folder, before)
    : await installHookFile(repository, folder, before);
  if (/[\\/]_npx[\\/]/.test(root)) {
    install.notes.push(
      "this program lies in npx's cache, which is emptied now and then: npm install -g git-handoff, then install again",
    );
  }
  return install;
}

async function installConfigHook(
  repository: Repository,
  folder: string,
  before: BeforeStep,
): Promise<HookInstall> {
  const notes: string[] = [];
  const path = join(folder, "config");
  await refuseForeignHook(repository);
  before("put the settings beside");
  putIfChanged(path, configHookText(folder), 0o644);
  before("record the include");
  const file = join(repository.info.commonDir, "config");
  await addConfig(repository.run, file, "include.path", INCLUDED, folder, (addition) => {
    rememberAddition(folder, addition);
    before("include the settings");
  });
  // An older git may have got a hook file here; with both, a handoff would be shown twice.
  for (const hooks of await hooksFolders(repository)) {
    notes.push(...takeHookFile(hooks, repository.info.commonDir, before).notes);
  }
  const probe = await probeHook(repository);
  if (probe.reached > 1) notes.push("git runs it more than once; git handoff doctor says from where");
  return { kind: "config", path, probe, refusal: null, notes };
}

async function installHookFile(
  repository: Repository,
  folder: string,
  before: BeforeStep,
): Promise<HookInstall> {
  const hooks = await findHooksFolder(repository);
  const path = join(hooks.path, HOOK);
  const own = findHookFiles(hooks.path).includes(path);
  if (!own) {
    const probe = await probeHook(repository);
    if (probe.reached > 0) return { kind: "other", path, probe, refusal: null, notes: [] };
  }
  if (hooks.refusal !== null) {
    const remedy = hooks.manager?.remedy ?? plainRemedy(hooks.path);
    const probe = { reached: 0, said: null };
    return { kind: "refused", path, probe, refusal: { reason: hooks.refusal, ...remedy }, notes: [] };
  }
  const notes = hooks.manager?.warning
    ? [
        `${hooks.manager.warning}; to keep it, add to ${hooks.manager.remedy.file}:`,
        ...hooks.manager.remedy.lines,
      ]
    : [];
  if (hooks.configured !== null && !hooks.configured.startsWith("/") && !hooks.configured.startsWith("~")) {
    notes.push(`core.hooksPath is relative: a linked worktree has a hooks folder of its own`);
  }
  const record = readRecord(folder);
  before("record the hooks folder");
  if (record.hooksFolder !== hooks.path) writeRecord(folder, { ...record, hooksFolder: hooks.path });
  try {
    placeHookFile(hooks.path, repository.info.commonDir, before);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") {
      throw new FatalError(`cannot write '${path}': ${(error as Error).message}`);
    }
    throw error;
  }
  return { kind: "file", path, probe: await probeHook(repository), refusal: null, notes };
}

/** Where a hook file of ours may lie: where git looks now, and where it looked when it was installed. */
export async function hooksFolders(repository: Repository): Promise<string[]> {
  const recorded = readRecord(handoffFolder(repository)).hooksFolder;
  const now = (await findHooksFolder(repository)).path;
  const own = join(repository.info.commonDir, "hooks");
  return [...new Set([now, own, ...(recorded === null ? [] : [recorded])])];
}

/** Somebody else's hook of the same name would mix with ours into one. */
async function refuseForeignHook(repository: Repository): Promise<void> {
  const commands = (await repository.config()).getAll(`hook.${HOOK_NAME}.command`);
  const foreign = commands.find((command) => !command.includes(`handoff/${HOOK}`));
  if (foreign !== undefined) {
    throw new FatalError(`hook.${HOOK_NAME}.command is set to something else already: '${foreign}'`);
  }
}

function putIfChanged(path: string, text: string, mode: number): void {
  if (readIfThere(path) !== text) putFile(path, text, mode);
}
