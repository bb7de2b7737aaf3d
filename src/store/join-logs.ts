/**
 * The join: what all logs of a branch say together. Keyed by the blob, the furthest folder wins; so nothing
 * has to be merged, and any order of fetches gives the same answer.
 */
import type { Log } from "./log.js";
import type { Folder } from "./types.js";

/** How far a document has come: 0 live, 1 moved away, 2 closed or acked, 3 gone. */
export type Stage = 0 | 1 | 2 | 3;

const STAGES: Readonly<Record<Folder, Stage>> = { open: 0, inbox: 0, moved: 1, closed: 2, acked: 2, gone: 3 };

/** What the logs of one branch say of one blob. */
export interface Joined {
  oid: string;
  stage: Stage;
  /** A folder of that stage. Where two logs disagree (open and inbox), the document's `delivery` decides. */
  folder: Folder;
  /** File name in the earliest log that has one; empty when only `gone/` is left. */
  name: string;
  /** That log, and the document's folder in it; null when only `gone/` is left. */
  at: { log: Log; folder: Folder } | null;
}

export function stageOf(folder: Folder): Stage {
  return STAGES[folder];
}

/** Joins the logs of one branch, given in the order that is the same in every clone. */
export function joinLogs(logs: readonly Log[]): Map<string, Joined> {
  const joined = new Map<string, Joined>();
  for (const log of logs) {
    for (const { folder, entries } of log.folders) {
      const named = folder !== "gone";
      for (let index = 0; index < entries.length; index++) {
        const entry = entries[index];
        if (entry === undefined) continue;
        const { oid, name } = entry;
        const before = joined.get(oid);
        if (!before) {
          const at = named ? { log, folder } : null;
          joined.set(oid, { oid, stage: STAGES[folder], folder, name: named ? name : "", at });
          continue;
        }
        if (STAGES[folder] > before.stage) {
          before.stage = STAGES[folder];
          before.folder = folder;
        }
        if (named && !before.at) {
          before.name = name;
          before.at = { log, folder };
        }
      }
    }
  }
  return joined;
}
