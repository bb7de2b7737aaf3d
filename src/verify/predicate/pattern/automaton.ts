/**
 * Matches lines in one pass, whatever the pattern: an automaton whose states are made when they are first
 * reached. No backtracking, so no pattern can hang it; memory is bounded by throwing states away.
 */
import { CannotEvaluate, REASONS } from "../cannot-evaluate.js";
import { type CharSet, contains, isWord, single } from "./charset.js";
import type { Assertion, Node } from "./tree.js";

/** Steps of the compiled pattern at most. */
const MAX_STEPS = 60_000;
/** Numbers kept in all states before they are thrown away and made anew. */
const MAX_KEPT = 1_000_000;

const SPLIT = 0;
const SET = 1;
const ASSERT = 2;
const ACCEPT = 3;

/** Class of the end of a line. */
const END = 0;

interface State {
  /** Steps reached right after the character before. */
  kernel: readonly number[];
  first: boolean;
  afterWord: boolean;
  next: (State | undefined)[];
}

/** Reached: the line matches; nothing more to read. */
const MATCHED: State = { kernel: [], first: false, afterWord: false, next: [] };
/** The end of the line, without a match. */
const FAILED: State = { kernel: [], first: false, afterWord: false, next: [] };

/** Absolute time in ms after which `timeout` is thrown. */
export type Until = number;

export class Automaton {
  private readonly op: number[] = [];
  private readonly a: number[] = [];
  private readonly b: number[] = [];
  private readonly assertions: Assertion[] = [];
  private readonly sets: CharSet[] = [];
  /** Number of a set, by its character where it has just one. */
  private readonly setOf = new Map<string | number, number>();
  private readonly complex: number[] = [];
  private readonly start: number;
  private readonly ascii = new Int32Array(128).fill(-1);
  private readonly others = new Map<number, number>();
  private readonly classOf = new Map<string, number>();
  /** Per class: which sets contain its characters, and whether they are word characters. */
  private readonly members: Uint8Array[] = [new Uint8Array(0)];
  private readonly wordClass: boolean[] = [false];
  private states = new Map<string, State>();
  private kept = 0;
  private marks = new Uint32Array(0);
  private mark = 0;
  private made = 0;

  /** Finds `node` anywhere in a line. Throws CannotEvaluate (`pattern too large`). */
  constructor(node: Node) {
    const accept = this.step(ACCEPT, 0, 0);
    this.start = this.build(node, accept);
    this.marks = new Uint32Array(this.op.length);
  }

  private step(op: number, a: number, b: number): number {
    if (this.op.length >= MAX_STEPS) throw new CannotEvaluate(REASONS.patternSize);
    this.op.push(op);
    this.a.push(a);
    this.b.push(b);
    return this.op.length - 1;
  }

  /** Steps that match `node` and go on at `next`; built backwards. */
  private build(node: Node, next: number): number {
    switch (node.is) {
      case "set":
        return this.step(SET, this.setNumber(node.set), next);
      case "assert": {
        let index = this.assertions.indexOf(node.what);
        if (index < 0) index = this.assertions.push(node.what) - 1;
        return this.step(ASSERT, index, next);
      }
      case "group":
        return this.build(node.node, next);
      case "all":
        return node.of.reduceRight((then, item) => this.build(item, then), next);
      case "any":
        return node.of
          .map((item) => this.build(item, next))
          .reduceRight((right, left) => this.step(SPLIT, left, right));
      case "repeat": {
        let then = next;
        if (node.max === null) {
          const loop = this.step(SPLIT, 0, next);
          this.a[loop] = this.build(node.node, loop);
          then = loop;
        } else {
          for (let i = node.min; i < node.max; i++) {
            then = this.step(SPLIT, this.build(node.node, then), next);
          }
        }
        for (let i = 0; i < node.min; i++) then = this.build(node.node, then);
        return then;
      }
      case "back":
        throw new Error("an automaton has no memory for back-references");
    }
  }

  private setNumber(set: CharSet): number {
    const only = single(set);
    // Most sets are one character; a key made for each of those would be half the work.
    const key = only ?? JSON.stringify(set);
    let number = this.setOf.get(key);
    if (number === undefined) {
      number = this.sets.push(set) - 1;
      this.setOf.set(key, number);
      if (only === null) this.complex.push(number);
    }
    return number;
  }

  private classify(codePoint: number): number {
    const only = this.setOf.get(codePoint) ?? -1;
    const word = this.assertions.length > 0 && isWord(codePoint);
    const inside =
      this.complex.length === 0
        ? []
        : this.complex.filter((number) => contains(this.sets[number] as CharSet, codePoint));
    const key = `${only} ${word} ${inside.join(",")}`;
    let found = this.classOf.get(key);
    if (found === undefined) {
      const members = new Uint8Array(this.sets.length);
      for (const number of inside) members[number] = 1;
      if (only >= 0) members[only] = 1;
      found = this.members.push(members) - 1;
      this.wordClass.push(word);
      this.classOf.set(key, found);
    }
    if (codePoint < 128) this.ascii[codePoint] = found;
    // A text with every character there is must not fill the memory.
    else if (this.others.size < 20_000) this.others.set(codePoint, found);
    return found;
  }

  private state(kernel: number[], first: boolean, afterWord: boolean): State {
    const key = `${first ? 1 : 0}${afterWord ? 1 : 0}${kernel.join(",")}`;
    let state = this.states.get(key);
    if (state === undefined) {
      this.kept += kernel.length + this.members.length + 8;
      if (this.kept > MAX_KEPT) {
        this.states = new Map();
        this.kept = 0;
      }
      state = { kernel, first, afterWord, next: [] };
      this.states.set(key, state);
    }
    return state;
  }

  private holds(what: Assertion, state: State, next: number): boolean {
    const before = state.afterWord;
    const after = this.wordClass[next] === true;
    switch (what) {
      case "lineStart":
        return state.first;
      case "lineEnd":
        return next === END;
      case "wordStart":
        return !before && after;
      case "wordEnd":
        return before && !after;
      case "boundary":
        return before !== after;
      case "noBoundary":
        return before === after;
      case "noWordBefore":
        return !before;
      case "noWordAfter":
        return !after;
    }
  }

  /** Follows what takes no character, then the character's class. */
  private move(state: State, cls: number, until: Until): State {
    if ((++this.made & 63) === 0 && Date.now() > until) throw new CannotEvaluate(REASONS.timeout);
    const mark = ++this.mark;
    const members = this.members[cls] ?? new Uint8Array(0);
    const stack = [...state.kernel, this.start];
    const reached: number[] = [];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.marks[at] === mark) continue;
      this.marks[at] = mark;
      const a = this.a[at] ?? 0;
      const b = this.b[at] ?? 0;
      switch (this.op[at]) {
        case SPLIT:
          stack.push(a, b);
          break;
        case ASSERT:
          if (this.holds(this.assertions[a] as Assertion, state, cls)) stack.push(b);
          break;
        case SET:
          if (cls !== END && members[a] === 1) reached.push(b);
          break;
        default:
          return MATCHED;
      }
    }
    if (cls === END) return FAILED;
    // What was reached twice does no harm, but would make states that differ in nothing else.
    const kernel = reached.length < 2 ? reached : [...new Set(reached)].sort((x, y) => x - y);
    return this.state(kernel, false, this.assertions.length > 0 && this.wordClass[cls] === true);
  }

  private follow(state: State, cls: number, until: Until): State {
    const known = state.next[cls];
    if (known !== undefined) return known;
    const next = this.move(state, cls, until);
    state.next[cls] = next;
    return next;
  }

  /** Whether some line of `text` between `from` and `to` matches (or, with `invert`, does not). */
  someLine(text: string, from: number, to: number, invert: boolean, until: Until): boolean {
    let at = from;
    while (at < to) {
      let state = this.state([], true, false);
      while (at < to) {
        const unit = text.charCodeAt(at);
        if (unit === 10) break;
        let cls: number;
        if (unit < 128) {
          at++;
          cls = this.ascii[unit] ?? -1;
          if (cls < 0) cls = this.classify(unit);
        } else {
          const codePoint = text.codePointAt(at) ?? unit;
          at += codePoint > 0xffff ? 2 : 1;
          cls = this.others.get(codePoint) ?? this.classify(codePoint);
        }
        state = state.next[cls] ?? this.follow(state, cls, until);
        if (state === MATCHED) break;
      }
      if (state !== MATCHED) state = this.follow(state, END, until);
      if ((state === MATCHED) !== invert) return true;
      if (state === MATCHED) {
        const end = text.indexOf("\n", at);
        at = end < 0 ? to : end;
      }
      at++;
    }
    return false;
  }

  /**
   * What can be said of all lines: `all` match (empty ones aside), `none` can, or `null`: some do, or it is
   * too large to say.
   */
  range(until: Until): "all" | "none" | null {
    // One character of each class is enough: no other set can tell them apart.
    for (let c = 0; c < 128; c++) if (c !== 10 && (this.ascii[c] ?? -1) < 0) this.classify(c);
    for (const c of [0xe9, 0x65e5, 0xa7, 0x1f600, 0x3b1, 0x416, 0xa0, 0x2028]) this.classify(c);
    const seen = new Set<State>();
    const open = [this.state([], true, false)];
    let all = true;
    let none = true;
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      if (seen.size > 300 || (!all && !none)) return null;
      const matches = this.follow(state, END, until) === MATCHED;
      if (matches) none = false;
      else if (!state.first) all = false;
      for (let cls = 1; cls < this.members.length; cls++) {
        const next = this.follow(state, cls, until);
        if (next === MATCHED) none = false;
        else open.push(next);
      }
    }
    return all ? "all" : none ? "none" : null;
  }
}
