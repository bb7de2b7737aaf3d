/** The `--json` report in zod, for `git handoff schema`. A test holds it equal to the report's TypeScript type. */
import * as z from "zod";
import {
  allowanceSchema,
  linkSchema,
  observedSchema,
  originSchema,
  sessionSchema,
  spanSchema,
  watchSchema,
  workSchema,
} from "./frontmatter-schema.js";
import { KINDS, UNRESOLVED_KINDS } from "./types.js";

const text = z.string();
const textOrNull = z.string().nullable();
const ancestry = z.enum(["ancestor", "rewritten", "diverged", "unknown", "none"]);

const sections = z.object({
  state: textOrNull,
  impact: textOrNull,
  next: z.array(text),
  pointers: z.array(text),
  skills: textOrNull,
});

const freshness = z.object({
  stale: z.boolean(),
  ancestry,
  behind: z.int().nullable(),
  as: textOrNull,
  ageDays: z.int().nullable(),
  note: textOrNull,
});

const rejection = z.object({
  kind: z.enum(KINDS),
  claim: text,
  anchor: textOrNull,
  predicate: text,
  fallback: text,
  low_info: z.boolean(),
  withdrawn: textOrNull,
  verdict: z.enum(["holds", "fails", "cannot-evaluate"]),
  gating: z.boolean(),
  note: textOrNull,
});

const artifact = z.object({
  claim: text,
  evidence: text,
  verdict: z.enum(["verified", "changed", "missing", "unchecked"]),
  withdrawn: textOrNull,
  note: textOrNull,
});

const unresolved = z.object({ kind: z.enum(UNRESOLVED_KINDS), text, withdrawn: textOrNull });

const watch = watchSchema.extend({ due: z.boolean().nullable(), note: textOrNull });

const handoff = z.object({
  id: text,
  handle: text,
  state: z.enum(["open", "closed", "inbox", "acked"]),
  writer: text,
  author: text,
  written: text,
  harness: text,
  intent: text,
  goal: textOrNull,
  summary: textOrNull,
  sections,
  git: text,
  dirty_files: z.array(text).nullable(),
  from: originSchema.nullable(),
  session: sessionSchema,
  allowance: allowanceSchema,
  links: z.array(linkSchema),
  work: z.array(workSchema).nullable(),
  observed: observedSchema.nullable(),
  spans: z.array(spanSchema).nullable(),
  freshness,
  rejections: z.array(rejection),
  artifacts: z.array(artifact),
  unresolved: z.array(unresolved),
  watches: z.array(watch),
});

const inboxItem = z.object({
  id: text,
  handle: text,
  breaking: z.boolean(),
  intent: text,
  impact: textOrNull,
  author: text,
  written: text,
  from: originSchema.nullable(),
  origin: z.object({ ancestry: z.enum([...ancestry.options, "unchecked"]), note: textOrNull }),
  destination: z.object({ ancestry, note: textOrNull }),
});

export const reportSchema = z
  .object({
    format: z.literal(1),
    branch: textOrNull,
    head: textOrNull,
    handoffs: z.array(handoff),
    inbox: z.array(inboxItem),
    warnings: z.array(text),
  })
  .meta({ title: "git-handoff report", description: "What read, show and check print with --json" });
