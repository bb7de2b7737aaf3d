/** Splitting a document into its frontmatter and its body. */

/**
 * The text between the first line `---` and the next one, and the body after it (one empty line between them
 * is the format's, not the body's). Null when the text does not begin with `---` or it is never closed.
 */
export function splitFrontmatter(text: string): { yaml: string; body: string } | null {
  const start = /^---[ \t]*\r?\n/.exec(text);
  if (!start) return null;
  // Not `^` with the m flag: that also matches after U+2028, which a value may hold.
  const close = /(?<=\n)---[ \t]*(?:\r?\n|(?![\s\S]))/g;
  close.lastIndex = start[0].length;
  const end = close.exec(text);
  if (!end) return null;
  return {
    yaml: text.slice(start[0].length, end.index),
    body: text.slice(end.index + end[0].length).replace(/^\r?\n/, ""),
  };
}
