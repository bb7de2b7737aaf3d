/** What a document says about when and where it was written. Pure. */

export type RecordedCommit =
  | { kind: "none" }
  | { kind: "unknown" }
  /** Lower case; full, or abbreviated in an imported document. */
  | { kind: "commit"; id: string; branch: string | null };

const DAY = 24 * 60 * 60 * 1000;
/** Clocks of two machines that differ by less are taken as one. */
const CLOCK_SKEW = 60 * 1000;

/** Reads `<branch> @ <oid>` + ` (dirty)`, `none`, `unknown`, or a bare id. */
export function parseRecordedCommit(git: string): RecordedCommit {
  const text = git.trim();
  if (text === "none") return { kind: "none" };
  // A branch may contain ` @ ` and look like an id: the last one counts.
  const found = /^(?:(.*)(?:^|\s)@\s*)?([0-9a-f]{4,64})(?![0-9a-z])(?:[\s,;(].*)?$/is.exec(text);
  const id = found?.[2]?.toLowerCase();
  if (id === undefined) return { kind: "unknown" };
  const branch = found?.[1]?.trim();
  return { kind: "commit", id, branch: branch ? branch : null };
}

export interface Age {
  /** Whole days; null when unknown. */
  days: number | null;
  old: boolean;
  note: string | null;
}

/** `maxAge` in days. A time in the future or that cannot be read gives no age, and never "old". */
export function ageOf(written: string, now: Date, maxAge: number): Age {
  const at = Date.parse(written);
  if (Number.isNaN(at))
    return { days: null, old: false, note: "age unknown: the time of writing is unreadable" };
  const age = now.getTime() - at;
  if (age < -CLOCK_SKEW) {
    return { days: null, old: false, note: "age unknown: written in the future by this clock" };
  }
  const days = Math.max(0, Math.floor(age / DAY));
  const old = age > maxAge * DAY;
  return { days, old, note: old ? `older than ${plural(maxAge, "day")} (handoff.maxAge)` : null };
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
