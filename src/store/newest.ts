/** Which documents are read where there are more than anybody reads. Pure. */
import { append } from "./append.js";
import type { Joined } from "./join-logs.js";
import { compareText } from "./log.js";
import type { Left } from "./types.js";

/**
 * At most `limit` journal entries and as many of the inbox, the newest by name, and how many are left out. The
 * newest of each writer come before the second newest of any: who writes thousands must not hide the others.
 */
export function newest(entries: readonly Joined[], limit: number): { kept: readonly Joined[]; left: Left } {
  if (entries.length <= limit) return { kept: entries, left: { open: 0, inbox: 0 } };
  const inbox = entries.filter(({ folder }) => folder === "inbox");
  const journal = entries.filter(({ folder }) => folder !== "inbox");
  return {
    kept: [...pick(journal, limit), ...pick(inbox, limit)],
    left: { open: Math.max(0, journal.length - limit), inbox: Math.max(0, inbox.length - limit) },
  };
}

function pick(entries: readonly Joined[], limit: number): readonly Joined[] {
  if (entries.length <= limit) return entries;
  const byWriter = new Map<string, Joined[]>();
  for (const entry of entries) {
    append(byWriter, entry.at?.log.writer ?? "", entry);
  }
  const placed = [...byWriter.values()].flatMap((own) =>
    own.sort(newestFirst).map((entry, place) => ({ entry, place })),
  );
  placed.sort((a, b) => a.place - b.place || newestFirst(a.entry, b.entry));
  return placed.slice(0, limit).map(({ entry }) => entry);
}

/** A name begins with its time. */
function newestFirst(a: Joined, b: Joined): number {
  return compareText(b.name, a.name);
}
