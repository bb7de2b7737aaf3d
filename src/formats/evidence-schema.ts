/** The evidence document's JSON, schema version 1, in all three generations that were written. */
import * as z from "zod";
import { hasOffset } from "../document/time.js";

const texts = z.array(z.string()).optional();
const count = z.int().nonnegative().optional();

const state = z.looseObject({
  git_branch: z.string().optional(),
  git_dirty: z.boolean(),
  modified_files: texts,
  recent_commits: texts,
  active_bead: z.string().optional(),
  open_beads_count: count,
});

export const evidenceSchema = z.looseObject({
  schema_version: z.literal(1),
  id: z.string().regex(/^handoff-\d{8}T\d{6}(?:\.\d+)?Z$/, "not handoff-<time>Z"),
  created_at: z
    .string()
    .refine((time) => hasOffset(time.replace(/(\.\d{9})\d+/, "$1")), "not an RFC 3339 time"),
  goal: z.string().optional(),
  summary: z.string().optional(),
  continuation: z.string().optional(),
  artifacts_produced: texts,
  decisions_made: texts,
  open_risks: texts,
  state: state.nullable().optional(),
  type: z.enum(["manual", "auto", "rpi"]).optional(),
  rpi: z.looseObject({}).nullable().optional(),
  consumed: z.boolean().optional(),
  consumed_at: z.string().nullable().optional(),
  consumed_by: z.string().nullable().optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

const KNOWN = new Set(Object.keys(evidenceSchema.shape));

/** Fields that no generation has. */
export function unknownFields(evidence: Evidence): string[] {
  return Object.keys(evidence).filter((key) => !KNOWN.has(key));
}

/**
 * Order of two ids: their seconds, then the fraction as a number: `.9` equals `.90`, `.99` is later than `.9`.
 * Negative when `a` is earlier.
 */
export function compareEvidenceIds(a: string, b: string): number {
  const [first, second] = [split(a), split(b)];
  if (first.seconds !== second.seconds) return first.seconds < second.seconds ? -1 : 1;
  const length = Math.max(first.fraction.length, second.fraction.length);
  const [x, y] = [first.fraction.padEnd(length, "0"), second.fraction.padEnd(length, "0")];
  return x === y ? 0 : x < y ? -1 : 1;
}

function split(id: string): { seconds: string; fraction: string } {
  const [, seconds = "", fraction = ""] = /^handoff-(\d{8}T\d{6})(?:\.(\d+))?Z/.exec(id) ?? [];
  return { seconds, fraction };
}
