/** Interprets the small part of JSON Schema that schema.json uses, so that reading needs no schema library. */
import { oneLine } from "./strip.js";

export interface Schema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
}

type Loose = Record<string, unknown>;

/** Where a value stands; only spelled out for a warning. */
type Path = { up: Path; key: string | number } | null;

const MAX_DEPTH = 64;
/** Above what a document of the largest size can hold itself; only aliases repeated in aliases get there. */
const MAX_NODES = 600_000;
const MAX_WARNINGS = 20;
/** Left out: the key path's value is not usable and has no default. */
const DROPPED = Symbol("dropped");

interface Reading {
  warnings: string[];
  /** Of warnings, also those not kept. */
  total: number;
  nodes: number;
  /** The maps are the reader's own: put right in place, which makes no second one of each. */
  own: boolean;
}

/**
 * A map as the schema describes it, made of whatever was read: keys keep their order, unknown ones too; what
 * is wrong gets its default or is dropped; what is missing gets its default. Never throws.
 *
 * @param own nobody else has `raw` or anything in it: it may be changed, and becomes the answer
 * @returns undefined when the map has none of the keys the schema requires; each warning is one line that
 *   begins with the key path
 */
export function readBySchema(
  raw: Loose,
  schema: Schema,
  own = false,
): { value: Record<string, unknown> | undefined; warnings: string[] } {
  const reading: Reading = { warnings: [], total: 0, nodes: 0, own };
  const value = readMap(raw, schema, null, 0, reading);
  const more = reading.total - reading.warnings.length;
  if (more > 0) reading.warnings.push(`… and ${more} more like these`);
  return { value: isMap(value) ? value : undefined, warnings: reading.warnings };
}

export function isMap(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(value: unknown, schema: Schema, path: Path, depth: number, reading: Reading): unknown {
  if (schema.anyOf) return readChoice(value, schema, path, depth, reading);
  const types = typesOf(schema);
  if (types.length === 0 && schema.enum === undefined && schema.const === undefined) {
    return copy(value, path, depth, reading);
  }
  if (types.includes("null") && value === null) return null;
  if (types.includes("object")) {
    if (isMap(value)) return readMap(value, schema, path, depth, reading);
    if (typeof value === "string") return readTextAsMap(value, schema, path, depth, reading);
  }
  if (types.includes("array") && value !== null) return readList(value, schema, path, depth, reading);
  const scalar = readScalar(value, types);
  if (scalar === undefined || !allowed(scalar, schema)) return replace(value, schema, path, reading);
  if (scalar !== value) warn(reading, path, `expected ${expected(schema)}, read ${nameOf(value)} as such`);
  return scalar;
}

function readScalar(value: unknown, types: readonly string[]): string | number | boolean | undefined {
  if (types.includes("string")) {
    if (typeof value === "string") return value;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }
  if (types.includes("integer") || types.includes("number")) {
    const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
    return types.includes("number") || Number.isSafeInteger(number) ? number : undefined;
  }
  return types.includes("boolean") && typeof value === "boolean" ? value : undefined;
}

function allowed(value: unknown, schema: Schema): boolean {
  if (schema.enum) return schema.enum.includes(value);
  return schema.const === undefined || schema.const === value;
}

/** A value of the wrong kind: the default where there is one; an absent one (null) without a word. */
function replace(value: unknown, schema: Schema, path: Path, reading: Reading): unknown {
  const hasDefault = Object.hasOwn(schema, "default");
  if (value === null || value === undefined) return hasDefault ? fresh(schema.default) : DROPPED;
  const outcome = hasDefault ? `read as ${JSON.stringify(schema.default)}` : "dropped";
  warn(reading, path, `expected ${expected(schema)}, found ${nameOf(value)}; ${outcome}`);
  return hasDefault ? fresh(schema.default) : DROPPED;
}

function readChoice(value: unknown, schema: Schema, path: Path, depth: number, reading: Reading): unknown {
  for (const branch of schema.anyOf ?? []) {
    if (isMap(value) && typesOf(branch).includes("object"))
      return readMap(value, branch, path, depth, reading);
    if (!isMap(value) && readScalar(value, typesOf(branch)) === value && allowed(value, branch)) return value;
  }
  return replace(value, schema, path, reading);
}

function readList(value: unknown, schema: Schema, path: Path, depth: number, reading: Reading): unknown {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (!Array.isArray(value)) {
    // One entry written without its dash is still an entry, if it is of the right kind.
    const usable =
      typeof value === "string"
        ? value.trim() !== "" && value !== "unknown"
        : isMap(value) && typesOf(schema.items).includes("object");
    if (!usable) return replace(value, schema, path, reading);
    warn(reading, path, "expected a list, read as a list of one");
  }
  const result: unknown[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (spent(path, reading)) break;
    const place = { up: path, key: index };
    const entry = read(item, schema.items ?? ANYTHING, place, depth + 1, reading);
    if (entry !== DROPPED) result.push(entry);
    else if (item === null) warn(reading, place, "empty; dropped");
  }
  return result;
}

function readMap(raw: Loose, schema: Schema, path: Path, depth: number, reading: Reading): unknown {
  const { properties } = traitsOf(schema);
  const result = reading.own ? raw : {};
  let known = false;
  for (const key of Object.keys(raw)) {
    const value = raw[key];
    if (spent(path, reading)) break;
    const place = { up: path, key };
    if (key === "__proto__") {
      warn(reading, place, "not a usable key; dropped");
      continue;
    }
    const property = properties.get(key);
    const entry = property
      ? read(value, property, place, depth + 1, reading)
      : copy(value, place, depth + 1, reading);
    if (entry !== DROPPED) result[key] = entry;
    else if (reading.own) delete result[key];
    if (entry === DROPPED) continue;
    known ||= property !== undefined && value !== null;
  }
  if (!known && (schema.required?.length ?? 0) > 0) {
    warn(reading, path, `expected ${schema.required?.join(", ")}, found none of them; dropped`);
    return DROPPED;
  }
  return withMissing(result, schema, path, reading);
}

function withMissing(result: Loose, schema: Schema, path: Path, reading: Reading): Loose {
  for (const { key, value, required } of traitsOf(schema).defaults) {
    if (result[key] !== undefined && Object.hasOwn(result, key)) continue;
    result[key] = fresh(value);
    if (required) warn(reading, { up: path, key }, `missing; read as ${JSON.stringify(value)}`);
  }
  return result;
}

/** A text where a map is expected is the map's main text: what `- do not use regex` in a list means. */
function readTextAsMap(text: string, schema: Schema, path: Path, depth: number, reading: Reading): unknown {
  const main = schema.required?.find((key) => schema.properties?.[key]?.enum === undefined);
  if (main === undefined || text.trim() === "") return replace(text, schema, path, reading);
  warn(reading, path, `expected a map, read as its ${main}`);
  return readMap({ [main]: text }, schema, path, depth, reading);
}

/** Unknown content as it is, as far as it is plain data. */
function copy(value: unknown, path: Path, depth: number, reading: Reading): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object") return DROPPED;
  if (depth > MAX_DEPTH) {
    warn(reading, path, `nested deeper than ${MAX_DEPTH} levels; dropped`);
    return DROPPED;
  }
  return Array.isArray(value)
    ? readList(value, ANYTHING, path, depth, reading)
    : readMap({ ...value }, ANYTHING, path, depth, reading);
}

/** Defaults are shallow; a copy, so that no two documents share one. */
function fresh(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return isMap(value) ? { ...value } : value;
}

/** Counts one more value; past the bound the rest is left out, said once. */
function spent(path: Path, reading: Reading): boolean {
  reading.nodes += 1;
  if (reading.nodes === MAX_NODES + 1) warn(reading, path, "too many values; the rest is dropped");
  return reading.nodes > MAX_NODES;
}

/** What is asked of a schema for every value, taken out of it once: a list of thousands of documents is read with it. */
interface Traits {
  types: readonly string[];
  properties: ReadonlyMap<string, Schema>;
  /** Keys that have a default. */
  defaults: readonly { key: string; value: unknown; required: boolean }[];
}

const ANYTHING: Schema = {};
const traits = new WeakMap<Schema, Traits>();

function traitsOf(schema: Schema): Traits {
  const before = traits.get(schema);
  if (before) return before;
  const { type } = schema;
  const properties = Object.entries(schema.properties ?? {});
  const made = {
    types: type === undefined ? [] : typeof type === "string" ? [type] : type,
    properties: new Map(properties),
    defaults: properties
      .filter(([, property]) => Object.hasOwn(property, "default"))
      .map(([key, property]) => ({
        key,
        value: property.default,
        required: schema.required?.includes(key) === true,
      })),
  };
  traits.set(schema, made);
  return made;
}

function typesOf(schema: Schema | undefined): readonly string[] {
  return schema === undefined ? [] : traitsOf(schema).types;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  array: "a list",
  object: "a map",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
};

function expected(schema: Schema): string {
  if (schema.enum) return `one of ${schema.enum.join(", ")}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(expected).join(" or ");
  return typesOf(schema)
    .map((type) => TYPE_NAMES[type] ?? type)
    .join(" or ");
}

export function nameOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a map";
  return typeof value === "string" ? JSON.stringify(shorten(value)) : String(value);
}

function spell(path: Path): string {
  if (path === null) return "";
  const before = spell(path.up);
  if (typeof path.key === "number") return `${before}[${path.key}]`;
  const name = shorten(path.key);
  return before === "" ? name : `${before}.${name}`;
}

function shorten(text: string): string {
  const line = oneLine(text.slice(0, 200));
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

function warn(reading: Reading, path: Path, text: string): void {
  reading.total += 1;
  if (reading.warnings.length >= MAX_WARNINGS) return;
  const place = spell(path);
  reading.warnings.push(place === "" ? text : `${place}: ${text}`);
}
