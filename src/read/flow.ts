/** The read flow: branch → join → parse → check → partition → Report. Reading never writes. */
import type { Item } from "../store/types.js";
import type { Report } from "../surface/report.js";
import type { ReadSource } from "./source.js";

export interface ReadOptions {
  /** A branch that need not be checked out; the current one by default. */
  branch?: string;
  /** Inside a hook: bounded to four seconds, nothing that may use the network. */
  hook?: boolean;
  now: Date;
}

/** Everything open for a branch and in the inbox, checked. */
export async function readBranch(source: ReadSource, options: ReadOptions): Promise<Report> {
  throw new Error(`not built yet ${source.info.gitDir} ${options.now}`);
}

/** One document with its verdicts, whatever its state. */
export async function readDocument(source: ReadSource, item: Item, options: ReadOptions): Promise<Report> {
  throw new Error(`not built yet ${source.info.gitDir} ${item.id} ${options.now}`);
}
