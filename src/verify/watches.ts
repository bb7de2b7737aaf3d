import type { Watch } from "../document/types.js";
import type { Facts } from "./facts.js";
import type { WatchReport } from "./verdict.js";

/** One report for each watch, in order; `due` is null where it cannot be told now, with the reason in `note`. */
export async function checkWatches(_watches: readonly Watch[], _facts: Facts): Promise<WatchReport[]> {
  throw new Error("not built yet");
}
