/** Puts quotes around values that were meant as text, line by line, before YAML reads them. */

/**
 * How the unquoted value of a key is read: `whole`: all of the line is the text; `comment`: a `#` with white
 * space on both sides begins a comment.
 */
export type TextKeys = Readonly<Record<string, "whole" | "comment">>;

// All of these are anchored, so that no line takes more than its length.
const ENTRY = /^([ ]*(?:- +)*)([A-Za-z_][\w-]*):($|[ \t].*)/;
const BLOCK_SCALAR = /^[|>][-+0-9]{0,2}(?:[ \t]+#.*)?$/;
const NOTHING = /^(?:null|~)?(?:[ \t]+#.*|#.*)?$/;
const DOUBLE_QUOTED = /^"((?:[^"\\]|\\[\s\S])*)"[ \t]*(?:[ \t]#.*)?$/;
const SINGLE_QUOTED = /^'(?:[^']|'')*'[ \t]*(?:[ \t]#.*)?$/;
/** What YAML knows behind a backslash. */
const ESCAPES = /^(?:[^\\]|\\(?:[0abtnvfre "/\\N_LP\n\t]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}))*$/;
/** Lines that a quoted value may span. */
const MAX_QUOTED_LINES = 200;

/**
 * @param options.broken also quote every other value that YAML would refuse or cut
 * @returns the text, and `key (line N)` for each value that plain YAML would have read otherwise or not at all
 */
export function quoteScalars(
  yaml: string,
  textKeys: TextKeys,
  options: { broken?: boolean } = {},
): { text: string; plain: string[] } {
  const lines = yaml.split("\n");
  const out: string[] = [];
  const plain: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const [, lead = "", key = "", rest = ""] = ENTRY.exec(line) ?? [];
    const value = rest.trim();
    const policy = Object.hasOwn(textKeys, key) ? textKeys[key] : undefined;
    const end = key === "" ? at + 1 : extent(lines, at, lead.length, value);
    const given = lines.slice(at, end);
    const wanted = policy !== undefined ? isText(value, given) : options.broken === true && isBroken(value);
    if (key === "" || !wanted) out.push(...given);
    else {
      const text = scalarText(value, given.slice(1), policy ?? "comment");
      out.push(`${lead}${key}: ${JSON.stringify(text)}`);
      // Line numbers of complaints stay right.
      for (let extra = 1; extra < given.length; extra += 1) out.push("");
      if (isBroken(policy === "whole" ? value : withoutComment(value))) plain.push(`${key} (line ${at + 1})`);
    }
    at = end;
  }
  return { text: out.join("\n"), plain };
}

/** Index after the last line that belongs to a value: a block, a quoted text or a plain one may go on. */
function extent(lines: readonly string[], at: number, column: number, value: string): number {
  if (/^["']/.test(value)) return endOfQuoted(lines, at, value) ?? at + 1;
  const isBlock = BLOCK_SCALAR.test(value);
  // `key:` alone: what follows is a map, a list, or a text that begins on the next line.
  if (value === "" && !beginsText(lines, at, column)) return at + 1;
  let end = at + 1;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (line.trim() === "") continue;
    const indent = line.search(/\S/);
    if (indent <= column || (!isBlock && line[indent] === "#")) break;
    end = next + 1;
  }
  return end;
}

/** Index after the line on which a quoted value ends; null where nothing but a comment may follow and something does. */
function endOfQuoted(lines: readonly string[], at: number, value: string): number | null {
  const quote = value[0] ?? "";
  let text = value.slice(1);
  for (let line = at; line < Math.min(lines.length, at + MAX_QUOTED_LINES); line += 1) {
    if (line > at) text = lines[line] ?? "";
    for (let index = 0; index < text.length; index += 1) {
      if (quote === '"' && text[index] === "\\") index += 1;
      else if (quote === "'" && text.startsWith("''", index)) index += 1;
      else if (text[index] === quote) return NOTHING.test(text.slice(index + 1).trim()) ? line + 1 : null;
    }
  }
  return null;
}

/** Up to a `#` that has white space on both sides. */
function withoutComment(line: string): string {
  for (let at = line.indexOf("#"); at >= 0; at = line.indexOf("#", at + 1)) {
    if (/^[ \t]#(?:\s|$)/.test(line.slice(at - 1, at + 2))) return line.slice(0, at).trimEnd();
  }
  return line;
}

function beginsText(lines: readonly string[], at: number, column: number): boolean {
  let next = at + 1;
  while (next < lines.length && lines[next]?.trim() === "") next += 1;
  const line = lines[next] ?? "";
  return line.search(/\S|$/) > column && !/^\s*(?:- |-$|#|[|>]|["'[{])/.test(line);
}

/** A text key's value that is not quoted already (or not as YAML has it), is no block and not null. */
function isText(value: string, given: readonly string[]): boolean {
  if (value === "" && given.length > 1) return true;
  if (NOTHING.test(value) || BLOCK_SCALAR.test(value)) return false;
  return !isQuoted([value, ...given.slice(1)].join("\n"));
}

function isQuoted(value: string): boolean {
  if (SINGLE_QUOTED.test(value)) return true;
  const [, inner] = DOUBLE_QUOTED.exec(value) ?? [];
  return inner !== undefined && ESCAPES.test(inner);
}

/** Would plain YAML refuse this value, cut it, or take it for something else than text? */
function isBroken(value: string): boolean {
  if (value === "" || BLOCK_SCALAR.test(value)) return false;
  if (/^["']/.test(value)) return !isQuoted(value);
  if (/^\[.*\]$|^\{.*\}$/.test(value)) return value.startsWith("[ ");
  return /^[@`%&*!,[\]{}|>]|^[-?:](?:\s|$)|:\s|:$|\s#/.test(value);
}

/** The text meant: further lines folded into the first, an improper pair of double quotes taken off. */
function scalarText(value: string, further: readonly string[], policy: "whole" | "comment"): string {
  const folded = [value, ...further.map((line) => line.trim())].filter((line) => line !== "");
  const [, inner] = DOUBLE_QUOTED.exec(value) ?? [];
  if (inner !== undefined && further.length === 0) return inner.replace(/\\(["\\])/g, "$1");
  return folded
    .map((line) => (policy === "comment" ? withoutComment(line) : line))
    .join(" ")
    .trim();
}
