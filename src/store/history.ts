import type { StoragePort } from "../git/port.js";
import type { Item, LogEvent } from "./types.js";

/** Events of a branch (null: of every branch), newest first, from all writers' logs. */
export async function readLog(_port: StoragePort, _branch: string | null): Promise<LogEvent[]> {
  throw new Error("not built yet");
}

/** Documents that were pruned, with their text from the logs' history. What was redacted is never among them. */
export async function readPruned(_port: StoragePort, _branch: string | null): Promise<Item[]> {
  throw new Error("not built yet");
}
