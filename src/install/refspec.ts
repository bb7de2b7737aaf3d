/** The fetch refspecs that make a plain `git fetch` bring handoffs, added to and taken from the remotes. */
import { join } from "node:path";
import type { Repository } from "../git/repository.js";
import { fetchRefspec } from "../sync/refspec.js";
import { addConfig, removeConfig } from "./config-edit.js";
import { forgetAddition, readRecord, rememberAddition } from "./record.js";
import type { BeforeStep } from "./steps.js";

export interface RemoteRefspec {
  remote: string;
  refspec: string;
  /** `kept`: that line was there before and is not ours to take out. */
  state: "added" | "present" | "kept" | "skipped";
  /** Why it was skipped. */
  note: string | null;
}

/** Adds the refspec to every remote that is fetched from. Recorded in `folder` as soon as it is there. */
export async function addRefspecs(
  repository: Repository,
  folder: string,
  before: BeforeStep,
): Promise<RemoteRefspec[]> {
  const config = await repository.config();
  const file = join(repository.info.commonDir, "config");
  const result: RemoteRefspec[] = [];
  for (const { name, url } of await repository.remotes()) {
    const refspec = fetchRefspec(name);
    const key = `remote.${name}.fetch`;
    const recorded = readRecord(folder).config.some((entry) => entry.key === key && entry.value === refspec);
    if (config.getAll(key).includes(refspec)) {
      result.push({ remote: name, refspec, state: recorded ? "present" : "kept", note: null });
      continue;
    }
    const note = skip(url, config.getAll(key));
    if (note !== null) {
      result.push({ remote: name, refspec, state: "skipped", note });
      continue;
    }
    await dropRenamed(repository, folder, key, before);
    before(`add the refspec to ${name}`);
    await addConfig(repository.run, file, key, refspec, folder, (addition) => {
      rememberAddition(folder, addition);
      before(`put the refspec of ${name} in place`);
    });
    result.push({ remote: name, refspec, state: "added", note: null });
  }
  return result;
}

/** A refspec of ours that came along when its remote was renamed still ends in the old name. */
async function dropRenamed(
  repository: Repository,
  folder: string,
  key: string,
  before: BeforeStep,
): Promise<void> {
  const config = await repository.config();
  const file = join(repository.info.commonDir, "config");
  for (const addition of readRecord(folder).config.filter((entry) => entry.key !== key)) {
    const gone = config.getAll(addition.key).length === 0;
    if (!gone || !config.getAll(key).includes(addition.value)) continue;
    before(`remove the refspec of the old name from ${key}`);
    await removeConfig(repository.run, file, { ...addition, key }, folder);
    forgetAddition(folder, addition);
  }
}

function skip(url: string | null, refspecs: readonly string[]): string | null {
  if (url === null) return "it has no URL";
  if (refspecs.some((refspec) => /^\+?refs\/\*:refs\/\*$/.test(refspec))) {
    return "it is fetched as a mirror, which takes all refs as they are";
  }
  return null;
}

/** Takes out exactly the refspecs that install added. Returns the remotes' keys it took out. */
export async function removeRefspecs(
  repository: Repository,
  folder: string,
  before: BeforeStep,
): Promise<{ removed: string[]; notes: string[] }> {
  const file = join(repository.info.commonDir, "config");
  const config = await repository.config();
  const removed: string[] = [];
  const notes: string[] = [];
  for (const addition of readRecord(folder).config.filter((entry) => entry.key.startsWith("remote."))) {
    before(`remove ${addition.key}`);
    // Where the remote was renamed, git took the line along.
    const keys = config.subsections("remote").map((name) => `remote.${name}.fetch`);
    const key = [addition.key, ...keys].find((name) => config.getAll(name).includes(addition.value));
    const found =
      key !== undefined && (await removeConfig(repository.run, file, { ...addition, key }, folder));
    if (found) removed.push(`${key} = ${addition.value}`);
    else notes.push(`${addition.key} was changed since install and stays as it is`);
  }
  const recorded = new Set(removed);
  for (const { name } of await repository.remotes()) {
    const line = `remote.${name}.fetch = ${fetchRefspec(name)}`;
    const there = config.getAll(`remote.${name}.fetch`).includes(fetchRefspec(name));
    if (there && !recorded.has(line)) notes.push(`'${line}' was not put there by install and stays`);
  }
  return { removed, notes };
}
