import type { Allowance, Frontmatter, HandoffDocument } from "./types.js";

/** What an append adds: the keys that were given, and those that are new by nature (`written`, `git`, …). */
export interface Addition {
  meta: Partial<Frontmatter>;
  body: string;
}

export function mergeForAppend(
  _earlier: readonly (HandoffDocument & { id: string })[],
  _addition: Addition,
): HandoffDocument {
  throw new Error("not built yet");
}

/** The allowance after a new measurement. Also for overwrite. */
export function mergeAllowance(
  _earlier: Allowance | "unknown",
  _given: Allowance | "unknown" | undefined,
): Allowance | "unknown" {
  throw new Error("not built yet");
}
