/** Takes out of one repository what install put in, and nothing else. */
import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../git/repository.js";
import { removeConfig } from "./config-edit.js";
import { INCLUDED } from "./config-hook.js";
import { isThere, readIfThere, removeFile } from "./files.js";
import { handoffFolder, hooksFolders } from "./git-hook.js";
import { HOOK, parseHookFile, takeHookFile } from "./hook-file.js";
import { findHooksFolder } from "./hooks-folder.js";
import { probeHook } from "./probe.js";
import { readRecord, recordPath } from "./record.js";
import { removeRefspecs } from "./refspec.js";
import type { BeforeStep } from "./steps.js";

export interface Uninstall {
  /** One line each: what was taken out. */
  removed: string[];
  /** One line each: what was found changed, and what stays. */
  notes: string[];
  /** Does git still reach our hook (installed for all repositories, or called from somebody's hook)? */
  stillRuns: boolean;
}

/** The include goes before the file that it names; the record goes last, so that a second try finds all. */
export async function uninstall(repository: Repository, before: BeforeStep): Promise<Uninstall> {
  const folder = handoffFolder(repository);
  const removed: string[] = [];
  const notes: string[] = [];
  const record = readRecord(folder);
  const include = record.config.find((entry) => entry.key === "include.path") ?? {
    key: "include.path",
    value: INCLUDED,
    text: "",
  };
  if ((await repository.config()).getAll("include.path", "local").includes(INCLUDED)) {
    before("remove the include");
    const file = join(repository.info.commonDir, "config");
    if (await removeConfig(repository.run, file, include, folder)) removed.push(`include.path = ${INCLUDED}`);
  }
  for (const hooks of await hooksFolders(repository)) {
    const taken = takeHookFile(hooks, repository.info.commonDir, before);
    removed.push(...taken.removed);
    notes.push(...taken.notes);
  }
  const refspecs = await removeRefspecs(repository, folder, before);
  removed.push(...refspecs.removed);
  notes.push(...refspecs.notes);
  notes.push(...(await foreignLines(repository)));
  for (const name of ["config", HOOK]) {
    before(`remove handoff/${name}`);
    if (removeFile(join(folder, name))) removed.push(join(folder, name));
  }
  before("remove the record");
  removeFile(recordPath(folder));
  // The lessons file lives there too and stays.
  if (isThere(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  return { removed, notes, stillRuns: (await probeHook(repository)).reached > 0 };
}

/** Lines in somebody's own hook that ran ours. They stay, and do nothing where it is not installed. */
async function foreignLines(repository: Repository): Promise<string[]> {
  const { path } = await findHooksFolder(repository);
  return [join(path, HOOK), join(path, "..", HOOK)]
    .filter((file) => {
      const text = readIfThere(file) ?? "";
      return text.includes(`handoff/${HOOK}`) && parseHookFile(text) === null;
    })
    .map((file) => `'${file}' still has the line that ran it; without an installed hook it does nothing`);
}
