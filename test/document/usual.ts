// Documents as the tool writes them, and what the full reader says of any.
import fc from "fast-check";
import { coerceFrontmatter, DOCUMENT_SCHEMA } from "../../src/document/coerce.js";
import type { Headline } from "../../src/document/headline.js";
import { parseDocument } from "../../src/document/parse.js";
import { isMap, type Schema } from "../../src/document/schema-reader.js";
import type { HandoffDocument } from "../../src/document/types.js";
import { sampleDocument } from "../support/document.js";
import { handoffDocument } from "./arbitrary.js";

/** What the full reader says of it; null when it gives no document. */
export function fullHeadline(stored: Uint8Array): Headline | null {
  const { document } = parseDocument(stored);
  if (!document) return null;
  const { task_key, delivery, written, author, intent, breaking } = document.meta;
  const headline: Headline = { task_key, delivery, written, author, intent };
  return breaking === undefined ? headline : { ...headline, breaking };
}

/** The same with nothing in it but what the schema names, and no text of more than 100 characters. */
function known(value: unknown, schema: Schema): unknown {
  if (typeof value === "string") return value.slice(0, 100);
  if (Array.isArray(value)) {
    return value.map((item) => known(item, schema.items ?? {})).filter((item) => item !== "unknown");
  }
  const properties = schema.properties ?? schema.anyOf?.[0]?.properties;
  if (!isMap(value) || !properties) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!property) return [];
    const isAny = Object.keys(property).length === 0;
    return [[key, isAny && !/string|boolean/.test(typeof item) ? 5 : known(item, property)]];
  });
  return entries.length === 0 ? "unknown" : Object.fromEntries(entries);
}

export const pushed = fc.tuple(handoffDocument, fc.boolean()).map(
  ([{ meta, body }, breaking]): HandoffDocument => ({
    meta: { ...meta, delivery: "pushed", breaking },
    body,
  }),
);
/** As the tool writes them: only its own keys. */
export const usual = fc.oneof(handoffDocument, pushed).map(({ meta: given, body }): HandoffDocument => {
  const intent = given.intent.slice(0, 100).trim() === "" ? "go on" : given.intent;
  const { meta } = coerceFrontmatter(known({ ...given, intent }, DOCUMENT_SCHEMA));
  if (!meta) throw new Error("not a clean document");
  return { meta, body };
});

export const simple = sampleDocument("Fix the parser");
export const full = sampleDocument("Fix it: the parser isn't done (yet)", {
  delivery: "pushed",
  breaking: false,
  author: "Jürgen <j@example.com>",
  goal: "all of it",
  summary: 'tabs\tand "quotes" and \\',
  dirty_files: ["a.ts", "b c.ts"],
  from: { repo: "https://example.com/x.git", git: "main @ 1234567" },
  rejections: [
    { kind: "structural", claim: "no regex", anchor: "a.ts", predicate: "test -f a.ts", fallback: "drop" },
    { kind: "untyped", claim: "null", anchor: null, predicate: "", fallback: "drop", low_info: true },
    { kind: "contractual", claim: "no", anchor: null, predicate: "x", fallback: "y", withdrawn: "was wrong" },
  ],
  artifacts: [
    { claim: "done", evidence: "a.ts:3", oid: "45b983be36b73c0788dc9cbcb76cbb80fc7bb057" },
    { claim: "日本語", evidence: "commit:1234567" },
  ],
  unresolved: [{ kind: "risk", text: "why, then?" }],
  allowance: { remaining: 3, state: "low", incident: null },
  links: [{ rel: "parent", target: "x", evidence: "unknown" }],
  work: [{ store: "jira", project: "P", id: "P-1", association: "unknown" }],
  observed: { by: "ada", at: "2026-05-01T10:00:00+00:00", cutoff: "unknown" },
  spans: [{ work: "w", source: "s", from: "1", to: "2", digest: "unknown" }],
  watches: [{ until: "2027-01-01" }, { ref: "refs/heads/main", at: "1234567" }, { pr: 3, state: "open" }],
  supersedes: ["20260501T100000Z-fix-41de3f6"],
});

/** Lines of maps in maps. */
export function deep(levels: number): string {
  return Array.from(
    { length: levels },
    (_, at) => `${"  ".repeat(at + 1)}a:${at + 1 < levels ? "" : " b"}`,
  ).join("\n");
}
