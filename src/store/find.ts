import type { StoragePort } from "../git/port.js";
import type { Item } from "./types.js";

/**
 * The handoff that `text` names (exact handle, exact id, unique prefix of either): looked for on `branch`,
 * then among the repository's own, then everywhere.
 * Throws UnknownHandoffError, AmbiguousHandoffError.
 */
export async function findItem(
  _port: StoragePort,
  _text: string,
  _options: {
    branch: string | null /** Text of pruned ones too, from the logs' history. */;
    pruned?: boolean;
  },
): Promise<Item> {
  throw new Error("not built yet");
}
