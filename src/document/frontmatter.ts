/** Splitting a document into its frontmatter and its body. */

/** Bytes; a larger document is neither stored nor read. */
export const MAX_DOCUMENT_BYTES = 1 << 20;

/**
 * The text between the first line `---` and the next one, and the body after it (one empty line between them
 * is the format's, not the body's). Null when the text does not begin with `---` or it is never closed.
 */
export function splitFrontmatter(text: string): { yaml: string; body: string } | null {
  const start = /^---[ \t]*\r?\n/.exec(text);
  if (!start) return null;
  const end = closing(text, start[0].length);
  if (!end) return null;
  return {
    yaml: text.slice(start[0].length, end.index),
    body: text.slice(end.index + end[0].length).replace(/^\r?\n/, ""),
  };
}

/** The first line from `from` on that is `---`. Line ends are sought by themselves, which is quick in long texts. */
function closing(text: string, from: number): RegExpExecArray | null {
  // Not `^` with the m flag: that also matches after U+2028, which a value may hold.
  const line = /---[ \t]*(?:\r?\n|(?![\s\S]))/y;
  for (let at = from; at > 0; at = text.indexOf("\n---", at) + 1) {
    line.lastIndex = at;
    const match = line.exec(text);
    if (match) return match;
  }
  return null;
}
