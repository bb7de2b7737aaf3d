/** The format's schemas: of the stored frontmatter, of what `--from` takes and of the `--json` report. */
import * as z from "zod";
import { frontmatterSchema } from "./frontmatter-schema.js";
import { reportSchema } from "./report-schema.js";

export { frontmatterSchema } from "./frontmatter-schema.js";
export { describeInputErrors, type HandoffInput, inputSchema } from "./input-schema.js";
export { reportSchema } from "./report-schema.js";

/** JSON Schema (2020-12) of a document's frontmatter, as it may be read: keys with a default may be missing. */
export function documentJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(frontmatterSchema, { io: "input" }) };
}

/** JSON Schema (2020-12) of the report that `--json` prints: every key is always there. */
export function reportJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(reportSchema, { io: "output" }) };
}
