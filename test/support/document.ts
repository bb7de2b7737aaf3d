// Documents for tests of the store.
import { formatDocument } from "../../src/document/format.js";
import type { Delivery, Frontmatter, HandoffDocument } from "../../src/document/types.js";
import type { NewDocument } from "../../src/store/write.js";

/** A whole document about `intent`; `meta` overrides. */
export function sampleDocument(intent: string, meta: Partial<Frontmatter> = {}): HandoffDocument {
  return {
    meta: {
      handoff: 1,
      task_key: "main",
      project: "sample",
      repository: "unknown",
      delivery: "pulled",
      written: "2026-05-01T10:00:00+00:00",
      author: "Ada <ada@example.com>",
      harness: "human",
      session: { runtime: "unknown", id: "unknown", context: "unknown" },
      intent,
      goal: null,
      git: "none",
      rejections: [],
      artifacts: [],
      unresolved: [],
      allowance: "unknown",
      links: [],
      watches: [],
      ...meta,
    },
    body: "## State\n\nHalf done.\n\n## Next steps\n\n1. Go on.\n\n## Pointers\n\n- README.md\n",
  };
}

/** The same as the store takes it. */
export function newDocument(intent: string, meta: Partial<Frontmatter> = {}): NewDocument {
  const document = sampleDocument(intent, meta);
  return {
    bytes: Buffer.from(formatDocument(document)),
    written: document.meta.written,
    intent: document.meta.intent,
    delivery: document.meta.delivery as Delivery,
  };
}
