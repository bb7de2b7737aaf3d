/**
 * Splits a predicate into words as a POSIX shell would, quotes and backslashes included, and expands nothing:
 * whatever a shell would expand, connect or redirect is refused.
 */
import { CannotEvaluate, REASONS } from "./cannot-evaluate.js";

export interface Word {
  text: string;
  /** No character was quoted: only such a word can be `!`, `[` or a reserved word. */
  bare: boolean;
}

const OPERATORS = new Set(["|", "&", ";", "<", ">", "(", ")", "\n", "`"]);
/** `$` before one of these is an expansion; before anything else a plain character. */
const EXPANDS = /[A-Za-z0-9_{(@*#?$!-]/;

/** Throws CannotEvaluate (`needs a shell`) for everything that is not a plain list of words. */
export function splitWords(line: string): Word[] {
  const refuse = (): never => {
    throw new CannotEvaluate(REASONS.shell);
  };
  const words: Word[] = [];
  /** The word being read; null between words. `plain` are its unquoted characters, for what a glob would be. */
  let word: { text: string; bare: boolean; plain: string } | null = null;
  const text = line.trim();
  const finish = (): void => {
    if (word === null) return;
    if (expandsToFiles(word.plain)) refuse();
    words.push({ text: word.text, bare: word.bare });
    word = null;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === " " || c === "\t") {
      finish();
      continue;
    }
    if (OPERATORS.has(c)) refuse();
    if (c === "#" && word === null) {
      if (text.includes("\n", i)) refuse();
      break;
    }
    if (c === "\\" && text[i + 1] === "\n") {
      i++;
      continue;
    }
    word ??= { text: "", bare: true, plain: "" };
    if (c === "'") {
      const end = text.indexOf("'", i + 1);
      if (end < 0) refuse();
      word.text += text.slice(i + 1, end);
      word.bare = false;
      word.plain += "\0";
      i = end;
    } else if (c === '"') {
      word.bare = false;
      word.plain += "\0";
      for (i++; text[i] !== '"'; i++) {
        const inner = text[i];
        if (inner === undefined || inner === "`") return refuse();
        if (inner === "$" && EXPANDS.test(text[i + 1] ?? "")) refuse();
        const next = text[i + 1];
        if (inner === "\\" && next === "\n") i++;
        else if (inner === "\\" && next !== undefined && '$`"\\'.includes(next)) {
          word.text += next;
          i++;
        } else word.text += inner;
      }
    } else if (c === "\\") {
      const next = text[++i];
      if (next === undefined) return refuse();
      word.text += next;
      word.bare = false;
      word.plain += "\0";
    } else {
      // `$'…'` and `$"…"` are quoting in some shells and a plain `$` in others.
      if (c === "$" && (EXPANDS.test(text[i + 1] ?? "") || /['"]/.test(text[i + 1] ?? ""))) refuse();
      word.text += c;
      word.plain += c;
    }
  }
  finish();
  return words;
}

/** Whether the unquoted characters of a word make a glob, a brace list or a home folder. */
function expandsToFiles(plain: string): boolean {
  // A glob that would have to match a file named `--include=…` is one nobody expands.
  if (plain.startsWith("--include=")) return /\{.*(,|\.\.).*\}/s.test(plain);
  if (plain.startsWith("~")) return true;
  return /[*?]/.test(plain) || /\[.*\]/s.test(plain) || /\{.*(,|\.\.).*\}/s.test(plain);
}
