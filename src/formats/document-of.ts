/** From the fields of another tool's file to a document: what the file does not say is `unknown`. */
import { coerceFrontmatter } from "../document/coerce.js";
import { MAX_DOCUMENT_BYTES } from "../document/frontmatter.js";
import type { Frontmatter, HandoffDocument } from "../document/types.js";
import { NotTaken } from "./types.js";

/**
 * A document of these keys. Nothing is filled in but what the format itself means and `unknown`. Throws NotTaken
 * when the keys make no frontmatter.
 */
export function documentOf(
  keys: Record<string, unknown>,
  body: string,
): { document: HandoffDocument; warnings: string[] } {
  const { meta, warnings } = coerceFrontmatter({
    handoff: 1,
    ...present(keys),
    intent: isStated(keys.intent) ? keys.intent : "unknown",
  });
  if (!meta) throw new NotTaken(warnings[0] ?? "no usable frontmatter");
  return { document: { meta, body }, warnings };
}

function isStated(intent: unknown): boolean {
  return (typeof intent === "string" && intent.trim() !== "") || typeof intent === "number";
}

function present(keys: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
}

/** Last component of a path of any system; a name stays what it is. */
export function lastComponent(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  return path
    .split(/[\\/]/)
    .findLast((part) => part.trim() !== "")
    ?.trim();
}

/** `intent`, `3 rejections`: what of a document says something. */
export function namesOf(meta: Frontmatter, from: readonly string[]): string[] {
  return from.flatMap((key) => {
    const value = meta[key];
    if (!saysSomething(value)) return [];
    return [Array.isArray(value) ? `${key} (${value.length})` : key];
  });
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === "unknown") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== "object" || Object.values(value).some(saysSomething);
}

/** Bytes a document may have when stored. */
export const MAX_STORED = MAX_DOCUMENT_BYTES;
