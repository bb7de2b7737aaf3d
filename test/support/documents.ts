import { formatDocument } from "../../src/document/format.js";
import type { Frontmatter } from "../../src/document/types.js";

/** A stored document's text: everything plain and empty but for what is given. */
export function documentText(parts: Partial<Frontmatter> = {}, body = ""): string {
  return formatDocument({
    meta: {
      handoff: 1,
      task_key: "main",
      project: "repo",
      repository: "unknown",
      delivery: "pulled",
      written: "2026-05-01T10:00:00+00:00",
      author: "Ada Lovelace <ada@example.com>",
      harness: "claude-code",
      session: { runtime: "unknown", id: "unknown", context: "unknown" },
      intent: "Finish the parser",
      goal: null,
      git: "unknown",
      rejections: [],
      artifacts: [],
      unresolved: [],
      allowance: "unknown",
      links: [],
      watches: [],
      ...parts,
    },
    body,
  });
}
