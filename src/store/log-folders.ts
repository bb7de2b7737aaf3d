/** What lies in which folder of one log. */
import type { Folder } from "./types.js";

/** A document in a folder of one log. */
export interface Entry {
  /** Object id of the document's blob. */
  oid: string;
  /** File name; for `gone/` the blob's id. */
  name: string;
}

export interface LogFolder {
  folder: Folder;
  /** Object id of its tree. */
  tree: string;
  entries: readonly Entry[];
}

/** The folders of one log. No Map: of thousands of logs, each with one or two folders, those took most of the memory. */
export class LogFolders {
  /** @param present in the order of FOLDERS */
  constructor(private readonly present: readonly LogFolder[]) {}

  get(folder: Folder): LogFolder | undefined {
    for (const candidate of this.present) if (candidate.folder === folder) return candidate;
    return undefined;
  }

  [Symbol.iterator](): Iterator<LogFolder> {
    return this.present[Symbol.iterator]();
  }
}
