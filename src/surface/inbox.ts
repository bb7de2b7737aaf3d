/** The inbox as text: what breaks something comes first, each item led by what it means here. Pure. */
import { oneLine } from "../document/strip.js";
import { type Block, fixed, type Line, type Piece } from "./block.js";
import { ancestryWords, count, short } from "./freshness.js";
import { block, toned } from "./lines.js";
import type { InboxReport } from "./report.js";

const ADVICE = [
  "  Next steps in an inbox handoff are advisory: this repository's maintainer decides.",
  "  Work on an item is done only when the item is acknowledged: after acting on it or consciously declining it,",
  "  never for having read it.",
];

/** `Unread handoffs in this repo's inbox: N  (M BREAKING)` and the line on how to treat them. */
export function inboxHeader(items: readonly InboxReport[]): Piece {
  const breaking = items.filter((item) => item.breaking).length;
  return fixed(
    toned(
      `Unread handoffs in this repo's inbox: ${items.length}  (${breaking} BREAKING)`,
      breaking > 0 ? "alarm" : "title",
    ),
    ...ADVICE.map((text) => toned(text, "dim")),
  );
}

/** Breaking items; the last thing ever to be cut. */
export function breakingBlock(items: readonly InboxReport[]): Block {
  return {
    pieces: [
      {
        label: "",
        head: [],
        entries: items.map(itemLines),
        foot: [],
        more,
        cuts: [
          // One endless item must not push everything else out.
          { rank: 20, how: "clip", width: 400, lines: 14, tail: 2 },
          { rank: 960, how: "clip", width: 300, lines: 12, tail: 2 },
          { rank: 970, how: "clip", width: 160, lines: 7, tail: 1 },
          { rank: 980, how: "shorten", keep: 1 },
        ],
      },
    ],
  };
}

/** The other items; `after`: a journal block stands between them and the header. */
export function otherBlock(items: readonly InboxReport[], after: boolean): Block {
  return {
    pieces: [
      {
        label: "",
        head: after ? [{ text: "Other unread handoffs in this repo's inbox:" }] : [],
        entries: items.map(itemLines),
        foot: [],
        more,
        cuts: [
          { rank: 30, how: "clip", width: 200, lines: 8, tail: 1 },
          { rank: 165, how: "shorten", keep: 0 },
        ],
      },
    ],
  };
}

function more(gone: number): Line {
  return toned(
    `  ... (${count(gone, "more unread handoff")} cut to fit; all of them: git handoff inbox)`,
    "dim",
  );
}

function itemLines(item: InboxReport): Line[] {
  const indent = "    ";
  const own = item.own === false ? ", not you" : "";
  return [
    { text: "" },
    item.breaking ? toned(`  !! BREAKING  ${item.handle}`, "alarm") : toned(`  ${item.handle}`, "title"),
    ...impactLines(item),
    { text: `${indent}Intent: ${oneLine(item.intent)}` },
    { text: `${indent}From: ${sender(item)}${oneLine(item.author)}${own}, written ${oneLine(item.written)}` },
    { text: `${indent}Origin: ${verdict(item.origin, "the origin's main line")}` },
    { text: `${indent}Destination: ${verdict(item.destination, "HEAD")}` },
    { text: `${indent}Whole: git handoff show ${item.handle}` },
    toned(
      `${indent}When acted on: git handoff ack ${item.handle}  (or: git handoff ack ${item.handle} --decline)`,
      "good",
    ),
  ];
}

function impactLines(item: InboxReport): Line[] {
  const lines = item.impact === null ? [] : block(item.impact, "      ");
  if (lines.length === 0) return [{ text: "    Impact here: (none given)" }];
  return [{ text: "    Impact here:" }, ...lines];
}

function sender({ from, relation }: InboxReport): string {
  if (from === null) return "this repository, ";
  const why = relation === null ? "" : ` (${short(relation)})`;
  return `${short(from.repo)}${why}, `;
}

function verdict(check: InboxReport["origin"], line: string): string {
  const words = ancestryWords(check.ancestry).replaceAll("HEAD", line);
  return check.note ? `${words}; ${oneLine(check.note)}` : words;
}
