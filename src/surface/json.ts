/** A report as JSON: every key always there, `null` where not known, in one order. Pure. */
import type { HandoffReport, InboxReport, Report } from "./report.js";

/** The object `--json` prints. */
export function reportJson(report: Report): Record<string, unknown> {
  return {
    format: report.format,
    branch: report.branch,
    head: report.head,
    handoffs: report.handoffs.map(handoffJson),
    inbox: report.inbox.map(inboxJson),
    warnings: report.warnings,
  };
}

function handoffJson(handoff: HandoffReport): Record<string, unknown> {
  const { sections, freshness } = handoff;
  return {
    id: handoff.id,
    handle: handoff.handle,
    state: handoff.state,
    writer: handoff.writer,
    author: handoff.author,
    written: handoff.written,
    harness: handoff.harness,
    intent: handoff.intent,
    goal: handoff.goal,
    summary: handoff.summary,
    sections: {
      state: sections.state,
      impact: sections.impact,
      next: sections.next,
      pointers: sections.pointers,
      skills: sections.skills,
    },
    git: handoff.git,
    dirty_files: handoff.dirty_files,
    from: handoff.from,
    session: handoff.session,
    allowance: handoff.allowance,
    links: handoff.links,
    work: handoff.work,
    observed: handoff.observed,
    spans: handoff.spans,
    freshness: {
      stale: freshness.stale,
      ancestry: freshness.ancestry,
      behind: freshness.behind,
      as: freshness.as,
      ageDays: freshness.ageDays,
      note: freshness.note,
    },
    rejections: handoff.rejections.map((rejection) => ({
      kind: rejection.kind,
      claim: rejection.claim,
      anchor: rejection.anchor,
      predicate: rejection.predicate,
      fallback: rejection.fallback,
      low_info: rejection.low_info,
      withdrawn: rejection.withdrawn,
      verdict: rejection.verdict,
      gating: rejection.gating,
      note: rejection.note,
    })),
    artifacts: handoff.artifacts.map(({ claim, evidence, verdict, withdrawn, note }) => ({
      claim,
      evidence,
      verdict,
      withdrawn,
      note,
    })),
    unresolved: handoff.unresolved.map(({ kind, text, withdrawn }) => ({ kind, text, withdrawn })),
    watches: handoff.watches.map(({ due, note, ...watch }) => ({ ...watch, due, note })),
  };
}

function inboxJson(item: InboxReport): Record<string, unknown> {
  return {
    id: item.id,
    handle: item.handle,
    breaking: item.breaking,
    intent: item.intent,
    impact: item.impact,
    author: item.author,
    written: item.written,
    from: item.from,
    origin: { ancestry: item.origin.ancestry, note: item.origin.note },
    destination: { ancestry: item.destination.ancestry, note: item.destination.note },
  };
}
