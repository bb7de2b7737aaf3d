/** Tolerant reading of documents that other hands or other tools may have written. */
import { parseDocument as parseYaml, type ScalarTag, type Tags } from "yaml";
import { coerceFrontmatter } from "./coerce.js";
import { MAX_DOCUMENT_BYTES, splitFrontmatter } from "./frontmatter.js";
import { oneLine } from "./strip.js";
import { survey } from "./survey.js";
import type { HandoffDocument } from "./types.js";

/** Expanded aliases; more is an attack, not a handoff. */
const MAX_ALIASES = 100;
const MAX_WARNINGS = 20;

/**
 * Numbers only where the text is that number's own spelling: `0123456`, `1e3` or `1.10` are more likely an
 * abbreviated object id or a version, and stay the text they are.
 */
const NUMBER: ScalarTag = {
  identify: (value) => typeof value === "number",
  default: true,
  tag: "tag:yaml.org,2002:float",
  test: /^-?[0-9][0-9.e+-]*$/,
  resolve: (text) => (String(Number(text)) === text ? Number(text) : text === "-0" ? -0 : text),
};

function plainNumbers(tags: Tags): Tags {
  const others = tags.filter(
    (tag) => typeof tag === "string" || !/^tag:yaml\.org,2002:(?:int|float)$/.test(tag.tag),
  );
  return [...others, NUMBER];
}

/**
 * Reads a stored document. Whatever is odd gives a warning of one line; what cannot be read gives a null
 * document and at least one warning. Never throws.
 */
export function parseDocument(bytes: Uint8Array): { document: HandoffDocument | null; warnings: string[] } {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    return { document: null, warnings: [`larger than 1 MiB (${bytes.length} bytes); not read`] };
  }
  const { text, warnings } = decode(bytes);
  const parts = splitFrontmatter(text);
  if (!parts) {
    const why = /^---[ \t]*(?:\r?\n|$)/.test(text)
      ? "the frontmatter is never closed by a line ---"
      : "no frontmatter";
    return { document: null, warnings: [...warnings, why] };
  }
  const yaml = readYaml(parts.yaml);
  warnings.push(...yaml.warnings);
  if (yaml.value === undefined) return { document: null, warnings };
  const { meta, warnings: found } = coerceFrontmatter(yaml.value);
  warnings.push(...found);
  return { document: meta ? { meta, body: parts.body } : null, warnings };
}

/** Text of UTF-8 bytes without its BOM; bytes that are no UTF-8 become U+FFFD, with a warning. */
export function decode(bytes: Uint8Array): { text: string; warnings: string[] } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), warnings: [] };
  } catch {
    const text = new TextDecoder("utf-8").decode(bytes);
    return { text, warnings: ["not valid UTF-8; unreadable bytes are shown as \ufffd"] };
  }
}

export interface YamlValue {
  value: unknown;
  warnings: string[];
  /** Unquoted texts that end where a ` #` begins a comment: the key of each, and its line. */
  cut: { key: string; line: number }[];
}

/**
 * YAML (or JSON, which is YAML) as plain data: core schema, so that dates, `no` and `on` stay text.
 *
 * @param firstLine where `text` begins in the file that is spoken of; without it lines are the frontmatter's
 * @returns `value` is undefined, with a warning that says why, when the text cannot be read; null when it is
 *   empty. A key given twice: the last one counts, with a warning.
 */
export function readYaml(text: string, firstLine?: number): YamlValue {
  const lineOf = (at: number) => text.slice(0, at).split("\n").length + (firstLine ?? 1) - 1;
  const place = ({ message, pos }: { message: string; pos: [number, number] }) =>
    `${oneLine(message).slice(0, 200)} (line ${lineOf(pos[0])}${firstLine === undefined ? " of the frontmatter" : ""})`;
  const unreadable = (why: string) => ({
    value: undefined,
    warnings: [`not readable as YAML: ${why}`],
    cut: [],
  });
  try {
    const document = parseYaml(text, {
      version: "1.2",
      schema: "core",
      customTags: plainNumbers,
      // The library's own check compares every key with every other one; ours is below.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
      merge: false,
    });
    const [error] = document.errors;
    if (error) return unreadable(place(error) + (firstLine === undefined ? "" : quoteHint(text, error)));
    const { repeated, aliases, cut } = survey(document, text);
    // The library looks each alias up from the start of the document: many of them take for ever.
    if (aliases > MAX_ALIASES) return unreadable(`more than ${MAX_ALIASES} aliases`);
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const odd = document.warnings.slice(0, MAX_WARNINGS).map(place);
    const twice = [...repeated]
      .slice(0, MAX_WARNINGS)
      .map((key) => `${oneLine(key).slice(0, 60)}: given twice or more; the last one counts`);
    return {
      value,
      warnings: [...odd, ...twice],
      cut: cut.map(({ key, at }) => ({ key, line: lineOf(at) })),
    };
  } catch (error) {
    return unreadable(error instanceof RangeError ? "nested too deeply" : messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

/** What to do about the commonest cause: a text with a colon in it and no quotes around it. */
function quoteHint(text: string, { code, pos }: { code: string; pos: [number, number] }): string {
  if (code !== "BLOCK_AS_IMPLICIT_KEY") return "";
  const line = text.slice(text.lastIndexOf("\n", pos[0] - 1) + 1).split("\n", 1)[0] ?? "";
  const [, key] = /^[ ]*(?:- +)*([\w-]{1,40}):[ \t].*:(?:[ \t]|$)/.exec(line) ?? [];
  return key === undefined ? "" : `; an unquoted value must not hold ": ", so quote the value of ${key}`;
}
