/** Patterns with back-references as JavaScript ones, run where a clock can stop them. */
import { runInNewContext } from "node:vm";
import { CannotEvaluate, REASONS } from "../cannot-evaluate.js";
import type { CharSet, ClassName } from "./charset.js";
import { type Assertion, matchesNothing, type Node, Unsure } from "./tree.js";

const CLASS: Readonly<Partial<Record<ClassName, string>>> = {
  digit: "0-9",
  xdigit: "0-9A-Fa-f",
};

/** In a set of ASCII meaning only; other classes are left to the real grep in this rare form. */
function emitSet(set: CharSet): string {
  if (set.fold) throw new Unsure();
  const parts = set.ranges.map(
    ([low, high]) => `\\u{${low.toString(16)}}${high > low ? `-\\u{${high.toString(16)}}` : ""}`,
  );
  for (const name of set.classes) {
    const text = CLASS[name];
    if (text === undefined) throw new Unsure();
    parts.push(text);
  }
  return `[${set.negated ? "^" : ""}${parts.join("")}]`;
}

const ASSERT: Readonly<Partial<Record<Assertion, string>>> = { lineStart: "^", lineEnd: "$" };

/**
 * `certain`: every group on this way takes part in each match. A group that may not take part fails in POSIX
 * and is empty in JavaScript, and what a repeated one holds differs: the real grep is asked.
 */
function emit(node: Node, certain: Set<number>, onWay: boolean): string {
  switch (node.is) {
    case "set":
      return emitSet(node.set);
    case "assert": {
      const text = ASSERT[node.what];
      if (text === undefined) throw new Unsure();
      return text;
    }
    case "all":
      return node.of.map((item) => emit(item, certain, onWay)).join("");
    case "any":
      return `(?:${node.of.map((item) => emit(item, certain, false)).join("|")})`;
    case "group": {
      const text = emit(node.node, certain, onWay);
      // GNU's engine does not refer back to nothing reliably.
      if (onWay && !matchesNothing(node.node)) certain.add(node.number);
      return `(${text})`;
    }
    case "repeat":
      return `(?:${emit(node.node, certain, false)}){${node.min},${node.max ?? ""}}`;
    case "back":
      if (!certain.has(node.number)) throw new Unsure();
      return `\\${node.number}(?:)`;
  }
}

/** JavaScript source with the same matches. Throws Unsure. */
export function emitPattern(node: Node): string {
  return emit(node, new Set(), true);
}

/** Whether some line matches; throws CannotEvaluate (`timeout`) after `until` (ms, absolute). */
export function someLineMatches(source: string, lines: readonly string[], until: number): boolean {
  const timeout = Math.max(1, Math.floor(until - Date.now()));
  try {
    return runInNewContext(
      "lines.some((line) => pattern.test(line))",
      { lines, pattern: new RegExp(source, "u") },
      { timeout },
    );
  } catch (error) {
    // The error may come from the other context: instanceof does not know it.
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new CannotEvaluate(REASONS.timeout);
    // The engine's own bound on its stack.
    throw new CannotEvaluate("out-of-budget: the pattern needs too much memory");
  }
}
