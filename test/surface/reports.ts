import type { HandoffReport, InboxReport, RejectionReport, Report } from "../../src/surface/report.js";

/** Reports for tests: everything plain and empty but for what is given. */
export function report(parts: Partial<Report> = {}): Report {
  return { format: 1, branch: "main", head: "a".repeat(40), handoffs: [], inbox: [], warnings: [], ...parts };
}

export function handoff(parts: Partial<HandoffReport> = {}): HandoffReport {
  return {
    id: "20260501T100000Z-finish-the-parser-1a2b3c4",
    handle: "1a2b3c4",
    state: "open",
    writer: "ada-3f9a2c",
    author: "Ada Lovelace <ada@example.com>",
    written: "2026-05-01T10:00:00+00:00",
    harness: "claude-code",
    intent: "Finish the parser",
    goal: null,
    summary: null,
    sections: { state: null, impact: null, next: [], pointers: [], skills: null },
    git: `main @ ${"a".repeat(40)}`,
    dirty_files: null,
    from: null,
    session: { runtime: "unknown", id: "unknown", context: "unknown" },
    allowance: "unknown",
    links: [],
    work: null,
    observed: null,
    spans: null,
    freshness: { stale: false, ancestry: "ancestor", behind: 0, as: null, ageDays: 0, note: null },
    rejections: [],
    artifacts: [],
    unresolved: [],
    watches: [],
    own: true,
    ...parts,
  };
}

export function rejection(parts: Partial<RejectionReport> = {}): RejectionReport {
  const verdict = parts.verdict ?? "holds";
  const low_info = parts.low_info ?? false;
  return {
    kind: "structural",
    claim: "Parser must stay final",
    anchor: "src/parser.ts",
    predicate: "grep -q final src/parser.ts",
    fallback: "drop and surface to user",
    withdrawn: null,
    note: null,
    gating: verdict === "holds" && !low_info,
    ...parts,
    verdict,
    low_info,
  };
}

export function inboxItem(parts: Partial<InboxReport> = {}): InboxReport {
  return {
    id: "20260501T100000Z-rename-the-field-9f8e7d6",
    handle: "9f8e7d6",
    breaking: false,
    intent: "Rename the field",
    impact: "The field is now called name.",
    author: "Bob <bob@example.com>",
    written: "2026-05-01T10:00:00+00:00",
    from: { repo: "orthanc", git: `main @ ${"b".repeat(40)}` },
    origin: { ancestry: "ancestor", note: null },
    destination: { ancestry: "ancestor", note: null },
    own: false,
    relation: null,
    ...parts,
  };
}
