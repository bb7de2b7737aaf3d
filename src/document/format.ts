import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { DOCUMENT_SCHEMA } from "./coerce.js";
import { orderedEntries, schemaOfKey } from "./key-order.js";
import { isPlainKey, isPlainValue } from "./plain.js";
import { isMap, type Schema } from "./schema-reader.js";
import type { HandoffDocument } from "./types.js";

// Legal inside a JSON string, but read as a line break, refused or invisible elsewhere. They occur in quoted
// strings only, since nothing but harmless ASCII is left unquoted.
const TO_ESCAPE = /[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;

/**
 * A document as it is stored: frontmatter between `---` lines, an empty line, the body as it stands. One key a
 * line, strings as JSON strings where they are not plainly safe, lists and maps in block form: any YAML reader
 * takes it, and so does the hook's own small one.
 */
export function formatDocument(document: HandoffDocument): string {
  const yaml = formatMap(document.meta);
  return `---\n${yaml}---\n${document.body === "" ? "" : `\n${document.body}`}`;
}

/** A map as frontmatter, keys in the document's order. */
export function formatMap(map: Record<string, unknown>): string {
  const yaml = new Document(null, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  yaml.contents = toNode(map, DOCUMENT_SCHEMA);
  const text = yaml.toString({
    lineWidth: 0,
    minContentWidth: 0,
    indent: 2,
    indentSeq: true,
    singleQuote: false,
    blockQuote: false,
    doubleQuotedAsJSON: true,
    nullStr: "null",
    flowCollectionPadding: false,
  });
  return text.replace(
    TO_ESCAPE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function toNode(value: unknown, schema: Schema): Scalar | YAMLMap | YAMLSeq {
  if (Array.isArray(value)) {
    const seq = new YAMLSeq();
    seq.items = value.map((item: unknown) => toNode(item, schema.items ?? {}));
    seq.flow = seq.items.length === 0;
    return seq;
  }
  if (isMap(value)) {
    const map = new YAMLMap();
    map.items = orderedEntries(value, schema).map(
      ([key, item]) => new Pair(textNode(key, isPlainKey(key)), toNode(item, schemaOfKey(schema, key, item))),
    );
    map.flow = map.items.length === 0;
    return map;
  }
  if (typeof value === "number" && Number.isFinite(value)) return new Scalar(value);
  if (typeof value === "boolean" || value === null || value === undefined) return new Scalar(value ?? null);
  const text = String(value);
  return textNode(text, isPlainValue(text));
}

function textNode(text: string, plain: boolean): Scalar<string> {
  const node = new Scalar(text);
  node.type = plain ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
  return node;
}
