/** What a caller says of a handoff: keys of the frontmatter plus the body's sections by name. */
import type { Frontmatter } from "../document/types.js";
import { UsageError } from "../errors.js";

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

/**
 * Reads YAML, JSON or a whole Markdown document. `source` is named in errors, which list every wrong key
 * path with what was expected.
 */
export async function parseInput(text: string, source: string): Promise<HandoffInput> {
  const clean = text.replace(/^\uFEFF/, "");
  if (clean.trim() === "") throw new UsageError(`${source}: empty`);
  const markdown = /^---\r?\n/.test(clean) && /\r?\n---\r?(\n|$)/.test(clean.slice(4));
  const { frontmatter, body } = markdown ? split(clean) : { frontmatter: clean, body: null };
  const raw = await readMap(frontmatter, source);
  if (body !== null && body.trim() !== "") {
    if (raw.body !== undefined)
      throw new UsageError(`${source}: body: given twice, as a key and as the document's text`);
    raw.body = body;
  }
  const { inputSchema, describeInputErrors } = await import("../document/schema.js");
  const parsed = inputSchema.safeParse(raw);
  if (!parsed.success)
    throw new UsageError(
      describeInputErrors(parsed.error, raw)
        .map((line) => `${source}: ${line}`)
        .join("\n"),
    );
  return parsed.data as HandoffInput;
}

function split(text: string): { frontmatter: string; body: string } {
  const start = text.indexOf("\n") + 1;
  const end = /\r?\n---[ \t]*\r?(\n|$)/.exec(text.slice(start));
  if (!end) return { frontmatter: text, body: "" };
  const at = start + end.index;
  return { frontmatter: text.slice(start, at), body: text.slice(at + end[0].length) };
}

async function readMap(text: string, source: string): Promise<Record<string, unknown>> {
  const value = /^\s*[{[]/.test(text) ? readJson(text, source) : await readYaml(text, source);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new UsageError(
      `${source}: expected a map of keys such as intent, got ${Array.isArray(value) ? "a list" : value === null ? "nothing" : `a ${typeof value}`}`,
    );
  }
  return value as Record<string, unknown>;
}

function readJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source}: not valid JSON: ${(error as Error).message}`);
  }
}

async function readYaml(text: string, source: string): Promise<unknown> {
  const { parseDocument } = await import("./yaml.js");
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true, stringKeys: true });
  const [first] = document.errors;
  if (first) throw new UsageError(`${source}: not valid YAML: ${first.message.split("\n")[0]}`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new UsageError(`${source}: not valid YAML: ${(error as Error).message}`);
  }
}
