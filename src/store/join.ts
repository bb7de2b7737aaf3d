import type { StoragePort } from "../git/port.js";
import type { Item, View } from "./types.js";

export interface ViewOptions {
  /** Only what is open or in the inbox; closed and acked documents are neither listed nor read. */
  live?: boolean;
}

/** All logs of one branch joined: local and fetched ones, whatever the order in which they came. */
export async function readView(_port: StoragePort, _branch: string, _options?: ViewOptions): Promise<View> {
  throw new Error("not built yet");
}

/** The branch's open and inbox documents alone. */
export async function readLive(port: StoragePort, branch: string): Promise<View> {
  return readView(port, branch, { live: true });
}

/** The views of every branch that has a log, `HEAD` included, by name; the same few round trips for any number. */
export async function readAllViews(_port: StoragePort, _options?: ViewOptions): Promise<View[]> {
  throw new Error("not built yet");
}

/** The order in which documents are shown: newest first by `written`, ties by id. */
export function compareItems(_a: Item, _b: Item): number {
  throw new Error("not built yet");
}
