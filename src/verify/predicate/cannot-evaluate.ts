/** Why a predicate has no answer. The words are part of the report. */

export const REASONS = {
  timeout: "timeout",
  untyped: "untyped",
  shell: "needs a shell",
  files: "more than one file",
  noFile: "no file named",
  pathspec: "a pattern of paths: git is asked of one file or folder",
  outside: "outside the repository",
  runs: "would run code",
  filter: "would run a filter",
  prose: "prose",
  pattern: "bad pattern",
  patternSize: "pattern too large",
  fileSize: "file too large",
  empty: "no predicate",
  special: "not a regular file or folder",
  unreadable: "the file cannot be read here",
  encoding: "not UTF-8",
  network: "asks the network, which a git hook does not",
} as const;

/** Thrown while a predicate is parsed or asked; `message` is the note. */
export class CannotEvaluate extends Error {
  override name = "CannotEvaluate";
}

/** A word of the document as part of a one-line note. */
export function quoted(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
