import type { Frontmatter } from "./types.js";

export function coerceFrontmatter(_raw: unknown): { meta: Frontmatter | null; warnings: string[] } {
  throw new Error("not built yet");
}
