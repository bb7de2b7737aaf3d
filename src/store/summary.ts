import type { Item } from "./types.js";

/** One handoff in a list; null where not known (a document that cannot be read). */
export interface ItemSummary {
  id: string;
  handle: string;
  state: Item["state"];
  /** `HEAD` for the repository as a whole. */
  branch: string;
  writer: string;
  author: string | null;
  /** ISO 8601. */
  written: string | null;
  intent: string | null;
  /** Of an inbox handoff. */
  breaking: boolean | null;
}

export function summaryOf(item: Item): ItemSummary {
  const { headline } = item;
  return {
    id: item.id,
    handle: item.handle,
    state: item.state,
    branch: item.branch,
    writer: item.writer,
    author: headline?.author ?? null,
    written: headline?.written ?? null,
    intent: headline?.intent ?? null,
    breaking: headline?.breaking ?? null,
  };
}
