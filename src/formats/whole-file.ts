/** A file of which nothing but its text could be understood. */
import { documentOf } from "./document-of.js";
import type { Form, SourceFile, Understood } from "./types.js";

export function wholeFile(
  file: SourceFile,
  form: Form,
  keys: Record<string, unknown>,
  why: string,
): Understood {
  const { document, warnings } = documentOf(keys, file.text);
  return {
    form,
    document,
    state: "open",
    branch: { kind: "unknown" },
    understood: [],
    body: ["the whole file"],
    warnings: [`${why}; kept whole as the body`, ...warnings],
    people: [],
  };
}
