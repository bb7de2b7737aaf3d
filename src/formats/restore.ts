/** Putting back what an exported file's block kept, except where the file was changed after the export. */
import { isDeepStrictEqual } from "node:util";
import { coerceFrontmatter } from "../document/coerce.js";
import type { Frontmatter } from "../document/types.js";
import type { Kept } from "./kept-block.js";

/**
 * @param read what the file's own fields say
 * @param again what the fields would say if the format wrote this frontmatter and read it back
 * @returns the frontmatter as it was exported; where the file now says something else, what it says
 */
export function restore(
  read: Frontmatter,
  kept: Kept | null,
  again: (meta: Frontmatter) => Frontmatter,
): { meta: Frontmatter; warnings: string[] } {
  if (kept === null) return { meta: read, warnings: [] };
  const merged = merge(read, kept.meta);
  const expected = again(merged);
  const changed = Object.keys(kept.meta).filter((key) => !isDeepStrictEqual(read[key], expected[key]));
  if (changed.length === 0) return { meta: merged, warnings: [] };
  const rest = Object.fromEntries(Object.entries(kept.meta).filter(([key]) => !changed.includes(key)));
  return {
    meta: merge(read, rest),
    warnings: [`changed since it was exported, taken as it now is: ${changed.join(", ")}`],
  };
}

function merge(read: Frontmatter, kept: Record<string, unknown>): Frontmatter {
  const keys = { ...kept, ...Object.fromEntries(Object.entries(read).filter(([key]) => !(key in kept))) };
  for (const [key, value] of Object.entries(kept)) if (value === null && key !== "goal") delete keys[key];
  return coerceFrontmatter(keys).meta ?? read;
}

/** What a format's own fields do not give back: the keys to keep. */
export function missingIn(read: Frontmatter, meta: Frontmatter): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(meta)) {
    if (!isDeepStrictEqual(read[key], value)) kept[key] = value;
  }
  for (const key of Object.keys(read)) if (meta[key] === undefined) kept[key] = null;
  return kept;
}
