/**
 * Reads exactly what formatDocument writes, without a library and in linear time: the YAML library alone costs
 * the hook a quarter of Node's own start. Everything else is left to parse.ts.
 */
import { coerceFrontmatter } from "./coerce.js";
import { splitFrontmatter } from "./frontmatter.js";
import { isPlainKey, isPlainValue } from "./plain.js";
import type { HandoffDocument } from "./types.js";

const MAX_BYTES = 1 << 20;
/** Deeper documents are legal, and rare enough for the slow way. */
const MAX_DEPTH = 40;
/** A YAML reader takes no longer key without another notation. */
const MAX_KEY = 500;

/**
 * The document, when the bytes are in our own form and nothing about it needs a warning; then it equals
 * parseDocument's. Otherwise undefined: ask parseDocument.
 */
export function parseOwnDocument(bytes: Uint8Array): HandoffDocument | undefined {
  if (bytes.length > MAX_BYTES || bytes[0] !== 0x2d) return undefined;
  const text = decodeStrictly(bytes);
  const parts = text === undefined ? null : splitFrontmatter(text);
  if (!parts) return undefined;
  try {
    const reader = new OwnReader(parts.yaml);
    const { meta, warnings } = coerceFrontmatter(reader.read());
    return meta && warnings.length === 0 ? { meta, body: parts.body } : undefined;
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  }
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

class NotOurs extends Error {}

interface Line {
  indent: number;
  text: string;
}

class OwnReader {
  readonly #lines: Line[];
  #next = 0;

  constructor(yaml: string) {
    if (!yaml.endsWith("\n")) throw new NotOurs();
    this.#lines = yaml
      .slice(0, -1)
      .split("\n")
      .map((line) => {
        // Spaces only: trimStart would take other white space, which is content, for indentation.
        const indent = line.search(/[^ ]|$/);
        return { indent, text: line.slice(indent) };
      });
    if (this.#lines.some((line) => line.text === "")) throw new NotOurs();
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
        this.#lines[this.#next] = { indent: indent + 2, text };
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
      const { key, rest } = readKey(line.text);
      if (key === "__proto__" || Object.hasOwn(map, key)) throw new NotOurs();
      this.#next += 1;
      if (rest === "") map[key] = this.#block(indent + 2, depth + 1);
      else {
        const value = rest.startsWith(" ") ? readScalar(rest.slice(1)) : undefined;
        if (value === undefined) throw new NotOurs();
        map[key] = value;
      }
    }
    return map;
  }
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
