/**
 * The marked block of an exported file: what that format has no field for, so that import gives back the same
 * document. An HTML comment, which every Markdown reader leaves alone, with one JSON object in it.
 */
import { isMap } from "../document/schema-reader.js";

/** What a format cannot hold. */
export interface Kept {
  /** Frontmatter keys as the document has them. */
  meta: Record<string, unknown>;
  /** Keys that the document does not have but the format yields. */
  absent?: string[];
  /** The body, where the format would change it. */
  body?: string;
  /** E-mail addresses that were not redacted when the document was written. */
  people?: string[];
}

const OPENING = "<!-- git-handoff\n";
const CLOSING = "\n-->";
const ADDED = "<!-- git-handoff: not in the original -->";

/** The body with the block at its end; `added` is text that only the format asks for. */
export function withKept(body: string, kept: Kept | null, added = ""): string {
  const block = kept === null ? "" : formatKept(kept);
  if (added === "") return block === "" ? body : `${body}\n${block}`;
  return `${body}\n${ADDED}\n${added}\n${block}`;
}

function formatKept(kept: Kept): string {
  // An arrow in a text would end the comment.
  const json = JSON.stringify(kept, null, 1).replace(/--(!?)>/g, "--$1\\u003e");
  return `${OPENING}${json}${CLOSING}\n`;
}

/**
 * Takes the last block out of a body; what somebody wrote behind it stays.
 * @param expected gives the text that was added for a body; where it was changed since, it stays too
 */
export function takeKept(
  text: string,
  expected: (body: string) => string,
): { body: string; kept: Kept | null; warnings: string[] } {
  const warnings: string[] = [];
  const start = text.lastIndexOf(OPENING);
  const end = start < 0 ? -1 : text.indexOf(CLOSING, start);
  const kept = end < 0 ? null : parseKept(text.slice(start + OPENING.length, end));
  let body = text;
  if (kept !== null)
    body = text.slice(0, start).replace(/\n$/, "") + text.slice(end + CLOSING.length).replace(/^\n/, "");
  else if (start >= 0) warnings.push("its git-handoff block is damaged and stays in the body");
  const at = body.lastIndexOf(`\n${ADDED}\n`);
  if (at >= 0) {
    const before = body.slice(0, at);
    const added = body.slice(at + ADDED.length + 2);
    body = added.trim() === expected(before).trim() ? before : `${before}\n${added}`;
  }
  if (kept?.body !== undefined && sameText(kept.body, body)) body = kept.body;
  return { body, kept, warnings };
}

function sameText(a: string, b: string): boolean {
  return a.replace(/\r\n?/g, "\n").trim() === b.trim();
}

function parseKept(json: string): Kept | null {
  try {
    const value: unknown = JSON.parse(json);
    if (!isMap(value) || !isMap(value.meta)) return null;
    return {
      meta: value.meta,
      ...(typeof value.body === "string" ? { body: value.body } : {}),
      absent: texts(value.absent),
      people: texts(value.people),
    };
  } catch {
    return null;
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
