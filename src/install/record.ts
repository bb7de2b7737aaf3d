/** What install did in a repository, kept in its common directory so that uninstall takes out exactly that. */
import { join } from "node:path";
import { putFile, readIfThere } from "./files.js";

/** One value added to the repository's configuration. */
export interface ConfigAddition {
  key: string;
  value: string;
  /** The very bytes that git put into the file for it. */
  text: string;
}

export interface InstallRecord {
  config: ConfigAddition[];
  /** The folder our own hook file was put into; null: none. */
  hooksFolder: string | null;
}

/** Our folder below the common directory (or below the user's configuration, for all repositories). */
export function recordPath(folder: string): string {
  return join(folder, "install.json");
}

/** Tolerant: what cannot be read counts as nothing recorded. */
export function readRecord(folder: string): InstallRecord {
  const empty: InstallRecord = { config: [], hooksFolder: null };
  const text = readIfThere(recordPath(folder));
  if (text === null) return empty;
  try {
    const raw = JSON.parse(text) as Partial<InstallRecord>;
    return {
      config: Array.isArray(raw.config) ? raw.config.filter(isAddition) : [],
      hooksFolder: typeof raw.hooksFolder === "string" ? raw.hooksFolder : null,
    };
  } catch {
    return empty;
  }
}

export function writeRecord(folder: string, record: InstallRecord): void {
  putFile(recordPath(folder), `${JSON.stringify(record, null, 2)}\n`);
}

/** Adds to the record what is about to go into the configuration. */
export function rememberAddition(folder: string, addition: ConfigAddition): void {
  const record = readRecord(folder);
  const others = record.config.filter(
    (entry) => entry.key !== addition.key || entry.value !== addition.value,
  );
  writeRecord(folder, { ...record, config: [...others, addition] });
}

export function forgetAddition(folder: string, addition: ConfigAddition): void {
  const record = readRecord(folder);
  const others = record.config.filter(
    (entry) => entry.key !== addition.key || entry.value !== addition.value,
  );
  writeRecord(folder, { ...record, config: others });
}

function isAddition(value: unknown): value is ConfigAddition {
  const entry = value as Partial<ConfigAddition> | null;
  return typeof entry?.key === "string" && typeof entry.value === "string" && typeof entry.text === "string";
}
