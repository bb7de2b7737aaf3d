// Files for tests of the formats, in the shapes the three tools write.
import { understand } from "../../src/formats/read.js";
import { decodeSource } from "../../src/formats/source-file.js";

/** The file at `path` understood, as an import does. */
export function read(path: string, text: string | Uint8Array) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return understand(decodeSource(path, bytes).file);
}

export const PARK_FOLDER = "/home/x/.claude/tasks/repo/handoff";

/** A park file with this list of rejections, indented as the format has it. */
export function parkFile(rejections: string, more = ""): string {
  return `---
task_key: feat-park
project: repo
written: 2026-05-01T10:00:00Z
intent: Ship the parser
goal: null
${more}rejections:
${rejections}---

Some scratch.
`;
}

export function evidenceFile(fields: Record<string, unknown>): string {
  return JSON.stringify({
    schema_version: 1,
    id: "handoff-20260501T100000.000000000Z",
    created_at: "2026-05-01T10:00:00Z",
    ...fields,
  });
}

export function journalFile(fields: Record<string, string>, body = "## State\n\nHalf done.\n"): string {
  const lines = Object.entries({
    project: "/home/x/repo",
    created: "2026-05-01T10:00",
    harness: "codex",
    focus: "Go on",
    git: "main @ 8a84de3",
    ...fields,
  }).map(([key, value]) => `${key}: ${value}`);
  return `---\n${lines.join("\n")}\n---\n\n${body}`;
}
