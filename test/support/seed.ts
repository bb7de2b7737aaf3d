// Handoffs for tests of what shows and moves them, put there by the store itself.
import { formatDocument } from "../../src/document/format.js";
import type { Frontmatter } from "../../src/document/types.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { type Recorded, recordWrite } from "../../src/store/events.js";

export interface Seed {
  branch?: string;
  mode?: "write" | "append" | "supersede";
  body?: string;
  meta?: Partial<Frontmatter>;
}

/** Frontmatter with nothing special in it. */
export function frontmatter(meta: Partial<Frontmatter>): Frontmatter {
  return {
    handoff: 1,
    task_key: "main",
    project: "fixture",
    repository: "unknown",
    delivery: "pulled",
    written: "2026-05-01T10:00:00+00:00",
    author: "Ada Lovelace <ada@example.com>",
    harness: "human",
    session: { runtime: "unknown", id: "unknown", context: "unknown" },
    intent: "Fix the parser",
    goal: null,
    git: "none",
    rejections: [],
    artifacts: [],
    unresolved: [],
    allowance: "unknown",
    links: [],
    watches: [],
    ...meta,
  };
}

/** Records one handoff in the repository at `dir`; a pushed one unless `meta.delivery` says otherwise goes to the journal. */
export async function seed(
  dir: string,
  { branch = "main", mode = "write", body, meta = {} }: Seed = {},
): Promise<Recorded> {
  const repository = await Repository.open(dir, process.env, execaGit());
  const full = frontmatter({ task_key: branch, ...meta });
  const text =
    body ?? "## State\n\nHalf done.\n\n## Next steps\n\n1. Go on\n\n## Pointers\n\n- src/parser.ts\n";
  const bytes = new TextEncoder().encode(formatDocument({ meta: full, body: text }));
  const { written, intent, delivery } = full;
  return recordWrite(repository.port(), { branch, mode, document: { bytes, written, intent, delivery } });
}
