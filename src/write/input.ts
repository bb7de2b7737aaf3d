/** What a caller says of a handoff: keys of the frontmatter plus the body's sections by name. */
import { MAX_DOCUMENT_BYTES, splitFrontmatter } from "../document/frontmatter.js";
import { describeInputErrors, inputSchema } from "../document/input-schema.js";
import { decode, readYaml, type YamlValue } from "../document/parse.js";
import { parseSections } from "../document/sections.js";
import type { Frontmatter } from "../document/types.js";
import { DocumentError, UsageError } from "../errors.js";

/** The keys that a type names itself, without its index signature. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** Everything optional; what is absent is filled in by the tool or stays unknown. Unknown keys are kept. */
export interface HandoffInput
  extends Partial<Omit<Named<Frontmatter>, "rejections" | "artifacts" | "unresolved">> {
  [unknown: string]: unknown;
  rejections?: Record<string, unknown>[];
  artifacts?: Record<string, unknown>[];
  unresolved?: Record<string, unknown>[];
  state?: string;
  impact?: string;
  next?: string[];
  pointers?: string[];
  skills?: string;
  /** Markdown that is kept after the named sections as it stands. */
  body?: string;
  lessons?: string[];
}

/** Keys and values as they were read, before anything is known of their types. */
export type RawInput = Record<string, unknown>;

/** The input's keys that make the body, or that are not the document's at all. */
export const BODY_KEYS = ["state", "impact", "next", "pointers", "skills", "body", "lessons"] as const;

/** Keys of free text, where a `#` is more likely part of it (an issue's number) than a comment. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  ...["intent", "goal", "summary", ...BODY_KEYS],
  ...["claim", "anchor", "predicate", "fallback", "evidence", "text", "note", "withdrawn"],
]);

/**
 * Reads YAML, JSON or Markdown (with frontmatter, or only a body with sections of the fixed spine). `source`
 * is named in errors. Throws DocumentError when the text is none of them.
 * @param options.empty true: frontmatter that says nothing is none, instead of an error
 */
export function readDocument(
  bytes: Uint8Array,
  source: string,
  options: { empty: boolean } = { empty: false },
): { raw: RawInput; warnings: string[] } {
  if (bytes.length > MAX_DOCUMENT_BYTES) throw new DocumentError(`${source}: larger than 1 MiB`);
  const { text, warnings } = decode(bytes);
  if (text.trim() === "") throw new DocumentError(`${source}: empty`);
  const parts = splitFrontmatter(text);
  if (!parts && isBody(text)) return { raw: { body: text }, warnings };
  const read = readMap(parts?.yaml ?? text, source, { ...options, firstLine: parts ? 2 : 1 });
  const raw = { ...read.raw };
  if (parts && parts.body.trim() !== "") {
    if (typeof raw.body === "string")
      throw new DocumentError(`${source}: body: given twice, as a key and as the document's text`);
    raw.body = parts.body;
  }
  return { raw, warnings: [...warnings, ...read.warnings].map((line) => `${source}: ${line}`) };
}

/** A heading looks like a comment to YAML, which would then make something else of the text below it. */
function isBody(text: string): boolean {
  const { state, impact, next, pointers, skills } = parseSections(text);
  return [state, impact, skills].some((part) => part !== null) || next.length > 0 || pointers.length > 0;
}

function readMap(
  text: string,
  source: string,
  { empty, firstLine }: { empty: boolean; firstLine: number },
): { raw: RawInput; warnings: string[] } {
  const { value, warnings, cut } = readJson(text) ?? readYaml(text, firstLine);
  if (value === null && empty) return { raw: {}, warnings };
  if (value === undefined) throw new DocumentError(`${source}: ${warnings.join("; ")}`);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    const found = value === null ? "nothing" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
    throw new DocumentError(`${source}: expected a map of keys such as intent, found ${found}`);
  }
  const cuts = cut
    .filter(({ key }) => TEXT_KEYS.has(key))
    .map(
      ({ key, line }) =>
        `${key} (line ${line}): cut at " #", which begins a comment; quote the text to keep it whole`,
    );
  return { raw: value as RawInput, warnings: [...warnings, ...cuts] };
}

/** JSON is YAML too, but the own parser is much quicker; null leaves the text, and the error, to YAML. */
function readJson(text: string): YamlValue | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return { value: JSON.parse(text), warnings: [], cut: [] };
  } catch {
    return null;
  }
}

/**
 * The input of what was read. Throws UsageError (DocumentError where there is a `source`) with every wrong key path at once, each with what was
 * expected and what was found.
 * @param options.intent false: may still be missing
 */
export function checkInput(
  raw: RawInput,
  source: string | null,
  options: { intent: boolean } = { intent: true },
): HandoffInput {
  const lacking = isEmpty(raw.intent);
  // The schema wants an intent; where it may still come, something stands in for it.
  const parsed = inputSchema.safeParse(lacking && !options.intent ? { ...raw, intent: "-" } : raw);
  const where = source === null ? "" : `${source}: `;
  if (!parsed.success) {
    const lines = describeInputErrors(parsed.error, raw).map((line) => line + remedyFor(line, lacking));
    const message = lines.map((line) => where + line).join("\n");
    throw source === null ? new UsageError(message) : new DocumentError(message);
  }
  const { intent, ...rest } = parsed.data as HandoffInput;
  return lacking ? rest : { ...rest, ...(intent === undefined ? {} : { intent }) };
}

function remedyFor(line: string, lacking: boolean): string {
  if (lacking && line.startsWith("intent:")) return " (give -m <text>, or intent in --from)";
  // `[ -f path ]` is a test to a shell and a list to YAML.
  return line.endsWith("expected a string, found a list")
    ? " (a text that begins with [ must be quoted)"
    : "";
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}
