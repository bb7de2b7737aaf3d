/** What `write --from` and `send --from` take: stricter than reading, so that a slip is told, not dropped. */
import * as z from "zod";
import {
  allowanceSchema,
  frontmatterSchema,
  linkSchema,
  observedSchema,
  originSchema,
  rejectionSchema,
  spanSchema,
  unresolvedSchema,
  watchSchema,
  workSchema,
} from "./frontmatter-schema.js";
import { hasOffset, writtenTime } from "./time.js";

const text = z.string();
const statement = z.string().refine((value) => value.trim() !== "", { message: "a text that is not empty" });
const date = z.string().refine((value) => writtenTime(value) !== null, { message: "a date, as 2026-06-01" });
/** One line of a list may stand alone. */
const lines = z.union([z.array(text), text.transform((line) => [line])]);

const input = z.looseObject({
  ...frontmatterSchema.shape,
  handoff: z.literal(1).exactOptional(),
  task_key: text.exactOptional(),
  project: text.exactOptional(),
  repository: text.exactOptional(),
  delivery: z.enum(["pulled", "pushed"]).exactOptional(),
  written: text
    .refine(hasOffset, { message: "a time in ISO 8601 with its offset, as 2026-05-01T10:00:00+02:00" })
    .exactOptional(),
  author: text.exactOptional(),
  harness: text.exactOptional(),
  // Without defaults: what is not given may be known by the tool.
  session: z
    .looseObject({
      runtime: text.exactOptional(),
      id: text.exactOptional(),
      context: text.exactOptional(),
    })
    .exactOptional(),
  intent: statement,
  goal: text.nullable().exactOptional(),
  git: text.exactOptional(),
  from: originSchema.exactOptional(),
  // Any kind: an unknown one is offered for another choice, or becomes `untyped` with a warning.
  rejections: z
    .array(
      z.looseObject({
        ...rejectionSchema.shape,
        kind: text.exactOptional(),
        claim: statement,
        predicate: text.nullable().exactOptional(),
        fallback: text.nullable().exactOptional(),
        anchor: text.nullable().exactOptional(),
      }),
    )
    .exactOptional(),
  // Evidence may be missing: such a claim is recorded as a gap, never as done.
  artifacts: z
    .array(
      z.looseObject({
        claim: statement,
        evidence: text.nullable().exactOptional(),
        oid: text.exactOptional(),
        withdrawn: text.exactOptional(),
      }),
    )
    .exactOptional(),
  unresolved: z
    .array(
      z.union([
        z.looseObject({ ...unresolvedSchema.shape, text: statement }),
        statement.transform((value) => ({ kind: "finding" as const, text: value })),
      ]),
    )
    .exactOptional(),
  allowance: allowanceSchema.exactOptional(),
  links: z.array(linkSchema).exactOptional(),
  work: z.array(workSchema).exactOptional(),
  observed: observedSchema.exactOptional(),
  spans: z.array(spanSchema).exactOptional(),
  watches: z
    .array(
      watchSchema
        .extend({ until: date.exactOptional() })
        .refine((watch) => watch.until !== undefined || watch.ref !== undefined || watch.pr !== undefined, {
          message: "one of until, ref or pr",
        }),
    )
    .exactOptional(),
  state: text.exactOptional(),
  impact: text.exactOptional(),
  next: lines.exactOptional(),
  pointers: lines.exactOptional(),
  skills: text.exactOptional(),
  body: text.exactOptional(),
  lessons: lines.exactOptional(),
});

/** A key left empty (`goal:` with nothing after it) counts as not given, but for `goal`, where null says none. */
function withoutEmptyKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key, item]) => item !== null || key === "goal"));
}

/**
 * The keys of a document's frontmatter, all optional but `intent`, and for the body `state`, `impact`, `next`,
 * `pointers`, `skills` and `body`; `lessons` beside them. Unknown keys are kept. A rejection's kind may be any
 * text here.
 */
export const inputSchema = z.preprocess(withoutEmptyKeys, input);
export type HandoffInput = z.output<typeof inputSchema>;

/**
 * Every wrong place of an input at once, one line each: its key path, what was expected and what was found.
 * @param value what the schema was given
 */
export function describeInputErrors(error: z.core.$ZodError, value: unknown): string[] {
  return [...new Set(error.issues.flatMap((issue) => describeIssue(issue, [], value)))];
}

function describeIssue(issue: z.core.$ZodIssue, parent: PropertyKey[], value: unknown): string[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return describeUnion(issue.errors, path, value);
  }
  const place = formatPath(path) || "the document";
  return [`${place}: expected ${expectation(issue)}, found ${describeValue(valueAt(value, path))}`];
}

/** A union's branch that got further than the type itself is the one that was meant. */
function describeUnion(
  branches: readonly (readonly z.core.$ZodIssue[])[],
  path: PropertyKey[],
  value: unknown,
): string[] {
  const meant = branches.find((issues) => issues.every((issue) => issue.path.length > 0));
  if (meant) return meant.flatMap((issue) => describeIssue(issue, path, value));
  const expected = [...new Set(branches.flatMap((issues) => issues.slice(0, 1).map(expectation)))].join(
    " or ",
  );
  return [
    `${formatPath(path) || "the document"}: expected ${expected}, found ${describeValue(valueAt(value, path))}`,
  ];
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  array: "a list",
  object: "a map",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
  null: "null",
};

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return TYPE_NAMES[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(" | ");
  return issue.message;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a map";
  const shown = JSON.stringify(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
}
