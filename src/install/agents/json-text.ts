/**
 * Puts values into JSON text and takes them out, moving nothing else: jsonc-parser finds the places, but its own
 * edits reformat the lines around them. Pure.
 */
import { createScanner, findNodeAtLocation, type JSONPath, type Node } from "jsonc-parser";

const COMMA = 5;
const END = 17;

/** One insertion into the text as it was; offsets in characters. */
export interface Piece {
  offset: number;
  text: string;
}

/** How the user writes. */
interface Style {
  /** One level; `""` where everything stands on one line. */
  indent: string;
  eol: string;
}

export function styleOf(text: string): Style {
  if (!text.trim().includes("\n")) return { indent: "", eol: "\n" };
  return {
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ",
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** Inserts at a path whose last step is a new key of an object or the end of a list; the rest of it exists. */
export function insertAt(text: string, root: Node, path: JSONPath, value: unknown): Piece[] {
  const parent = findNodeAtLocation(root, path.slice(0, -1));
  if (parent === undefined) throw new Error(`nothing is at ${path.slice(0, -1).join(".")}`);
  const style = styleOf(text);
  const key = path.at(-1);
  const label = typeof key === "string" ? `${JSON.stringify(key)}: ` : "";
  const last = parent.children?.at(-1);
  return last === undefined
    ? intoEmpty(text, parent, label, value, style)
    : after(text, parent, last, label, value, style);
}

function after(text: string, parent: Node, last: Node, label: string, value: unknown, style: Style): Piece[] {
  const end = last.offset + last.length;
  const broken = text.slice(parent.offset, last.offset).includes("\n");
  if (!broken) {
    const inner = render(label, value, style, lineIndent(text, parent.offset));
    return [{ offset: end, text: `, ${inner}` }];
  }
  const indent = lineIndent(text, last.offset);
  const line = `${style.eol}${indent}${render(label, value, style, indent)}`;
  // A comment behind the last value goes on belonging to it.
  const comment = /^[ \t]*(\/\/[^\r\n]*|\/\*[^\r\n]*\*\/)(?=[ \t]*\r?\n)/.exec(text.slice(end));
  if (comment === null) return [{ offset: end, text: `,${line}` }];
  return [
    { offset: end, text: "," },
    { offset: end + comment[0].length, text: line },
  ];
}

function intoEmpty(text: string, parent: Node, label: string, value: unknown, style: Style): Piece[] {
  const close = parent.offset + parent.length - 1;
  const outer = lineIndent(text, parent.offset);
  const inside = text.slice(parent.offset + 1, close);
  if (style.indent === "" && !inside.includes("\n")) {
    return [{ offset: close, text: render(label, value, style, "") }];
  }
  const indent = outer + style.indent;
  const line = `${style.eol}${indent}${render(label, value, style, indent)}`;
  if (inside.trim() === "" && !inside.includes("\n"))
    return [{ offset: close, text: `${line}${style.eol}${outer}` }];
  return [{ offset: parent.offset + 1 + inside.trimEnd().length, text: line }];
}

function render(label: string, value: unknown, style: Style, indent: string): string {
  if (style.indent === "") return label + JSON.stringify(value);
  return label + JSON.stringify(value, null, style.indent).replaceAll("\n", `${style.eol}${indent}`);
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** Takes out the value (with its key) at a path, the comma that parted it, and the white space before it. */
export function removeAt(text: string, root: Node, path: JSONPath): string {
  const found = findNodeAtLocation(root, path);
  if (found === undefined) return text;
  const node = found.parent?.type === "property" ? found.parent : found;
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const before = siblings[at - 1];
  const next = siblings[at + 1];
  let start = node.offset;
  while (/\s/.test(text[start - 1] ?? "x")) start--;
  let end = node.offset + node.length;
  if (before !== undefined) {
    const comma = commaAfter(text, before.offset + before.length);
    return comma === null || comma >= start
      ? text.slice(0, start) + text.slice(end)
      : text.slice(0, comma) + text.slice(comma + 1, start) + text.slice(end);
  }
  const comma = commaAfter(text, end);
  if (comma !== null) end = comma + 1;
  if (next === undefined && node.parent !== undefined) {
    const close = node.parent.offset + node.parent.length - 1;
    // Behind a comment the line break must stay, or the bracket becomes part of it.
    const alone = start === node.parent.offset + 1;
    if (alone && text.slice(end, close).trim() === "") end = close;
  }
  return text.slice(0, start) + text.slice(end);
}

/** Where the comma behind a value stands; null when the next thing is something else. */
function commaAfter(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  const token: number = scanner.scan();
  if (token === END) return null;
  return token === COMMA ? scanner.getTokenOffset() : null;
}

export function insertPieces(text: string, pieces: readonly Piece[]): string {
  let result = "";
  let at = 0;
  for (const { offset, text: piece } of pieces) {
    result += text.slice(at, offset) + piece;
    at = offset;
  }
  return result + text.slice(at);
}

/** The text without the pieces, where they all still stand as far apart as they were put; else null. */
export function cutPieces(text: string, pieces: readonly Piece[]): string | null {
  const longest = pieces.reduce<Piece | null>(
    (found, piece) => (found === null || piece.text.length > found.text.length ? piece : found),
    null,
  );
  if (longest === null) return null;
  const at = text.indexOf(longest.text);
  if (at < 0 || text.indexOf(longest.text, at + 1) >= 0) return null;
  const shift = at - longest.offset - lengthBefore(pieces, longest);
  let result = "";
  let from = 0;
  for (const piece of pieces) {
    const place = piece.offset + lengthBefore(pieces, piece) + shift;
    if (place < from || text.slice(place, place + piece.text.length) !== piece.text) return null;
    result += text.slice(from, place);
    from = place + piece.text.length;
  }
  return result + text.slice(from);
}

function lengthBefore(pieces: readonly Piece[], piece: Piece): number {
  return pieces.slice(0, pieces.indexOf(piece)).reduce((sum, { text }) => sum + text.length, 0);
}
