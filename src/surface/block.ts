/** Pieces of text that know how to become shorter, and the order in which they do. Pure. */

export type Tone = "title" | "good" | "warn" | "alarm" | "dim";

export interface Line {
  text: string;
  tone?: Tone;
}

/** One way of becoming shorter. The lowest rank goes first; within a rank the later piece. */
export type Cut =
  /** The piece goes as a whole. */
  | { rank: number; how: "drop" }
  /** Entries go from the end until it fits or `keep` are left. */
  | { rank: number; how: "shorten"; keep: number }
  /** Lines are cut to `width` characters, entries to `lines` lines, of which the last `tail` are an entry's own last. */
  | { rank: number; how: "clip"; width: number; lines: number; tail?: number };

export interface Piece {
  /** What a reader calls it; named when it was cut. */
  label: string;
  head: Line[];
  entries: Line[][];
  foot: Line[];
  cuts: Cut[];
  /** Stands where entries were taken away; without it nothing does. */
  more?: (gone: number) => Line;
}

/** Pieces in the order shown. */
export interface Block {
  pieces: Piece[];
  /** Says what was cut; stands before the last piece. */
  notice?: (labels: string[]) => Line;
  /** What may stand for the whole block, from longer to shorter. */
  instead?: { rank: number; lines: Line[] }[];
}

/** A piece that is never cut. */
export function fixed(...lines: Line[]): Piece {
  return { label: "", head: lines, entries: [], foot: [], cuts: [] };
}

interface Draft {
  piece: Piece;
  cut: boolean;
  dropped: boolean;
  gone: number;
}

interface BlockDraft {
  block: Block;
  drafts: Draft[];
  instead: Line[] | null;
}

/** The lines of all blocks, in at most `limit` characters as far as the cuts allow. */
export function layOut(blocks: readonly Block[], limit: number | undefined): Line[] {
  const drafts = blocks.map((block) => ({
    block,
    drafts: block.pieces.map((piece) => ({ piece: { ...piece }, cut: false, dropped: false, gone: 0 })),
    instead: null,
  }));
  if (limit !== undefined) shrink(drafts, limit);
  return drafts.flatMap(blockLines);
}

function shrink(blocks: readonly BlockDraft[], limit: number): void {
  const sizes = new Map(blocks.map((block) => [block, sizeOf(blockLines(block))]));
  let total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  for (const { block, apply } of stepsOf(blocks)) {
    if (total <= limit) return;
    apply(total - limit);
    const size = sizeOf(blockLines(block));
    total += size - (sizes.get(block) ?? 0);
    sizes.set(block, size);
  }
}

function stepsOf(blocks: readonly BlockDraft[]): { block: BlockDraft; apply(excess: number): void }[] {
  const steps = blocks.flatMap((block) => [
    ...block.drafts.flatMap((draft) =>
      draft.piece.cuts.map((cut) => ({
        block,
        rank: cut.rank,
        apply: (excess: number) => applyCut(draft, cut, excess),
      })),
    ),
    ...(block.block.instead ?? []).map(({ rank, lines }) => ({
      block,
      rank,
      apply: () => {
        block.instead = lines;
      },
    })),
  ]);
  // Sorting keeps order: turned round first, so that of equal ranks the later one goes first.
  return steps.reverse().sort((a, b) => a.rank - b.rank);
}

/** Room for a notice or a "more" line that appears only once something is cut. */
const NOTICE = 160;

function applyCut(draft: Draft, cut: Cut, excess: number): void {
  const { piece } = draft;
  if (cut.how === "drop") {
    draft.dropped = true;
    draft.cut = true;
    return;
  }
  if (cut.how === "shorten") {
    let saved = -NOTICE;
    const entries = [...piece.entries];
    while (entries.length > cut.keep && saved < excess) {
      saved += sizeOf(entries.pop() ?? []);
      draft.gone++;
      draft.cut = true;
    }
    piece.entries = entries;
    return;
  }
  piece.entries = piece.entries.map((entry) => {
    const tail = cut.tail ?? 0;
    const short = entry.length > cut.lines;
    const kept = short ? entry.slice(0, cut.lines - tail) : entry;
    const gap = short ? [{ text: `${indentOf(kept.at(-1))}…` }] : [];
    const last = short && tail > 0 ? entry.slice(-tail) : [];
    const clipped = [...kept, ...gap, ...last].map((line) => clip(line, cut.width));
    if (short || clipped.some((line, i) => line !== entry[i])) draft.cut = true;
    return clipped;
  });
}

function clip(line: Line, width: number): Line {
  const characters = [...line.text];
  if (characters.length <= width) return line;
  return { ...line, text: `${characters.slice(0, width - 1).join("")}…` };
}

function indentOf(line: Line | undefined): string {
  return /^ */.exec(line?.text ?? "")?.[0] ?? "";
}

function blockLines({ block, drafts, instead }: BlockDraft): Line[] {
  if (instead !== null) return instead;
  const cut = drafts.filter((draft) => draft.cut && draft.piece.label !== "");
  const labels = [...new Set(cut.map((draft) => draft.piece.label))];
  const notice = labels.length > 0 && block.notice !== undefined ? [block.notice(labels)] : [];
  const lines = drafts.map(pieceLines);
  const last = lines.pop() ?? [];
  return [...lines.flat(), ...notice, ...last];
}

function pieceLines({ piece, gone, dropped }: Draft): Line[] {
  if (dropped) return [];
  const more = gone > 0 && piece.more !== undefined ? [piece.more(gone)] : [];
  return [...piece.head, ...piece.entries.flat(), ...more, ...piece.foot];
}

/** Characters, line ends included. */
export function sizeOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.text.length + 1, 0);
}
