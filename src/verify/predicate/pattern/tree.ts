/** A pattern as a tree, whatever syntax it was written in. */
import type { CharSet } from "./charset.js";

export type Assertion =
  | "lineStart"
  | "lineEnd"
  | "wordStart"
  | "wordEnd"
  | "boundary"
  | "noBoundary"
  /** The sides of a -w match. */
  | "noWordBefore"
  | "noWordAfter";

export type Node =
  | { is: "set"; set: CharSet }
  | { is: "all"; of: Node[] }
  | { is: "any"; of: Node[] }
  | { is: "repeat"; node: Node; min: number; max: number | null }
  | { is: "group"; number: number; node: Node }
  | { is: "back"; number: number }
  | { is: "assert"; what: Assertion };

/** A pattern whose meaning differs between GNU's own engines or versions: only the real grep can say. */
export class Unsure extends Error {
  override name = "Unsure";
}

export function literal(character: string, fold: boolean): Node {
  const code = character.codePointAt(0) ?? 0;
  return { is: "set", set: { negated: false, ranges: [[code, code]], classes: [], fold } };
}

/** An interval in braces: what expands to more than one copy. */
export function hasInterval(node: Node): boolean {
  switch (node.is) {
    case "all":
    case "any":
      return node.of.some(hasInterval);
    case "group":
      return hasInterval(node.node);
    case "repeat":
      return isInterval(node) || hasInterval(node.node);
    default:
      return false;
  }
}

export function isInterval(node: { min: number; max: number | null }): boolean {
  return node.min > 1 || (node.max ?? 1) > 1;
}

/** Whether a back-reference occurs. */
export function refersBack(node: Node): boolean {
  switch (node.is) {
    case "all":
    case "any":
      return node.of.some(refersBack);
    case "group":
    case "repeat":
      return refersBack(node.node);
    default:
      return node.is === "back";
  }
}

/** Whether an anchor has something before or behind it; `first`, `last`: nothing has this node. */
export function anchorsInside(node: Node, first: boolean, last: boolean): boolean {
  switch (node.is) {
    case "all":
      return node.of.some((item, at) =>
        anchorsInside(item, first && at === 0, last && at === node.of.length - 1),
      );
    case "any":
      return node.of.some((item) => anchorsInside(item, first, last));
    case "group":
      return anchorsInside(node.node, first, last);
    case "repeat":
      return looksAround(node.node) || anchorsInside(node.node, false, false);
    case "assert":
      return (node.what === "lineStart" && !first) || (node.what === "lineEnd" && !last);
    default:
      return false;
  }
}

export function isLineStart(node: Node | undefined): boolean {
  return node?.is === "assert" && node.what === "lineStart";
}

/** Whether no character at all can be a match. */
export function matchesNothing(node: Node): boolean {
  switch (node.is) {
    case "all":
      return node.of.every(matchesNothing);
    case "any":
      return node.of.some(matchesNothing);
    case "group":
      return matchesNothing(node.node);
    case "repeat":
      return node.min === 0 || matchesNothing(node.node);
    default:
      return node.is !== "set";
  }
}

/** Whether the edges of words matter. */
export function looksAround(node: Node): boolean {
  switch (node.is) {
    case "all":
    case "any":
      return node.of.some(looksAround);
    case "group":
    case "repeat":
      return looksAround(node.node);
    default:
      return node.is === "assert" && node.what !== "lineStart" && node.what !== "lineEnd";
  }
}
