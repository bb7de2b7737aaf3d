/** The document as the editor shows it: what can be said, with comments that are taken out again. */
import { stringify } from "yaml";
import { splitHeadings } from "../document/markdown.js";
import { type Delivery, KINDS, UNRESOLVED_KINDS } from "../document/types.js";
import { composeBody } from "./compose.js";
import { BODY_KEYS, type HandoffInput, type RawInput, readDocument } from "./input.js";
import { OWN_KEYS } from "./own-keys.js";

/** A comment in the body; in the frontmatter YAML's own serve. */
const MARK = "<!-- handoff:";
const MARKED = /^<!-- handoff:(?:(?!-->)[\s\S])*-->[ \t]*(?:\n|$)/gm;

/** Keys of an input that the tool sets or that the editor's text has in its body. */
const NOT_SHOWN = new Set<string>([
  ...BODY_KEYS.filter((key) => key !== "lessons"),
  ...OWN_KEYS,
  "from",
  "supersedes",
]);

interface Field {
  key: string;
  about: string;
  /** Shown as a comment while nothing is given. */
  example?: string;
}

const FIELDS: readonly Field[] = [
  { key: "intent", about: "The immediate next intent: one short statement. Needed." },
  { key: "goal", about: "The active goal; leave it empty where the pull request or ticket tells it." },
  {
    key: "rejections",
    about: `What was tried or ruled out, and how to see whether that still stands.\nkind: ${KINDS.join(", ")}`,
    example:
      "  - kind: structural\n    claim: a second lexer, because the grammar is not regular\n    anchor: src/parser.ts\n    predicate: grep -q 'class Parser' src/parser.ts\n    fallback: drop and surface to user",
  },
  {
    key: "artifacts",
    about:
      "Work done, each with the place that proves it: path, path:line, path:line-line, commit:<id> or a URL.",
    example: "  - claim: comments are parsed\n    evidence: src/parser.ts:10-20",
  },
  {
    key: "unresolved",
    about: `What is open. kind: ${UNRESOLVED_KINDS.join(", ")}`,
    example: "  - kind: finding\n    text: nested comments are not handled",
  },
  {
    key: "watches",
    about: "What to be told about: a date, a ref that moves, a pull request that changes.",
    example: "  - until: 2026-06-01\n    note: the freeze ends",
  },
];

const BREAKING: Field = {
  key: "breaking",
  about: "Does the destination have to change something to stay correct? true or false. Needed.",
};

/** The spine's sections in order, with what belongs there. */
const SECTIONS = [
  { key: "state", title: "State", about: "What is done, in flight, decided; end state, no chronology." },
  {
    key: "impact",
    title: "Impact here",
    about: "What it means for whoever works there, in their terms. Needed.",
  },
  { key: "next", title: "Next steps", about: "Concrete, in order: 1. …" },
  { key: "pointers", title: "Pointers", about: "Where to look, by path or URL: - …" },
] as const;

/**
 * @param notes shown first: where the document goes, or what was wrong with it
 */
export function formatTemplate(
  input: HandoffInput,
  options: { delivery: Delivery; notes: readonly string[] },
): string {
  const fields =
    options.delivery === "pushed" ? [...FIELDS.slice(0, 1), BREAKING, ...FIELDS.slice(1)] : FIELDS;
  const named = new Set(fields.map(({ key }) => key));
  const others = Object.keys(input).filter((key) => !named.has(key) && !NOT_SHOWN.has(key));
  const parts = [
    comment(options.notes.join("\n")),
    ...fields.map((field) => `${comment(field.about)}${entry(field, input)}`),
    ...(others.length > 0 ? [others.map((key) => yaml(key, input[key])).join("")] : []),
  ];
  return `---\n${parts.join("\n")}---\n\n${bodyTemplate(input, options.delivery)}`;
}

function comment(text: string): string {
  return text
    .split("\n")
    .map((line) => `# ${line}`.trimEnd())
    .join("\n")
    .concat("\n");
}

function entry({ key, example }: Field, input: HandoffInput): string {
  const value = input[key];
  const empty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  if (!empty) return yaml(key, value);
  return example === undefined ? `${key}:\n` : comment(`${key}:\n${example}`);
}

function yaml(key: string, value: unknown): string {
  return stringify({ [key]: withoutLowInfo(value) }, { lineWidth: 0, version: "1.2", schema: "core" });
}

/** Set by the tool alone; shown, it would look as if it could be changed. */
function withoutLowInfo(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== "object" || item === null || !("low_info" in item)) return item;
    const { low_info: _, ...rest } = item;
    return rest;
  });
}

function bodyTemplate(input: HandoffInput, delivery: Delivery): string {
  const body = composeBody(input);
  const present = new Set(splitHeadings(body).map(({ title }) => title.toLowerCase()));
  const missing = SECTIONS.filter(
    ({ key, title }) => !present.has(title.toLowerCase()) && (key !== "impact" || delivery === "pushed"),
  ).map(({ title, about }) => `## ${title}\n\n${MARK} ${about} -->\n`);
  return [body.trimEnd(), ...missing]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** The text without what the template put in for the author to read; YAML leaves its own comments out. */
export function withoutComments(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(MARKED, "");
}

/** What the editor's text says. Throws UsageError as readDocument does; an empty text says nothing. */
export function parseTemplate(text: string): RawInput {
  const bare = withoutComments(text);
  if (bare.trim() === "") return {};
  const { raw } = readDocument(new TextEncoder().encode(bare), "the document", { empty: true });
  const body = typeof raw.body === "string" ? withoutEmptySections(raw.body) : "";
  const { body: _, ...rest } = raw;
  const said = Object.entries(rest).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(said), ...(body === "" ? {} : { body }) };
}

/** A heading of the spine with nothing below it was left as the template had it. */
function withoutEmptySections(body: string): string {
  const titles = new Set<string>(SECTIONS.map(({ title }) => title));
  const texts = splitHeadings(body).map((part) => {
    if (part.level !== 2 || !titles.has(part.title)) return part.whole;
    // Where a comment stood, empty lines are left.
    return part.text === "" ? "" : `${part.heading}\n\n${part.text}`;
  });
  const kept = texts.filter((text) => text !== "");
  return kept.length === 0 ? "" : `${kept.join("\n\n")}\n`;
}
