/** What a search selects whatever the file: told from the pattern alone, for predicates that cannot be false. */
import { CannotEvaluate } from "../cannot-evaluate.js";
import type { Search } from "../types.js";
import { Automaton } from "./automaton.js";
import { checkSize, requiredText, searchTree } from "./matcher.js";
import { type Node, refersBack, Unsure } from "./tree.js";

/** Milliseconds for looking through what a pattern can match. */
const PATIENCE = 50;

/** Whether every line that is not empty is selected. */
export function selectsEveryLine(search: Search): boolean {
  return decide(search, search.invert ? "none" : "all");
}

/** Whether no line can be selected. */
export function selectsNoLine(search: Search): boolean {
  return decide(search, search.invert ? "all" : "none");
}

/** Whether the patterns match all lines or none; false where that is not known. */
function decide(search: Search, wanted: "all" | "none"): boolean {
  if (search.syntax === "perl") return false;
  try {
    checkSize(search);
    if (search.patterns.every((pattern) => isPlain(pattern, wanted))) return false;
    // With -w only a match of the whole line is sure to stand between the ends of words.
    const line = search.line || (search.word && wanted === "all");
    const plain = search.word || search.line !== line ? { ...search, word: false, line } : search;
    const trees = search.patterns.map((pattern) => searchTree(plain, pattern));
    // Nearly every pattern is settled here: it names a character, or has nothing that could fail.
    if (wanted === "all" && trees.every((tree) => requiredText(tree) !== "")) return false;
    if (wanted === "none" && trees.some((tree) => !asserts(tree))) return false;
    const tree: Node = { is: "any", of: trees };
    return !refersBack(tree) && new Automaton(tree).range(Date.now() + PATIENCE) === wanted;
  } catch (error) {
    if (error instanceof Unsure || error instanceof CannotEvaluate) return false;
    throw error;
  }
}

/** Told without parsing: a letter must be there, or the pattern can match itself. */
function isPlain(pattern: string, wanted: "all" | "none"): boolean {
  if (wanted === "none") return !/[\\[\]^$*?+{}()|]/.test(pattern);
  return /^[^\\[\]*?+{}()|]*$/.test(pattern) && /[A-Za-z0-9]/.test(pattern);
}

/** Whether a place in the line matters, besides the whole of it. */
function asserts(node: Node): boolean {
  switch (node.is) {
    case "all": {
      const [first, ...rest] = node.of;
      const last = rest.at(-1);
      const whole =
        first?.is === "assert" &&
        first.what === "lineStart" &&
        last?.is === "assert" &&
        last.what === "lineEnd";
      return (whole ? rest.slice(0, -1) : node.of).some(asserts);
    }
    case "any":
      return node.of.some(asserts);
    case "group":
    case "repeat":
      return asserts(node.node);
    default:
      return node.is === "assert";
  }
}
