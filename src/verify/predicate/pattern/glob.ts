/** `--include` globs, matched without backtracking. */
import { CannotEvaluate, REASONS } from "../cannot-evaluate.js";
import { Automaton } from "./automaton.js";
import { parseBracket } from "./bracket.js";
import { literal, type Node } from "./tree.js";

const ANY: Node = { is: "set", set: { negated: true, ranges: [], classes: [], fold: false } };

/** Whether a name matches; `*` and `?` match `/` too, as in grep. Throws CannotEvaluate (`bad pattern`). */
export function compileGlob(glob: string): (name: string) => boolean {
  const bad = (): never => {
    throw new CannotEvaluate(REASONS.pattern);
  };
  if (Buffer.byteLength(glob) > 255) bad();
  const text = Array.from(glob.replace(/\n/g, "\r"));
  const of: Node[] = [{ is: "assert", what: "lineStart" }];
  for (let at = 0; at < text.length; at++) {
    const c = text[at] ?? "";
    if (c === "*") of.push({ is: "repeat", node: ANY, min: 0, max: null });
    else if (c === "?") of.push(ANY);
    else if (c === "[" && text.includes("]", at + 2)) {
      const inner = [...text];
      if (inner[at + 1] === "!") inner[at + 1] = "^";
      const { set, next } = parseBracket(inner, at + 1, false, bad, bad);
      of.push({ is: "set", set });
      at = next - 1;
    } else if (c === "\\" && at + 1 < text.length) of.push(literal(text[++at] ?? "", false));
    else of.push(literal(c, false));
  }
  of.push({ is: "assert", what: "lineEnd" });
  const automaton = new Automaton({ is: "all", of });
  return (name) => {
    const line = name.replace(/\n/g, "\r");
    return automaton.someLine(line, 0, line.length, false, Number.POSITIVE_INFINITY);
  };
}
