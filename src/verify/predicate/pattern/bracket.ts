/** A bracket expression. Backslash is an ordinary character in it. */
import { type CharSet, type ClassName, isClassName } from "./charset.js";

/**
 * Reads from behind `[` at `start` to behind its `]`. `bad` and `unsure` throw: for what GNU refuses, and
 * for what its versions take differently.
 */
export function parseBracket(
  text: readonly string[],
  start: number,
  fold: boolean,
  bad: () => never,
  unsure: () => never,
): { set: CharSet; next: number } {
  const ranges: [number, number][] = [];
  const classes: ClassName[] = [];
  let at = start;
  const negated = text[at] === "^";
  if (negated) at++;
  const first = at;

  /** One character, or `[.x.]`, `[=x=]`; null for a class, which is added at once. */
  const element = (): number | null => {
    const c = text[at] ?? bad();
    const kind = text[at + 1];
    if (c !== "[" || kind === undefined || !":.=".includes(kind)) {
      at++;
      return c.codePointAt(0) ?? 0;
    }
    let end = at + 2;
    while (end < text.length && !(text[end] === kind && text[end + 1] === "]")) end++;
    if (end >= text.length) unsure();
    const name = text.slice(at + 2, end).join("");
    at = end + 2;
    if (kind !== ":") return end === at - 2 && Array.from(name).length === 1 ? codeOf(name) : unsure();
    if (!isClassName(name)) return bad();
    // With -i both cases are one.
    classes.push(fold && (name === "upper" || name === "lower") ? "alpha" : name);
    return null;
  };

  for (;;) {
    if (at >= text.length) bad();
    if (text[at] === "]" && at > first) break;
    const low = element();
    const dash = text[at] === "-" && text[at + 1] !== "]" && at + 1 < text.length;
    if (low === null || !dash) {
      if (low === null && dash) unsure();
      if (low !== null) ranges.push([low, low]);
      continue;
    }
    at++;
    if (text[at] === "[" && (text[at + 1] === ":" || text[at + 1] === "=")) unsure();
    const high = element();
    if (high === null) return unsure();
    if (high < low) bad();
    ranges.push([low, high]);
    // `a-c-e`: what the second dash is, GNU's versions do not agree on.
    if (text[at] === "-" && text[at + 1] !== "]") unsure();
  }
  // `[:space:]` without its outer brackets: GNU grep refuses it, other versions take it as it stands.
  if (text[start] === ":" && text[at - 1] === ":" && at - start > 1) unsure();
  return { set: { negated, ranges, classes, fold }, next: at + 1 };
}

function codeOf(text: string): number {
  return text.codePointAt(0) ?? 0;
}
