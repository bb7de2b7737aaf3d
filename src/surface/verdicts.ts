/** Every verdict on one document, for `show`: nothing is summed up or left out. Pure. */
import { oneLine } from "../document/strip.js";
import { ancestryWords, freshnessLine } from "./freshness.js";
import type { HandoffReport, InboxReport, Report } from "./report.js";
import { evidenceWords, watchWords } from "./work.js";

/** Lines of text, with a heading; "" for a report without a document. */
export function verdictsText(report: Report): string {
  const lines = [...report.handoffs.flatMap(handoffLines), ...report.inbox.flatMap(inboxLines)];
  return lines.length === 0 ? "" : `Verdicts:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function handoffLines(handoff: HandoffReport): string[] {
  const repo = handoff.from?.repo ?? null;
  return [
    row("freshness", freshnessLine(handoff.freshness)),
    ...handoff.rejections.map((r) => {
      const marks = [
        r.gating ? "gating" : "",
        r.low_info ? "low information" : "",
        r.withdrawn === null ? "" : `withdrawn: ${r.withdrawn}`,
      ].filter((mark) => mark !== "");
      return row(
        r.verdict,
        `[${r.kind}] ${r.claim}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`,
        r.note,
      );
    }),
    ...handoff.artifacts.map((a) => {
      const withdrawn = a.withdrawn === null ? "" : ` (withdrawn: ${a.withdrawn})`;
      return row(a.verdict, `${evidenceWords(a.evidence, repo)} — ${a.claim}${withdrawn}`, a.note);
    }),
    ...handoff.watches.map((w) =>
      row(w.due === null ? "not known" : w.due ? "due" : "not due", watchWords(w)),
    ),
  ];
}

function inboxLines(item: InboxReport): string[] {
  return [
    row(
      "origin",
      ancestryWords(item.origin.ancestry).replaceAll("HEAD", "the origin's main line"),
      item.origin.note,
    ),
    row("destination", ancestryWords(item.destination.ancestry), item.destination.note),
  ];
}

function row(verdict: string, text: string, note: string | null = null): string {
  return `${verdict.padEnd(15)}  ${oneLine(text)}${note === null ? "" : ` — ${oneLine(note)}`}`;
}
