/** `handoff.surface = brief`: one line for each thing that is open. Pure. */
import { oneLine } from "../document/strip.js";
import { type Block, fixed } from "./block.js";
import { partition } from "./journal.js";
import { toned } from "./lines.js";
import type { HandoffReport, Report } from "./report.js";
import { warningsOf } from "./warnings.js";

export function briefBlocks(report: Report): Block[] {
  const { handoffs, inbox, branch } = report;
  const breaking = inbox.filter((item) => item.breaking).length;
  const lines = [
    ...(inbox.length === 0
      ? []
      : [
          toned(
            `Unread handoffs in this repo's inbox: ${inbox.length}  (${breaking} BREAKING): git handoff inbox`,
            breaking > 0 ? "alarm" : "title",
          ),
        ]),
    ...inbox
      .filter((item) => item.breaking)
      .map((item) => toned(`  !! BREAKING  ${item.handle}  ${oneLine(item.intent)}`, "alarm")),
    ...handoffs.map((handoff) => toned(handoffLine(handoff, branch ?? "HEAD"), "title")),
    ...warningsOf(report).map((warning) => toned(`warning: ${oneLine(warning)}`, "warn")),
  ];
  return [
    {
      pieces: [
        {
          ...fixed(),
          entries: lines.map((line) => [line]),
          more: (gone) => toned(`... and ${gone} more: git handoff read`, "dim"),
          cuts: [
            { rank: 1, how: "clip", width: 200, lines: 1 },
            { rank: 2, how: "shorten", keep: 1 },
          ],
        },
      ],
    },
  ];
}

function handoffLine(handoff: HandoffReport, branch: string): string {
  const { holding, shifted } = partition(handoff.rejections);
  const facts = [
    handoff.freshness.stale ? "STALE" : "",
    holding.length > 0 ? `${holding.length} holding` : "",
    shifted.length > 0 ? `${shifted.length} shifted` : "",
  ].filter((fact) => fact !== "");
  const about = facts.length > 0 ? ` (${facts.join(", ")})` : "";
  return `Open handoff for ${oneLine(branch)}: ${oneLine(handoff.intent)}${about}: git handoff read`;
}
