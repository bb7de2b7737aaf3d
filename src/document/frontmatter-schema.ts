/**
 * The frontmatter in zod: the one source of the format. `schema.json` is made from it, and reading, ordering
 * and `git handoff schema` follow that.
 *
 * `.default(x)` = may be left out without a word. `.meta({ default: x })` = required, and what a reader puts
 * in its place, with a warning, when it is missing or wrong.
 */
import * as z from "zod";
import { KINDS, UNRESOLVED_KINDS } from "./types.js";

const orUnknown = z.string().default("unknown");
const requiredText = z.string().meta({ default: "unknown" });
const withdrawn = z.string().exactOptional().meta({ description: "why it was taken back; kept, not gating" });
const anything = z.unknown().exactOptional();

export const rejectionSchema = z
  .looseObject({
    kind: z.enum(KINDS).meta({ default: "untyped" }),
    claim: requiredText,
    anchor: z.string().nullable().default(null).meta({ description: "what the predicate checks against" }),
    predicate: z.string().default("").meta({ description: "how to see whether the claim still stands" }),
    fallback: z.string().default("drop and surface to user"),
    low_info: z.boolean().exactOptional().meta({ description: "set by the tool: always true" }),
    withdrawn,
  })
  .meta({ description: "something tried or ruled out" });

export const artifactSchema = z
  .looseObject({
    claim: requiredText,
    evidence: requiredText.meta({
      default: "unknown",
      description: "path, path:line, path:line-line, commit:<oid> or a URL",
    }),
    oid: z.string().exactOptional().meta({ description: "object id of what the writer saw there" }),
    withdrawn,
  })
  .meta({ description: "work done, with the place that proves it" });

export const unresolvedSchema = z.looseObject({
  kind: z.enum(UNRESOLVED_KINDS).default("finding"),
  text: requiredText,
  withdrawn,
});

export const sessionSchema = z.looseObject({ runtime: orUnknown, id: orUnknown, context: orUnknown });

export const allowanceSchema = z.union([
  z.looseObject({
    remaining: anything,
    state: anything,
    incident: anything,
    helper_used: anything,
    repair_bound: anything,
    operator_action: anything,
    evidence: anything,
  }),
  z.literal("unknown"),
]);

export const linkSchema = z.looseObject({
  rel: z.enum(["parent", "resume", "related"]).meta({ default: "related" }),
  target: requiredText,
  evidence: orUnknown,
});

export const workSchema = z.looseObject({
  store: orUnknown,
  project: orUnknown,
  id: orUnknown,
  association: orUnknown,
});

export const observedSchema = z.looseObject({ by: orUnknown, at: orUnknown, cutoff: orUnknown });

export const spanSchema = z.looseObject({
  work: orUnknown,
  source: orUnknown,
  from: orUnknown,
  to: orUnknown,
  digest: orUnknown,
});

export const originSchema = z.looseObject({
  repo: orUnknown,
  project: z.string().exactOptional(),
  git: orUnknown,
});

export const watchSchema = z.looseObject({
  until: z.string().exactOptional().meta({ description: "a date" }),
  ref: z.string().exactOptional(),
  at: z.string().exactOptional().meta({ description: "object id the ref had" }),
  pr: z.int().exactOptional(),
  state: z.string().exactOptional(),
  note: z.string().exactOptional(),
});

/** Frontmatter as the store holds it, strictly; keys in the order in which they are written. */
export const frontmatterSchema = z
  .looseObject({
    handoff: z.literal(1).meta({ description: "schema version" }),
    task_key: orUnknown.meta({ description: "the branch, verbatim; HEAD for the repository" }),
    project: orUnknown,
    repository: orUnknown.meta({ description: "the remote's URL without credentials" }),
    delivery: z.enum(["pulled", "pushed"]).default("pulled"),
    written: orUnknown.meta({ description: "ISO 8601 with offset" }),
    author: orUnknown.meta({ description: "Name <email>" }),
    harness: orUnknown,
    session: sessionSchema.default({ runtime: "unknown", id: "unknown", context: "unknown" }),
    intent: requiredText.meta({
      default: "unknown",
      description: "the immediate next intent, one statement",
    }),
    goal: z.string().nullable().default(null),
    summary: z.string().exactOptional(),
    git: orUnknown.meta({ description: "<branch> @ <full oid>, ` (dirty)` after it; none; unknown" }),
    dirty_files: z.array(z.string()).exactOptional(),
    from: originSchema.exactOptional().meta({ description: "origin, when it is another repository" }),
    breaking: z.boolean().exactOptional().meta({ description: "required when delivery is pushed" }),
    rejections: z.array(rejectionSchema).default([]),
    artifacts: z.array(artifactSchema).default([]),
    unresolved: z.array(unresolvedSchema).default([]),
    allowance: allowanceSchema.default("unknown"),
    links: z.array(linkSchema).default([]),
    work: z.array(workSchema).exactOptional(),
    observed: observedSchema.exactOptional(),
    spans: z.array(spanSchema).exactOptional(),
    watches: z.array(watchSchema).default([]),
    supersedes: z.array(z.string()).exactOptional().meta({ description: "ids of earlier handoffs" }),
  })
  .refine((meta) => meta.delivery !== "pushed" || meta.breaking !== undefined, {
    path: ["breaking"],
    message: "required when delivery is pushed",
  })
  .meta({
    title: "git-handoff document",
    description: "The YAML frontmatter of a handoff",
    // What the refinement above says, in JSON Schema's own words.
    if: { properties: { delivery: { const: "pushed" } }, required: ["delivery"] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ["breaking"] },
  });
