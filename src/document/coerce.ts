/**
 * Tolerant reading of frontmatter by the JSON Schema that is made from zod: the hook reads documents without
 * loading zod. What is wrong is put right or left out, each with one line saying where.
 */
import schemaJson from "./schema.json" with { type: "json" };
import { isMap, nameOf, readBySchema, type Schema } from "./schema-reader.js";
import type { Frontmatter } from "./types.js";

export const DOCUMENT_SCHEMA: Schema = schemaJson;

const NEWER = "written by a newer git-handoff";

/**
 * Frontmatter of whatever was read. Unknown keys stay in their place; a wrong type becomes the default or is
 * dropped; missing keys get their default. Never throws.
 *
 * @param own nobody else has `raw` or anything in it: it may be changed, and becomes the answer
 * @returns `meta` is null only when there is no map, or one with neither a usable `handoff` nor an `intent`;
 *   each warning is one line that names the key path
 */
export function coerceFrontmatter(
  raw: unknown,
  own = false,
): { meta: Frontmatter | null; warnings: string[] } {
  if (!isMap(raw)) return { meta: null, warnings: [`the frontmatter is ${nameOf(raw)}, not a map`] };
  const version = raw.handoff;
  if (!isUsable(raw.intent) && typeof version !== "number") {
    return { meta: null, warnings: ["the frontmatter has neither a usable handoff nor an intent"] };
  }
  const warnings: string[] = [];
  if (typeof version === "number" && version > 1) warnings.push(NEWER);
  else if (version !== 1) warnings.push(`handoff: expected 1, found ${nameOf(version)}; read as 1`);

  const read = readBySchema(own && version === 1 ? raw : { ...raw, handoff: 1 }, DOCUMENT_SCHEMA, own);
  warnings.push(...read.warnings);
  if (!isFrontmatter(read.value)) return { meta: null, warnings };
  const meta = read.value;
  if (meta.intent.trim() === "") {
    meta.intent = "unknown";
    warnings.push('intent: empty; read as "unknown"');
  }
  if (meta.delivery === "pushed" && meta.breaking === undefined) {
    warnings.push("breaking: missing in a pushed handoff");
  }
  return { meta, warnings };
}

/** The schema fills in every key the type requires; this tells the compiler so. */
function isFrontmatter(value: unknown): value is Frontmatter {
  return isMap(value) && typeof value.intent === "string" && Array.isArray(value.rejections);
}

function isUsable(value: unknown): boolean {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number";
}
