/** A document in the inbox document's form: journal and inbox files alike. */

import { slug } from "../document/id.js";
import { splitHeadings } from "../document/markdown.js";
import { isPlainValue } from "../document/plain.js";
import { oneLine } from "../document/strip.js";
import type { Frontmatter, HandoffDocument } from "../document/types.js";
import { type Kept, withKept } from "./kept-block.js";

type Fields = Record<string, string | boolean | Record<string, string>>;

/**
 * The header's fields. `project` is the destination's absolute path. Source: the inbox document, frontmatter.
 */
export function inboxFields(meta: Frontmatter, project: string): Fields {
  return {
    project: line(project),
    created: line(localMinute(meta.written)),
    harness: line(meta.harness),
    focus: line(meta.intent),
    git: line(shortCommit(meta.git)),
    ...(meta.delivery === "pushed" ? { breaking: meta.breaking === true } : {}),
    ...(meta.from === undefined
      ? {}
      : {
          from: {
            repo: line(meta.from.repo),
            ...(meta.from.project === undefined ? {} : { project: line(meta.from.project) }),
            git: line(shortCommit(meta.from.git)),
          },
        }),
  };
}

/** The format's reader knows one line a value, and takes a key without one for the beginning of a map. */
function line(text: string): string {
  return oneLine(text).replace(/\p{Cs}/gu, "\ufffd") || "unknown";
}

/** The writer's own clock to the minute, as the format has it. */
function localMinute(written: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(written) ?? [];
  return day === undefined ? written : `${day}T${minute ?? "00:00"}`;
}

function shortCommit(git: string): string {
  return git.replace(/(?<= @ )([0-9a-f]{7})[0-9a-f]{1,57}(?![0-9a-f])/, "$1");
}

/** `<YYYY-MM-DD_HHMM>_<slug>.md`. Source: the inbox document, location. */
export function inboxName(meta: Frontmatter): string {
  const minute = localMinute(meta.written);
  const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(minute) ? minute : "0000-00-00T00:00";
  return `${stamp.replace("T", "_").replace(":", "")}_${slug(meta.intent)}.md`;
}

export function writeInbox(document: HandoffDocument, kept: Kept | null, project: string): string {
  const { meta, body } = document;
  const lines = Object.entries(inboxFields(meta, project)).flatMap(([key, value]) =>
    typeof value === "object"
      ? [`${key}:`, ...Object.entries(value).map(([inner, text]) => `  ${inner}: ${scalar(text)}`)]
      : [`${key}: ${scalar(value)}`],
  );
  const text = withKept(body, kept, missingSections(body, meta.delivery === "pushed"));
  return `---\n${lines.join("\n")}\n---\n${text === "" ? "" : `\n${text}`}`;
}

/**
 * The format's reader takes quotes off at the ends and knows no escapes; YAML readers do. So: no quotes where
 * no YAML reader needs them, else those that need no escape.
 */
function scalar(text: string | boolean): string {
  if (typeof text === "boolean") return String(text);
  if (isPlainValue(text) || PATH_OR_TIME.test(text)) return text;
  if (!/["\\]/.test(text)) return `"${text}"`;
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}

const PATH_OR_TIME = /^(?:\/[\w./@+-]*\w|\d{4}-\d\d-\d\dT\d\d:\d\d)$/;

/** Sections that the format requires and the body lacks. Source: the inbox document, sections. */
export function missingSections(body: string, pushed: boolean): string {
  const there = new Set(
    splitHeadings(body).map(({ level, title }) => (level === 2 ? title.toLowerCase() : "")),
  );
  return ["State", ...(pushed ? ["Impact here"] : []), "Next steps", "Pointers"]
    .filter((title) => !there.has(title.toLowerCase()))
    .map((title) => `## ${title}\n\nunknown\n`)
    .join("\n");
}
