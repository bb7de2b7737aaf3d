/** Bounds of a pattern that is not parsed here: what would eat memory in an engine that expands repetitions. */
import { CannotEvaluate, REASONS } from "../cannot-evaluate.js";

const MAX_INTERVAL = 255;

interface Held {
  interval: boolean;
  back: boolean;
}

/**
 * Throws `pattern too large` for an interval above 255, an interval around another, and a back-reference
 * under a repetition. `basic`: operators are the escaped characters.
 */
export function boundPattern(pattern: string, basic: boolean): void {
  const tooLarge = (): never => {
    throw new CannotEvaluate(REASONS.patternSize);
  };
  /** What the groups still open hold; the last is the innermost. */
  const groups: Held[] = [{ interval: false, back: false }];
  /** What the atom just read holds. */
  let atom: Held = { interval: false, back: false };
  const addToGroup = (held: Held): void => {
    const group = groups.at(-1);
    if (group === undefined) return;
    group.interval ||= held.interval;
    group.back ||= held.back;
  };

  for (let at = 0; at < pattern.length; at++) {
    const escaped = pattern[at] === "\\";
    if (escaped) at++;
    const c = pattern.charAt(at);
    const operator = escaped === basic;
    if (escaped && /[1-9gk]/.test(c)) {
      atom = { interval: false, back: true };
      addToGroup(atom);
    } else if (operator && c === "(") {
      groups.push({ interval: false, back: false });
    } else if (operator && c === ")" && groups.length > 1) {
      atom = groups.pop() ?? atom;
      addToGroup(atom);
    } else if (operator && c === "{") {
      const interval = /^\{(\d*),?(\d*)\\?\}/.exec(pattern.slice(at));
      if (interval === null) continue;
      const [whole, low, high] = interval;
      if (Number(low) > MAX_INTERVAL || Number(high) > MAX_INTERVAL) tooLarge();
      if (atom.interval || atom.back) tooLarge();
      atom = { interval: true, back: false };
      addToGroup(atom);
      at += whole.length - 1;
    } else if (!escaped && (c === "*" || c === "+")) {
      if (atom.back) tooLarge();
    } else {
      if (c === "[" && !escaped) {
        const end = pattern.indexOf("]", pattern[at + 1] === "^" ? at + 3 : at + 2);
        if (end >= 0) at = end;
      }
      atom = { interval: false, back: false };
    }
  }
}
