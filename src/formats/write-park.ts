/** A document in the park document's form. */
import { formatMap } from "../document/format.js";
import type { Frontmatter, HandoffDocument, Rejection } from "../document/types.js";
import { type Kept, withKept } from "./kept-block.js";

/** A branch as the park document names it. Source: the park document, section A. */
export function parkKey(branch: string): string {
  return branch.replaceAll("/", "-");
}

/** The header's fields. What was withdrawn would gate there, so it stands in the block alone. */
export function parkFields(meta: Frontmatter): Record<string, unknown> {
  return {
    task_key: parkKey(meta.task_key),
    project: meta.project,
    written: meta.written,
    intent: meta.intent,
    goal: meta.goal,
    rejections: meta.rejections.filter(({ withdrawn }) => withdrawn === undefined).map(parkRejection),
  };
}

function parkRejection({ kind, claim, anchor, predicate, fallback, low_info }: Rejection): object {
  return { kind, claim, anchor, predicate, fallback, ...(low_info === undefined ? {} : { low_info }) };
}

/** Source: the park document, artifact schema. */
export function writePark(document: HandoffDocument, kept: Kept | null): string {
  const header = formatMap(parkFields(document.meta)).split("\n").map(withoutDashes).join("\n");
  const body = withKept(document.body, kept);
  return `---\n${header}---\n${body === "" ? "" : `\n${body}`}`;
}

/** The format's reader takes the first `---`, in whatever value, for the header's end. */
function withoutDashes(line: string): string {
  if (!line.includes("---")) return line;
  const [, key = "", value = ""] = /^([ ]*(?:- )?\w+: )(.*)$/.exec(line) ?? [];
  const quoted = value.startsWith('"') ? value : JSON.stringify(value);
  return key + quoted.replaceAll("---", "\\u002d\\u002d\\u002d");
}
