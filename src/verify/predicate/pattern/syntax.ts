/** GNU basic and extended regular expressions to a tree; what GNU itself is not of one mind about is `Unsure`. */
import { CannotEvaluate, REASONS } from "../cannot-evaluate.js";
import { parseBracket } from "./bracket.js";
import type { CharSet } from "./charset.js";
import {
  anchorsInside,
  hasInterval,
  isInterval,
  isLineStart,
  literal,
  type Node,
  refersBack,
  Unsure,
} from "./tree.js";

const bad = (): never => {
  throw new CannotEvaluate(REASONS.pattern);
};
const tooLarge = (): never => {
  throw new CannotEvaluate(REASONS.patternSize);
};
const unsure = (): never => {
  throw new Unsure();
};

/** Above this one repeated expression takes hundreds of megabytes in GNU's engines. */
const MAX_INTERVAL = 255;

const ESCAPES: Readonly<Record<string, Node>> = {
  w: { is: "set", set: wordSet(false) },
  W: { is: "set", set: wordSet(true) },
  s: { is: "set", set: { negated: false, ranges: [], classes: ["space"], fold: false } },
  S: { is: "set", set: { negated: true, ranges: [], classes: ["space"], fold: false } },
  "<": { is: "assert", what: "wordStart" },
  ">": { is: "assert", what: "wordEnd" },
  b: { is: "assert", what: "boundary" },
  B: { is: "assert", what: "noBoundary" },
  "`": { is: "assert", what: "lineStart" },
  "'": { is: "assert", what: "lineEnd" },
};

function wordSet(negated: boolean): CharSet {
  return { negated, ranges: [[95, 95]], classes: ["alnum"], fold: false };
}

/** Throws CannotEvaluate for what GNU refuses or what is too large, Unsure for what only the real grep can say. */
export function parsePattern(pattern: string, extended: boolean, fold: boolean): Node {
  const node = new Parser(Array.from(pattern), extended, fold).whole();
  // GNU's two engines do not agree about anchors that have something before or behind them, nor about the
  // edges of words under a repetition.
  if (anchorsInside(node, true, true)) unsure();
  return node;
}

class Parser {
  private at = 0;
  private opened = 0;
  private readonly closed = new Set<number>();
  /** Groups that stand under a repetition. */
  private readonly repeatedGroups = new Set<number>();

  constructor(
    private readonly text: readonly string[],
    private readonly extended: boolean,
    private readonly fold: boolean,
  ) {}

  whole(): Node {
    const node = this.alternatives();
    // Only a closing parenthesis without an opening one stops short: an error in the basic syntax, in the
    // extended one a character that upsets what -x and -w put around it.
    if (this.at < this.text.length) return this.extended ? unsure() : bad();
    return node;
  }

  /** The operator at `at`, as the extended syntax writes it; null for a plain character. */
  private operator(at = this.at): string | null {
    const c = this.text[at];
    if (c === undefined) return null;
    if (this.extended) return "|()*+?{".includes(c) ? c : null;
    if (c === "*") return "*";
    const next = this.text[at + 1];
    return c === "\\" && next !== undefined && "|()+?{".includes(next) ? next : null;
  }

  private skipOperator(): void {
    this.at += !this.extended && this.text[this.at] === "\\" ? 2 : 1;
  }

  private alternatives(): Node {
    const branches = [this.branch()];
    while (this.operator() === "|") {
      this.skipOperator();
      branches.push(this.branch());
    }
    return branches.length === 1 && branches[0] !== undefined ? branches[0] : { is: "any", of: branches };
  }

  private branch(): Node {
    const items: Node[] = [];
    while (this.at < this.text.length) {
      const operator = this.operator();
      if (operator === "|" || operator === ")") break;
      const groups = this.opened;
      items.push(this.repeated(this.atom(items), groups));
    }
    return items.length === 1 && items[0] !== undefined ? items[0] : { is: "all", of: items };
  }

  private atom(before: readonly Node[]): Node {
    const operator = this.operator();
    const c = this.text[this.at] ?? "";
    if (operator === "(") {
      this.skipOperator();
      const number = ++this.opened;
      const node = this.alternatives();
      if (this.operator() !== ")") bad();
      this.skipOperator();
      this.closed.add(number);
      return { is: "group", number, node };
    }
    if (operator !== null) {
      const last = before.at(-1)?.is;
      if (this.extended && c === "{" && (last === "set" || last === "group") && this.isPlainBrace()) {
        this.at++;
        return literal("{", this.fold);
      }
      // A repetition of nothing. Basic `*` is then itself, for the rest GNU's engines differ.
      const first = before.length === 0 || (before.length === 1 && isLineStart(before[0]));
      if (this.extended || operator !== "*" || !first) unsure();
      this.at++;
      return literal("*", this.fold);
    }
    this.at++;
    if (c === "\\") return this.escape();
    if (c === ".") return { is: "set", set: { negated: true, ranges: [], classes: [], fold: false } };
    if (c === "[") {
      const { set, next } = parseBracket(this.text, this.at, this.fold, bad, unsure);
      this.at = next;
      return { is: "set", set };
    }
    if (c === "^" && (this.extended || before.length === 0)) return { is: "assert", what: "lineStart" };
    if (c === "$" && (this.extended || this.endsBranch())) return { is: "assert", what: "lineEnd" };
    return literal(c, this.fold);
  }

  /** An extended `{` that begins no interval and is not repeated itself. */
  private isPlainBrace(): boolean {
    const next = this.text[this.at + 1];
    return next === undefined || !"0123456789,}*+?{".includes(next);
  }

  private endsBranch(): boolean {
    const operator = this.operator();
    return this.at >= this.text.length || operator === ")" || operator === "|";
  }

  private escape(): Node {
    const c = this.text[this.at++];
    if (c === undefined) return bad();
    if (/[1-9]/.test(c)) {
      const number = Number(c);
      if (number > this.opened) bad();
      if (!this.closed.has(number)) unsure();
      if (this.repeatedGroups.has(number)) tooLarge();
      return { is: "back", number };
    }
    if (c === "0" || c === "\n" || (c === "}" && !this.extended)) unsure();
    return Object.hasOwn(ESCAPES, c) ? (ESCAPES[c] ?? unsure()) : literal(c, this.fold);
  }

  /** The repetitions behind an atom; `groups`: how many were opened before it. */
  private repeated(atom: Node, groups: number): Node {
    let node = atom;
    for (;;) {
      const operator = this.operator();
      if (operator === null || "|()".includes(operator)) return node;
      let range: { min: number; max: number | null };
      if (operator === "{") {
        const interval = this.interval();
        if (interval === null) return node;
        range = interval;
      } else {
        // After a basic `^` a star is an ordinary character.
        if (!this.extended && operator === "*" && isLineStart(node)) return node;
        this.skipOperator();
        range = { min: operator === "+" ? 1 : 0, max: operator === "?" ? 1 : null };
      }
      if (node.is === "assert") unsure();
      if (operator === "{" && isInterval(range) && hasInterval(node)) tooLarge();
      node = { is: "repeat", node, ...range };
      if (refersBack(node)) tooLarge();
      for (let number = groups + 1; number <= this.opened; number++) this.repeatedGroups.add(number);
    }
  }

  /** Reads `{m}`, `{m,}`, `{m,n}` or `{,n}`; null where an extended `{` is an ordinary character. */
  private interval(): { min: number; max: number | null } | null {
    const start = this.at + (this.extended ? 1 : 2);
    const end = this.text.indexOf(this.extended ? "}" : "\\", start);
    const inner = end < 0 ? "" : this.text.slice(start, end).join("");
    const match = /^(\d+)?(,)?(\d+)?$/.exec(inner);
    const closed = this.extended || this.text[end + 1] === "}";
    if (match === null || inner === "" || inner === "," || !closed) {
      if (this.extended && !/[0-9,}]/.test(this.text[start] ?? "")) return null;
      return unsure();
    }
    const [, low, comma, high] = match;
    const min = Number(low ?? 0);
    const max = comma === undefined ? min : high === undefined ? null : Number(high);
    if (min > MAX_INTERVAL || (max ?? 0) > MAX_INTERVAL) tooLarge();
    if (max !== null && min > max) bad();
    this.at = end + (this.extended ? 1 : 2);
    return { min, max };
  }
}
