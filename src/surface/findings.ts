/** What `check` reports: what failed, changed, went missing or is stale. Pure. */
import { oneLine } from "../document/strip.js";
import { freshnessLine } from "./freshness.js";
import type { HandoffReport, Report } from "./report.js";
import { evidenceWords } from "./work.js";

/** One line a finding; none when everything still stands. Withdrawn entries are no claims any more. */
export function findingsOf(report: Report): string[] {
  return report.handoffs.flatMap((handoff) => handoffFindings(handoff));
}

function handoffFindings(handoff: HandoffReport): string[] {
  const repo = handoff.from?.repo ?? null;
  const stale = handoff.freshness.stale ? [`stale    ${freshnessLine(handoff.freshness)}`] : [];
  const failed = handoff.rejections
    .filter((r) => r.verdict === "fails" && r.withdrawn === null)
    .map(
      (r) => `fails    [${oneLine(r.kind)}] ${oneLine(r.claim)} — ${oneLine(r.note ?? "no reason given")}`,
    );
  const evidence = handoff.artifacts
    .filter((a) => (a.verdict === "changed" || a.verdict === "missing") && a.withdrawn === null)
    .map(
      (a) =>
        `${a.verdict.padEnd(7)}  ${evidenceWords(a.evidence, repo)} — ${oneLine(a.claim)}${noteOf(a.note)}`,
    );
  return [...stale, ...failed, ...evidence].map((line) => `${handoff.handle}  ${line}`);
}

function noteOf(note: string | null): string {
  return note === null ? "" : ` (${oneLine(note)})`;
}
