/** Arguments as the parser hands them over, in the types the commands want. */
import { oneLine } from "../document/strip.js";

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A reason is one line; an empty one is none. */
export function reasonOf(value: unknown): string | null {
  return oneLine(textOf(value) ?? "") || null;
}
