/** Appending: a new document that carries everything the open ones hold, and what is added. */
import { coerceFrontmatter } from "./coerce.js";
import { isMap } from "./schema-reader.js";
import { appendSections, formatBody, parseSections } from "./sections.js";
import { writtenTime } from "./time.js";
import type { Allowance, Frontmatter, HandoffDocument } from "./types.js";

/** What an append adds: the keys that were given, and those that are new by nature (`written`, `git`, …). */
export interface Addition {
  meta: Partial<Frontmatter>;
  body: string;
}

/** Describe the moment of writing, so an earlier value never stands in for them. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set([
  "written",
  "author",
  "git",
  "dirty_files",
  "session",
  "harness",
]);

/** Per list: the keys by which a later entry is the earlier one observed again or withdrawn. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  rejections: ["kind", "claim", "anchor", "predicate", "fallback"],
  artifacts: ["claim", "evidence"],
  unresolved: ["kind", "text"],
};

type Loose = Record<string, unknown>;

/**
 * The document that goes on from all open ones of a branch: lists concatenate and hold equal entries once,
 * given scalars replace, what is not given stays, sections of the body are added, `supersedes` names all that
 * were merged. An entry given again with `withdrawn` or a new `oid` takes its forerunner's place; nothing else
 * earlier is changed or dropped.
 *
 * @param earlier the open documents, in any order; merged in the order in which they were written
 */
export function mergeForAppend(
  earlier: readonly (HandoffDocument & { id: string })[],
  addition: Addition,
): HandoffDocument {
  const ordered = [...earlier].sort(byTime);
  let meta: Loose = {};
  let sections = parseSections("");
  for (const document of ordered) {
    meta = mergeMeta(meta, document.meta, isKnown);
    sections = appendSections(sections, parseSections(document.body));
  }
  const given = givenKeys(addition.meta);
  meta = mergeMeta(meta, given, () => true);
  for (const key of OF_THE_MOMENT) if (!Object.hasOwn(given, key)) delete meta[key];
  const ids = [...ordered.map((document) => document.id), ...(addition.meta.supersedes ?? [])];
  meta.supersedes = [...new Set(ids)];
  sections = appendSections(sections, parseSections(addition.body));
  return { meta: complete(meta), body: formatBody(sections) };
}

/** The keys that were given, in the form in which a document holds them. */
function givenKeys(meta: Partial<Frontmatter>): Loose {
  const completed = Object.entries(complete(meta));
  return Object.fromEntries(completed.filter(([key]) => meta[key] !== undefined));
}

function complete(meta: Loose): Frontmatter {
  const { meta: completed } = coerceFrontmatter({ intent: "unknown", ...meta, handoff: 1 });
  if (!completed) throw new TypeError("frontmatter of an append is no map");
  return completed;
}

function byTime(a: HandoffDocument & { id: string }, b: HandoffDocument & { id: string }): number {
  const difference = (writtenTime(a.meta.written) ?? 0) - (writtenTime(b.meta.written) ?? 0);
  return difference || (a.id < b.id ? -1 : 1);
}

/** A stored document has every key; only a value that says something replaces another one's. */
function isKnown(value: unknown): boolean {
  return value !== null && value !== "unknown";
}

function mergeMeta(earlier: Loose, later: Loose, replaces: (value: unknown) => boolean): Loose {
  const merged = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (before === undefined) merged[key] = value;
    else if (key === "allowance") merged[key] = mergeAllowance(asAllowance(before), asAllowance(value));
    else if (OF_THE_MOMENT.has(key)) merged[key] = value;
    else if (Array.isArray(before) && Array.isArray(value)) merged[key] = mergeList(key, before, value);
    else if (replaces(value)) merged[key] = value;
  }
  return merged;
}

function mergeList(key: string, earlier: readonly unknown[], later: readonly unknown[]): unknown[] {
  const merged = [...earlier];
  const known = new Set(earlier.map(contentKey));
  const places = new Map(earlier.map((entry, index) => [identityKey(key, entry), index]));
  for (const entry of later) {
    if (known.has(contentKey(entry))) continue;
    known.add(contentKey(entry));
    const index = places.get(identityKey(key, entry));
    const before = index === undefined ? undefined : asMap(merged[index]);
    // What was withdrawn and is now claimed anew is a new entry: the withdrawal stays on record.
    if (index === undefined || !before || (before.withdrawn !== undefined && !asMap(entry).withdrawn)) {
      merged.push(entry);
    } else merged[index] = { ...before, ...asMap(entry) };
  }
  return merged;
}

/** Equal for equal entries, whatever the order of their keys. */
function contentKey(entry: unknown): string {
  return isMap(entry)
    ? JSON.stringify(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(entry);
}

/** Equal for an entry and the same one observed again; of its own for one without such keys. */
function identityKey(list: string, entry: unknown): string {
  const keys = IDENTITY[list];
  if (!keys || !isMap(entry)) return contentKey(entry);
  return JSON.stringify(keys.map((key) => entry[key] ?? null));
}

function asMap(value: unknown): Loose {
  return isMap(value) ? value : {};
}

function asAllowance(value: unknown): Allowance | "unknown" {
  return isMap(value) ? value : "unknown";
}

/**
 * The allowance after a new observation, for append and overwrite: carried over but for what was measured
 * anew; `evidence` is added to. Writing a handoff resets nothing: `helper_used: true` stays within an incident.
 *
 * @param given undefined, `unknown`, or a map whose `unknown` values were not measured
 */
export function mergeAllowance(
  earlier: Allowance | "unknown",
  given: Allowance | "unknown" | undefined,
): Allowance | "unknown" {
  if (earlier === "unknown") return given ?? "unknown";
  if (given === undefined || given === "unknown") return earlier;
  const merged: Allowance = { ...earlier };
  for (const [key, value] of Object.entries(given)) {
    if (!isMeasured(value)) merged[key] = merged[key] ?? value;
    else if (key === "evidence") merged[key] = mergeList(key, asList(merged[key]), asList(value));
    else merged[key] = value;
  }
  if (earlier.helper_used === true && isSameIncident(earlier.incident, given.incident)) {
    merged.helper_used = true;
  }
  return merged;
}

function isMeasured(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "unknown";
}

/** Unless both are named and differ, nothing shows that it is another incident. */
function isSameIncident(earlier: unknown, given: unknown): boolean {
  return !isMeasured(earlier) || !isMeasured(given) || contentKey(earlier) === contentKey(given);
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isMeasured(value) ? [value] : [];
}
