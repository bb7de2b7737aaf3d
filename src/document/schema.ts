import { z } from "zod";
import type { Frontmatter } from "./types.js";

/** What the store holds, strictly. */
export const frontmatterSchema: z.ZodType<Frontmatter> = z.custom<Frontmatter>();

/** What `--from` takes. */
export const inputSchema = z.looseObject({ intent: z.string() });
export type HandoffInput = z.infer<typeof inputSchema>;

/** Every wrong key path with what was expected there, one line each. */
export function describeInputErrors(_error: z.ZodError, _input: unknown): string[] {
  throw new Error("not built yet");
}
/** JSON Schema of a document's frontmatter. */
export function documentJsonSchema(): Record<string, unknown> {
  throw new Error("not built yet");
}
/** JSON Schema of the `--json` report. */
export function reportJsonSchema(): Record<string, unknown> {
  throw new Error("not built yet");
}
