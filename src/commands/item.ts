/** One handoff in a command's answer. */
import { oneLine } from "../document/strip.js";
import type { Item } from "../store/types.js";

/** What every `--json` answer about a handoff has; null where not known. */
export interface ItemSummary {
  id: string;
  handle: string;
  state: Item["state"];
  branch: string;
  writer: string;
  author: string | null;
  written: string | null;
  intent: string | null;
  breaking: boolean | null;
}

export function summaryOf(item: Item): ItemSummary {
  const meta = item.document?.meta;
  return {
    id: item.id,
    handle: item.handle,
    state: item.state,
    branch: item.branch,
    writer: item.writer,
    author: meta?.author ?? null,
    written: meta?.written ?? null,
    intent: meta?.intent ?? null,
    breaking: meta?.breaking ?? null,
  };
}

/** The intent on one line, safe to print. */
export function intentOf(item: Item): string {
  return item.document ? oneLine(item.document.meta.intent) : "(not readable)";
}

/** Handle and intent, safe to print: how messages name a handoff. */
export function nameOf(item: Item): string {
  return `${item.handle} ${intentOf(item)}`;
}
