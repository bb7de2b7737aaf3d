/**
 * What a list shows of a document, without taking the document apart: a list reads thousands in a process that has
 * just begun, where every step of JavaScript and every object is dear. Regular expressions made of the schema know
 * the lines that formatDocument writes; what they do not know (unknown keys, long frontmatter) is left to the
 * reader of the whole.
 */
import { isUtf8 } from "node:buffer";
import { DOCUMENT_SCHEMA } from "./coerce.js";
import { MAX_DOCUMENT_BYTES } from "./frontmatter.js";
import { parseOwnDocument } from "./parse-own.js";
import type { Schema } from "./schema-reader.js";

/** What a list shows of a document. */
export interface Headline {
  task_key: string;
  delivery: "pulled" | "pushed";
  /** As it stands there: ISO 8601 with offset, or whatever was written. */
  written: string;
  author: string;
  intent: string;
  breaking?: boolean;
}

/** Longer frontmatter is rare. It also bounds what the expressions can cost, whatever they are given. */
const MAX_FRONTMATTER = 1 << 13;

/**
 * The fields that a list shows, the same as in parseDocument's document, which then is not null.
 *
 * @returns undefined when the document is not plainly in our own form, or one of the fields is missing or odd: ask
 *   the full readers
 */
export function parseHeadline(bytes: Uint8Array): Headline | undefined {
  if (bytes.length > MAX_DOCUMENT_BYTES || !isUtf8(bytes)) return undefined;
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // One byte a character: the quickest to copy, and the expressions are compiled for one kind of string only.
  const match = frontmatterExpression().exec(buffer.toString("latin1", 0, MAX_FRONTMATTER));
  if (match === null) return readInFull(buffer);
  // By index: taking an array apart by a pattern goes through an iterator, ten times as slow before it is compiled.
  const rest = match[6];
  if (rest?.includes("\n ") && !areKnownBlocks(rest)) return readInFull(buffer);
  const headline: Headline = {
    task_key: textOf(match[1]),
    delivery: match[2] === "pushed" ? "pushed" : "pulled",
    written: textOf(match[3]),
    author: textOf(match[4]),
    intent: textOf(match[5]),
  };
  if (match[7] !== undefined) headline.breaking = match[7] === "true";
  else if (headline.delivery === "pushed") return undefined;
  return headline.intent.trim() === "" ? undefined : headline;
}

/** What the first call would wait for, for a caller that has to wait for something else anyway. */
export function prepareHeadlines(): void {
  frontmatterExpression();
}

let frontmatter: RegExp | undefined;

function frontmatterExpression(): RegExp {
  frontmatter ??= expression(frontmatterSource());
  return frontmatter;
}

const ENCODED = /[\\\x80-\xff]/;

/** A quoted text is JSON, with each byte of its UTF-8 a character here; any other stands for itself. */
function textOf(written = ""): string {
  if (written.charCodeAt(0) !== 0x22) return written;
  if (!ENCODED.test(written)) return written.slice(1, -1);
  return String(JSON.parse(Buffer.from(written, "latin1").toString()));
}

function readInFull(bytes: Buffer): Headline | undefined {
  const meta = parseOwnDocument(bytes)?.meta;
  if (!meta) return undefined;
  const { task_key, delivery, written, author, intent, breaking } = meta;
  const headline: Headline = { task_key, delivery, written, author, intent };
  // That reader puts a default in the place of what is missing or null.
  const lines = bytes.toString("latin1", 0, bytes.indexOf("\n---", 3) + 1);
  for (const [key, value] of Object.entries(headline)) {
    const isDefault = key === "delivery" || value === "unknown";
    if (!lines.includes(`\n${key}: ${isDefault ? `${value}\n` : ""}`)) return undefined;
  }
  return breaking === undefined ? headline : { ...headline, breaking };
}

/** By the key above the block. */
const blocks = new Map<string, RegExp>();

const BLOCK = /^([a-z_]+):(\n(?: {2}[^\n]+\n)+)/gm;

/** Whether the lists and maps in these lines hold nothing but what the schema names, in its order. */
function areKnownBlocks(lines: string): boolean {
  BLOCK.lastIndex = 0;
  for (let match = BLOCK.exec(lines); match; match = BLOCK.exec(lines)) {
    const [, key = "", block = ""] = match;
    let known = blocks.get(key);
    if (known === undefined) {
      known = expression(`${valueSource(DOCUMENT_SCHEMA.properties?.[key] ?? {}, "")}$`);
      blocks.set(key, known);
    }
    if (!known.test(block)) return false;
  }
  return true;
}

/**
 * V8 first makes byte code of an expression, and machine code once it is used again; for a text of this length it
 * makes machine code at once, which takes a quarter of the time.
 */
const LONG = " ".repeat(1000);

function expression(source: string): RegExp {
  const made = new RegExp(`^${source}`);
  made.test(LONG);
  return made;
}

// All that follows leaves one way only to go on at any character: failing costs no more than matching does.

/** What plain.ts leaves without quotes: not one of the reserved words, not too long, words with single spaces. */
const PLAIN = [
  "(?!(?:[nN](?:[oO]|[uU][lL]{2})?|[yY](?:[eE][sS])?|[oO](?:[nN]|[fF]{2})|[tT][rR][uU][eE]|[fF][aA][lL][sS][eE])\\n)",
  "(?=[A-Za-z][^\\n]{0,199}\\n)",
  "[A-Za-z0-9_./@<>()+=^-]+(?: [A-Za-z0-9_./@<>()+=^-]+)*(?<=[A-Za-z0-9)>])",
].join("");
/** A JSON string. */
const QUOTED = String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"`;
const TEXT = `(?:${PLAIN}|${QUOTED})`;
/** Fewer digits than could lose any. */
const WHOLE = "(?:0|-?[1-9][0-9]{0,14})";
/** No carriage return: `^` in BLOCK would take it for the end of a line. */
const INDENTED = "\\n(?: {2}[^\\n\\r]+\\n)+";

const CAPTURED = ["task_key", "delivery", "written", "author", "intent", "breaking"];

/** The lines of a document from `---` to `---`. Of lists and maps behind the intent only how far they go. */
function frontmatterSource(): string {
  const lines = Object.entries(DOCUMENT_SCHEMA.properties ?? {}).map(([key, schema]) => {
    if (key === "handoff") return `${key}: 1\\n`;
    if (CAPTURED.includes(key)) {
      const line = `${key}: (${scalarSource(schema)})\\n`;
      return key === "intent" ? `${line}(` : key === "breaking" ? `(?:${line})?` : line;
    }
    return `(?:${key}:${key === "session" ? valueSource(schema, "") : extentSource(schema)})?`;
  });
  return `---\\n${lines.join("")})---\\n`;
}

function extentSource(schema: Schema): string {
  if (schema.anyOf) return `(?: unknown\\n|${INDENTED})`;
  if (schema.type === "array") return `(?: \\[\\]\\n|${INDENTED})`;
  return schema.type === "object" ? INDENTED : valueSource(schema, "");
}

/** What stands behind a key's colon, with the end of the line. */
function valueSource(schema: Schema, indent: string): string {
  if (schema.anyOf) return `(?:${schema.anyOf.map((branch) => valueSource(branch, indent)).join("|")})`;
  const inner = `${indent}  `;
  const { properties, items } = schema;
  if (schema.type === "object") {
    const lines = Object.entries(properties ?? {}).map(
      ([key, value]) => `(?:${inner}${key}:${valueSource(value, inner)})?`,
    );
    return `\\n(?=${inner}[a-z])${lines.join("")}`;
  }
  if (schema.type === "array")
    return `(?: \\[\\]\\n|\\n(?:${inner}- ${itemSource(items ?? {}, `${inner}  `)})+)`;
  return ` ${scalarSource(schema)}\\n`;
}

/** What stands behind a dash: a map's first key on the same line, the others below it. */
function itemSource(schema: Schema, indent: string): string {
  if (schema.type !== "object") return `${scalarSource(schema)}\\n`;
  const lines = Object.entries(schema.properties ?? {}).map(
    ([key, value]) => `(?:(?:(?<=- )|${indent})${key}:${valueSource(value, indent)})?`,
  );
  return `(?=[a-z])${lines.join("")}`;
}

function scalarSource({ type, enum: values, const: constant }: Schema): string {
  if (constant !== undefined) return String(constant);
  if (values) return `(?:${values.join("|")})`;
  if (type === "string") return TEXT;
  if (type === "boolean") return "(?:true|false)";
  if (type === "integer") return WHOLE;
  return Array.isArray(type) ? `(?:null|${TEXT})` : `(?:null|true|false|${WHOLE}|${TEXT})`;
}
