/** Freshness and ancestry in words. Pure. */
import { oneLine } from "../document/strip.js";
import type { Ancestry, Freshness } from "./report.js";

/** One line; starts with STALE when the document is stale. */
export function freshnessLine(freshness: Freshness): string {
  const parts = [ancestryWords(freshness.ancestry, freshness)];
  // A note on the age says that it is unknown, and why.
  if (!freshness.note?.includes("age unknown")) parts.push(ageWords(freshness.ageDays));
  if (freshness.note) parts.push(short(freshness.note, 300));
  return `${freshness.stale ? "STALE: " : ""}${parts.join("; ")}`;
}

/** What an ancestry means, beginning with its name as in the JSON. */
export function ancestryWords(
  ancestry: Ancestry | "unchecked",
  detail: { behind?: number | null; as?: string | null } = {},
): string {
  const { behind = null, as = null } = detail;
  switch (ancestry) {
    case "ancestor":
      if (behind === null) return "ancestor of HEAD";
      return behind === 0
        ? "ancestor of HEAD, nothing since"
        : `ancestor of HEAD, ${count(behind, "commit")} since`;
    case "rewritten":
      return `rewritten: its change is in HEAD's history${as === null ? "" : ` as ${oneLine(as).slice(0, 12)}`}`;
    case "diverged":
      return "diverged: its commit and its change are not in HEAD's history";
    case "none":
      return "none: written before the first commit";
    case "unchecked":
      return "unchecked";
    case "unknown":
      return "unknown: cannot be compared with HEAD";
  }
}

function ageWords(days: number | null): string {
  if (days === null) return "age unknown";
  return days === 0 ? "written today" : `written ${count(days, "day")} ago`;
}

/** `1 commit`, `2 commits`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** One line of at most `width` characters: for names and the like, which nobody needs at length. */
export function short(text: string, width = 120): string {
  const characters = [...oneLine(text)];
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}
