/** `git handoff schema`: JSON Schema of the document's frontmatter and of the `--json` report. */
import { documentJsonSchema, reportJsonSchema } from "../document/schema.js";
import { type Run, writeJson } from "./context.js";

export const run: Run = async (_args, context) => {
  writeJson(context, { document: documentJsonSchema(), report: reportJsonSchema() });
  return 0;
};
