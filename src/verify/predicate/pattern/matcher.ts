/** Compiles what grep looks for to the cheapest way that provably gives grep's answer. */
import { isAscii, isUtf8 } from "node:buffer";
import { CannotEvaluate, REASONS } from "../cannot-evaluate.js";
import type { Search } from "../types.js";
import { Automaton } from "./automaton.js";
import { emitPattern, someLineMatches } from "./backreference.js";
import { ODD_CASE, single } from "./charset.js";
import { boundPattern } from "./size.js";
import { parsePattern } from "./syntax.js";
import { literal, looksAround, matchesNothing, type Node, refersBack, Unsure } from "./tree.js";

/** Bytes of all patterns of one search. */
const MAX_PATTERN = 1_000;

/** A file's bytes, decoded once however many searches look at it. */
export class Content {
  private decoded: string | null | undefined;
  private odd: boolean | undefined;
  private lowered: string | null | undefined;

  constructor(readonly bytes: Uint8Array) {}

  /** As text; null where grep would not take it for UTF-8 text. */
  text(): string | null {
    if (this.decoded === undefined) {
      const buffer = Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
      if (buffer.includes(0) || !isUtf8(buffer)) this.decoded = null;
      else this.decoded = buffer.toString(isAscii(buffer) ? "latin1" : "utf8");
    }
    return this.decoded;
  }

  /** In small letters where it is ASCII, else null. */
  lowerAscii(): string | null {
    this.lowered ??= isAscii(this.bytes) ? (this.text()?.toLowerCase() ?? null) : null;
    return this.lowered;
  }

  /** For -i: characters whose other case libraries differ about. */
  hasOddCase(): boolean {
    this.odd ??= !isAscii(this.bytes) && ODD_CASE.test(this.text() ?? "");
    return this.odd;
  }

  includes(needle: Buffer): boolean {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).includes(needle);
  }
}

/** Whether grep would select some line; null: only the real grep can say. May throw CannotEvaluate. */
export type Matcher = (content: Content, until: number) => boolean | null;

/** Trees of the searches in hand: what a pattern selects and what it matches are asked one after the other. */
const trees = new WeakMap<Search, Map<string, Node>>();

/** The tree of one pattern with -x or -w around it. Throws Unsure, CannotEvaluate. */
export function searchTree(search: Search, pattern: string): Node {
  const known = trees.get(search) ?? new Map<string, Node>();
  trees.set(search, known);
  const tree = known.get(pattern) ?? makeTree(search, pattern);
  known.set(pattern, tree);
  return tree;
}

function makeTree(search: Search, pattern: string): Node {
  const node: Node =
    search.syntax === "fixed"
      ? { is: "all", of: Array.from(pattern, (c) => literal(c, search.ignoreCase)) }
      : parsePattern(pattern, search.syntax === "extended", search.ignoreCase);
  const around = (before: Node, after: Node): Node => ({ is: "all", of: [before, node, after] });
  if (search.line) return around({ is: "assert", what: "lineStart" }, { is: "assert", what: "lineEnd" });
  if (!search.word) return node;
  // GNU shortens a match to find one between word ends, but never to nothing, and asks its other engine
  // about the edges of words.
  if (matchesNothing(node) || looksAround(node)) throw new Unsure();
  return around({ is: "assert", what: "noWordBefore" }, { is: "assert", what: "noWordAfter" });
}

/** Characters that mean themselves in every syntax. */
const LITERAL = /^[\w \t!"#%&',/:;<=>@`~-]+$/;

/**
 * What most patterns are: one text, told without parsing, which costs the hook several milliseconds when it is
 * done for the first time. null: look closer.
 */
export function plainPattern(search: Search): string | null {
  const [pattern, another] = search.patterns;
  if (!pattern || another !== undefined) return null;
  if (search.ignoreCase || search.word || search.line || search.invert) return null;
  const literal = search.syntax === "fixed" ? !pattern.includes("\n") : LITERAL.test(pattern);
  return literal && search.syntax !== "perl" ? pattern : null;
}

/** The text of a pattern without operators, else null. */
function plainText(node: Node): string | null {
  const sets = node.is === "all" ? node.of : [node];
  let text = "";
  for (const item of sets) {
    const code = item.is === "set" ? single(item.set) : null;
    if (code === null) return null;
    text += String.fromCodePoint(code);
  }
  return text;
}

/**
 * The longest text every match contains; "" where there is none to be seen at the top. With -i one of its
 * spellings.
 */
export function requiredText(node: Node): string {
  if (node.is === "group") return requiredText(node.node);
  let longest = "";
  let run = "";
  for (const item of node.is === "all" ? node.of : [node]) {
    const code = item.is === "set" ? single({ ...item.set, fold: false }) : null;
    if (code !== null) run += String.fromCodePoint(code);
    else if (item.is !== "assert") {
      const inner = item.is === "group" || (item.is === "all" && item !== node) ? requiredText(item) : "";
      if (inner.length > longest.length) longest = inner;
      run = "";
    }
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/** Where a required text occurs next in a content's text, or -1. */
type Finder = (content: Content, text: string, from: number) => number;

function finder(required: string, ignoreCase: boolean): Finder {
  if (!ignoreCase) return (_, text, from) => text.indexOf(required, from);
  const ascii = /^[\0-\x7f]*$/.test(required);
  const lower = required.toLowerCase();
  let pattern: RegExp | null = null;
  return (content, text, from) => {
    const lowered = ascii ? content.lowerAscii() : null;
    if (lowered !== null) return lowered.indexOf(lower, from);
    // Only characters: nothing to go back for.
    pattern ??= new RegExp(required.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), ascii ? "gi" : "giu");
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? -1;
  };
}

/** Whether a tree is nothing but this ASCII text. */
function isText(node: Node, text: string): boolean {
  const sets = node.is === "all" ? node.of : [node];
  return sets.length === text.length && /^[\0-\x7f]*$/.test(text) && sets.every((item) => item.is === "set");
}

function onlyRealGrep(): null {
  return null;
}

/** Throws CannotEvaluate: `bad pattern`, `pattern too large`. */
export function compileSearch(search: Search): Matcher {
  checkSize(search);
  const plain = plainPattern(search);
  if (plain !== null) {
    const bytes = Buffer.from(plain);
    return (content) => content.includes(bytes);
  }
  const trees: Node[] = [];
  let unsure = search.syntax === "perl";
  for (const pattern of search.patterns) {
    try {
      if (search.syntax === "perl") throw new Unsure();
      trees.push(searchTree(search, pattern));
    } catch (error) {
      if (!(error instanceof Unsure)) throw error;
      if (search.syntax !== "fixed") boundPattern(pattern, search.syntax === "basic");
      unsure = true;
    }
  }
  if (unsure || (search.ignoreCase && search.patterns.some((pattern) => ODD_CASE.test(pattern)))) {
    return onlyRealGrep;
  }
  const matchers = search.invert
    ? [matchTrees(search, trees)]
    : trees.map((tree) => matchTrees(search, [tree]));
  return (content, until) => {
    if (content.bytes.length === 0) return false;
    let answer: boolean | null = false;
    for (const match of matchers) {
      const found = match(content, until);
      if (found === true) return true;
      if (found === null) answer = null;
    }
    return answer;
  };
}

export function checkSize(search: Search): void {
  if (Buffer.byteLength(search.patterns.join("\n")) > MAX_PATTERN) {
    throw new CannotEvaluate(REASONS.patternSize);
  }
}

function matchTrees(search: Search, trees: readonly Node[]): Matcher {
  const [tree] = trees;
  const one = trees.length === 1 && tree !== undefined ? tree : null;
  if (one !== null && !search.invert) {
    const plain = plainText(one);
    // Found as bytes, in whatever encoding: UTF-8 characters do not overlap.
    if (plain !== null) {
      const bytes = Buffer.from(plain);
      return (content) => bytes.length === 0 || content.includes(bytes);
    }
  }
  if (trees.some(refersBack)) return one === null ? onlyRealGrep : matchBack(search, one);

  const required = one === null || search.invert ? "" : requiredText(one);
  const find = finder(required, search.ignoreCase);
  // A word in any case: where it is found, it matches.
  const whole = one !== null && search.ignoreCase && required !== "" && isText(one, required);
  let automaton: Automaton | null = null;
  return (content, until) => {
    const text = content.text();
    if (text === null && required !== "" && !search.ignoreCase && !content.includes(Buffer.from(required)))
      return false;
    if (text === null || (search.ignoreCase && content.hasOddCase())) return null;
    if (whole) return find(content, text, 0) >= 0;
    automaton ??= new Automaton(one ?? { is: "any", of: [...trees] });
    if (required === "") return automaton.someLine(text, 0, text.length, search.invert, until);
    for (let at = find(content, text, 0); at >= 0; ) {
      const start = text.lastIndexOf("\n", at) + 1;
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      if (automaton.someLine(text, start, end, false, until)) return true;
      at = find(content, text, end);
    }
    return false;
  };
}

function matchBack(search: Search, tree: Node): Matcher {
  let source: string;
  try {
    if (search.ignoreCase || search.word) throw new Unsure();
    source = emitPattern(tree);
  } catch (error) {
    if (error instanceof Unsure) return onlyRealGrep;
    throw error;
  }
  return (content, until) => {
    const text = content.text();
    if (text === null) return null;
    const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
    if (!search.invert) return someLineMatches(source, lines, until);
    return someLineMatches(`^(?!.*(?:${source}))`, lines, until);
  };
}
