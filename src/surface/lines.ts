/** Lines and lists of the surface block, from text that others wrote. Pure. */
import { oneLine, stripText } from "../document/strip.js";
import { type Cut, fixed, type Line, type Piece, type Tone } from "./block.js";

/** `[kind] text`, marked when withdrawn. */
export function entry(kind: string, claim: string, withdrawn: string | null = null): Line {
  const why = withdrawn === null ? "" : ` (withdrawn: ${oneLine(withdrawn)})`;
  return toned(`    [${oneLine(kind)}] ${oneLine(claim)}${why}`, withdrawn === null ? undefined : "dim");
}

export function numbered(step: string, index: number): Line[] {
  const [first = "", ...rest] = block(step).map((line) => line.text.trimStart());
  return [{ text: `    ${index + 1}. ${first}` }, ...rest.map((line) => ({ text: `       ${line}` }))];
}

/** A list with a heading; nothing when it has no entries. */
export function section(
  heading: string,
  entries: Line[][],
  options: { label?: string; blank?: boolean; foot?: Line[]; cuts: Cut[] },
): Piece {
  if (entries.length === 0) return fixed();
  const tone = heading.startsWith("Holding") ? "good" : heading.startsWith("Ground") ? "warn" : "title";
  return {
    label: options.label ?? heading,
    head: [...(options.blank ? [{ text: "" }] : []), toned(`  ${heading}:`, tone)],
    entries,
    foot: options.foot ?? [],
    cuts: options.cuts,
    more,
  };
}

/** One line after its heading, or several below it; nothing when it is empty. */
export function inline(heading: string, value: string | null, cuts: Cut[]): Piece {
  const lines = value === null ? [] : block(value);
  const [only] = lines;
  if (only === undefined) return fixed();
  if (lines.length > 1) return section(heading, [lines], { cuts });
  return {
    label: heading,
    head: [{ text: `  ${heading}: ${only.text.trimStart()}` }],
    entries: [],
    foot: [],
    cuts,
  };
}

export function more(gone: number): Line {
  return toned(`    ... (${gone} more cut)`, "dim");
}

/** Free text as indented lines, without empty ones at its ends. */
export function block(value: string, indent = "    "): Line[] {
  const lines = stripText(value).replace(/\r/g, "").split("\n");
  while (lines.length > 0 && lines[0]?.trim() === "") lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  return lines.map((line) => ({ text: line.trim() === "" ? "" : `${indent}${line.trimEnd()}` }));
}

export function text(value: string): Line {
  return { text: `    ${oneLine(value)}` };
}

export function clip(rank: number, width: number): Cut {
  return { rank, how: "clip", width, lines: 8 };
}

/** A line with a tone, if any. */
export function toned(value: string, tone: Tone | undefined): Line {
  return tone === undefined ? { text: value } : { text: value, tone };
}
