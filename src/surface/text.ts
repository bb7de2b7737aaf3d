/** The surface block: what people and agents see of a report. Pure. */
import { oneLine } from "../document/strip.js";
import { type Style, styled } from "../terminal/style.js";
import { type Block, fixed, type Line, layOut, sizeOf, type Tone } from "./block.js";
import { briefBlocks } from "./brief.js";
import { short } from "./freshness.js";
import { breakingBlock, inboxHeader, otherBlock } from "./inbox.js";
import { journalBlock } from "./journal.js";
import { toned } from "./lines.js";
import type { Report } from "./report.js";
import { warningsOf } from "./warnings.js";

export interface SurfaceOptions {
  /** Characters at most; without it nothing is cut. */
  limit?: number | undefined;
  color?: boolean;
  /** `brief`: one line a handoff. */
  form?: "full" | "brief";
}

/** Characters an agent gets at most; the agents themselves cut at 10,000. */
export const AGENT_LIMIT = 8000;

/** So many open handoffs fit into an agent's text, a line each. */
const MANY = 20;

/** A report as text, ending with a newline; "" when there is nothing to show. */
export function surfaceText(report: Report, options: SurfaceOptions = {}): string {
  const blocks = options.form === "brief" ? briefBlocks(report) : fullBlocks(report);
  const lines = bounded(layOut(blocks, options.limit), options.limit);
  return lines.map((line) => `${painted(line, options.color === true)}\n`).join("");
}

/** Breaking inbox items, the journal, warnings, the other inbox items. */
function fullBlocks(report: Report): Block[] {
  const { inbox } = report;
  const breaking = inbox.filter((item) => item.breaking);
  const others = inbox.filter((item) => !item.breaking);
  const journal = journalBlocks(report);
  const warnings = warningBlock(warningsOf(report));
  const between = [...journal, ...warnings];
  const first = breaking.length > 0 ? [breakingBlock(breaking)] : [];
  const last = others.length > 0 ? [otherBlock(others, breaking.length > 0 && between.length > 0)] : [];
  const header: Block = { pieces: [inboxHeader(inbox)] };
  const groups: Block[][] =
    breaking.length > 0 && between.length > 0
      ? [[header, ...first], journal, warnings, last]
      : [journal, warnings, inbox.length > 0 ? [header, ...first, ...last] : []];
  return spaced(groups);
}

function journalBlocks({ handoffs, branch, left = 0 }: Report): Block[] {
  const name = branch ?? "HEAD";
  const blocks = handoffs.map((handoff, index) => journalBlock(handoff, name, index > 0));
  if (handoffs.length < 2) return blocks;
  const shown = left > 0 ? `${handoffs.length} of ${handoffs.length + left}` : handoffs.length;
  // Of many some may be cut without a trace of their own.
  const all = handoffs.length + left > MANY ? "; all of them: git handoff list" : "";
  const say = `${shown} open handoffs for ${short(name, 256)}, newest first (close what is done: git handoff close <id>${all}).`;
  return [{ pieces: [fixed(toned(say, "title"))] }, ...blocks.map(apart)];
}

/** With an empty line above, which goes when the block goes. */
function apart(block: Block): Block {
  return { ...block, pieces: [fixed({ text: "" }), ...block.pieces] };
}

function warningBlock(warnings: readonly string[]): Block[] {
  if (warnings.length === 0) return [];
  return [
    {
      pieces: [
        {
          label: "",
          head: [],
          entries: warnings.map((warning) => [toned(`warning: ${oneLine(warning)}`, "warn")]),
          foot: [],
          more: (gone) => toned(`warning: ... and ${gone} more; all of them: git handoff read`, "warn"),
          cuts: [
            { rank: 190, how: "clip", width: 300, lines: 1 },
            { rank: 195, how: "shorten", keep: 5 },
          ],
        },
      ],
    },
  ];
}

/** Groups with one empty line between them. */
function spaced(groups: readonly Block[][]): Block[] {
  const shown = groups.filter((group) => group.length > 0);
  return shown.flatMap((group, index) =>
    index === 0 ? group : [{ pieces: [fixed({ text: "" })] }, ...group],
  );
}

/** The last resort, should the cuts not have been enough: whole lines go from the end. */
function bounded(lines: Line[], limit: number | undefined): Line[] {
  if (limit === undefined || sizeOf(lines) <= limit) return lines;
  const end: Line = { text: "(cut to fit; the whole: git handoff list)" };
  const kept: Line[] = [];
  for (const line of lines) {
    if (sizeOf([...kept, line, end]) > limit) break;
    kept.push(line);
  }
  return [...kept, end];
}

const STYLES: Record<Tone, readonly Style[]> = {
  title: ["bold"],
  good: ["green"],
  warn: ["yellow"],
  alarm: ["bold", "red"],
  dim: ["dim"],
};

function painted({ text, tone }: Line, color: boolean): string {
  return color && tone !== undefined && text !== "" ? styled(text, ...STYLES[tone]) : text;
}
