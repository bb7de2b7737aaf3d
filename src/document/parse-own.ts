/**
 * Reads exactly what formatDocument writes, without a library and in linear time: the YAML library alone costs
 * the hook a quarter of Node's own start. Everything else is left to parse.ts.
 */
import { isUtf8 } from "node:buffer";
import { coerceFrontmatter } from "./coerce.js";
import { MAX_DOCUMENT_BYTES, splitFrontmatter } from "./frontmatter.js";
import { isPlainKey, isPlainValue } from "./plain.js";
import type { HandoffDocument } from "./types.js";

/** Deeper documents are legal, and rare enough for the slow way. */
const MAX_DEPTH = 40;
/** A YAML reader takes no longer key without another notation. */
const MAX_KEY = 500;

/**
 * The document, when the bytes are in our own form and nothing about it needs a warning; then it equals
 * parseDocument's. Otherwise undefined: ask parseDocument.
 */
export function parseOwnDocument(bytes: Uint8Array): HandoffDocument | undefined {
  if (bytes.length > MAX_DOCUMENT_BYTES || bytes[0] !== 0x2d) return undefined;
  const text = decodeStrictly(bytes);
  const parts = text === undefined ? null : splitFrontmatter(text);
  if (!parts) return undefined;
  try {
    const reader = new OwnReader(parts.yaml);
    const { meta, warnings } = coerceFrontmatter(reader.read(), true);
    return meta && warnings.length === 0 ? { meta, body: parts.body } : undefined;
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  }
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}

class NotOurs extends Error {}

interface Line {
  /** As written. */
  line: string;
  indent: number;
  text: string;
  /** What it says as a line of a map; made when first asked for. */
  entry: Entry | undefined;
}

/** The document before: most lines are the same in all, so that in a list of thousands they are taken apart once. */
let last: readonly Line[] = [];

class OwnReader {
  readonly #lines: Line[];
  #next = 0;

  constructor(yaml: string) {
    if (!yaml.endsWith("\n")) throw new NotOurs();
    const before = last;
    const lines = yaml
      .slice(0, -1)
      .split("\n")
      .map((line, index) => {
        const same = before[index];
        return same?.line === line ? same : lineOf(line);
      });
    last = lines;
    this.#lines = lines.slice();
  }

  read(): unknown {
    const value = this.#block(0, 0);
    if (this.#next !== this.#lines.length) throw new NotOurs();
    return value;
  }

  /** The map or list whose entries begin at this indentation. */
  #block(indent: number, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotOurs();
    const first = this.#at(indent);
    if (!first) throw new NotOurs();
    return first.text.startsWith("- ") ? this.#list(indent, depth) : this.#map(indent, depth);
  }

  #at(indent: number): Line | undefined {
    const line = this.#lines[this.#next];
    return line?.indent === indent ? line : undefined;
  }

  #list(indent: number, depth: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#at(indent); line; line = this.#at(indent)) {
      if (!line.text.startsWith("- ")) throw new NotOurs();
      const text = line.text.slice(2);
      const value = readScalar(text);
      if (value === undefined) {
        // What stands after the dash is a block of its own, two columns in.
        this.#lines[this.#next] = { line: text, indent: indent + 2, text, entry: undefined };
        items.push(this.#block(indent + 2, depth + 1));
      } else {
        this.#next += 1;
        items.push(value);
      }
    }
    return items;
  }

  #map(indent: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let line = this.#at(indent); line; line = this.#at(indent)) {
      const { key, rest, value } = entryOf(line);
      if (key === "__proto__" || Object.hasOwn(map, key)) throw new NotOurs();
      this.#next += 1;
      if (rest === "") map[key] = this.#block(indent + 2, depth + 1);
      else if (value === undefined) throw new NotOurs();
      else map[key] = typeof value === "object" ? readScalar(rest.slice(1)) : value;
    }
    return map;
  }
}

function lineOf(line: string): Line {
  let indent = 0;
  // Spaces only: trimStart would take other white space, which is content, for indentation.
  while (line.charCodeAt(indent) === 32) indent += 1;
  if (indent === line.length) throw new NotOurs();
  return { line, indent, text: indent === 0 ? line : line.slice(indent), entry: undefined };
}

interface Entry {
  key: string;
  /** What stands behind the colon. */
  rest: string;
  /** That as a value; a list or map is there to be made anew. Undefined when it is none. */
  value: unknown;
}

function entryOf(line: Line): Entry {
  if (line.entry) return line.entry;
  const { key, rest } = readKey(line.text);
  line.entry = { key, rest, value: rest.startsWith(" ") ? readScalar(rest.slice(1)) : undefined };
  return line.entry;
}

function readKey(text: string): { key: string; rest: string } {
  const end = text.startsWith('"') ? closingQuote(text) + 1 : text.indexOf(":");
  if (end <= 0 || end > MAX_KEY || text[end] !== ":") throw new NotOurs();
  const written = text.slice(0, end);
  const key = written.startsWith('"') ? readJsonString(written) : isPlainKey(written) ? written : undefined;
  if (key === undefined) throw new NotOurs();
  return { key, rest: text.slice(end + 1) };
}

function closingQuote(text: string): number {
  for (let index = 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index;
  }
  return -1;
}

/** A value on one line; undefined when it is none of the forms we write. */
function readScalar(text: string): unknown {
  switch (text) {
    case "null":
      return null;
    case "true":
      return true;
    case "false":
      return false;
    case "[]":
      return [];
    case "{}":
      return {};
    case "-0":
      return -0;
  }
  if (text.startsWith('"')) return readJsonString(text);
  if (/^-?\d/.test(text)) return String(Number(text)) === text ? Number(text) : undefined;
  return isPlainValue(text) ? text : undefined;
}

function readJsonString(text: string): string | undefined {
  if (!text.endsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
