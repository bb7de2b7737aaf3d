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
  const { meta, absent = [] } = kept;
  const merged = merge(read, meta, absent);
  const expected = again(merged);
  const changed = [...Object.keys(meta), ...absent].filter(
    (key) => !isDeepStrictEqual(read[key], expected[key]),
  );
  if (changed.length === 0) return { meta: merged, warnings: [] };
  const rest = Object.fromEntries(Object.entries(meta).filter(([key]) => !changed.includes(key)));
  const gone = absent.filter((key) => !changed.includes(key));
  return {
    meta: merge(read, rest, gone),
    warnings: [`changed since it was exported, taken as it now is: ${changed.join(", ")}`],
  };
}

function merge(read: Frontmatter, kept: Record<string, unknown>, absent: readonly string[]): Frontmatter {
  const others = Object.entries(read).filter(([key]) => !(key in kept) && !absent.includes(key));
  return coerceFrontmatter({ ...kept, ...Object.fromEntries(others) }).meta ?? read;
}

/** What a format's own fields do not give back. */
export function missingIn(read: Frontmatter, meta: Frontmatter): Pick<Kept, "meta" | "absent"> {
  const kept = Object.entries(meta).filter(([key, value]) => !isDeepStrictEqual(read[key], value));
  const absent = Object.keys(read).filter((key) => meta[key] === undefined);
  return { meta: Object.fromEntries(kept), ...(absent.length > 0 ? { absent } : {}) };
}
