/** Rows as columns that fit: text by the width a terminal gives it, cut where it must be. Pure. */
import measure from "fast-string-truncated-width";

export interface Column {
  /** Cells of this column, top to bottom; already stripped and one line each. */
  cells: readonly string[];
  /** At most this many columns. */
  max?: number;
  /** The lower, the sooner it is left out where there is no room; without one it always stays. */
  rank?: number;
  /** Paints a cell after it has been cut and padded. */
  paint?: (text: string) => string;
}

const GAP = 2;
/** What the last column must have at least, or another column goes. */
const LAST_MIN = 24;

/**
 * Draws rows, without headings. The last column takes what is left.
 * @param width columns of the terminal; null (no terminal): nothing is cut or left out.
 */
export function drawTable(columns: readonly Column[], width: number | null): string {
  const shown = fitting(columns, width);
  const widths = shown.map((column) => columnWidth(column, width));
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP, 0);
  const rows = columns[0]?.cells.length ?? 0;
  let text = "";
  for (let row = 0; row < rows; row++) {
    const cells = shown.map((column, index) => {
      const last = index === shown.length - 1;
      const room = last ? Math.max(1, (width ?? Number.POSITIVE_INFINITY) - before) : (widths[index] ?? 0);
      const cell = cut(column.cells[row] ?? "", room);
      const painted = column.paint ? column.paint(cell) : cell;
      return last ? painted : painted + " ".repeat(Math.max(0, room - textWidth(cell)));
    });
    text += `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
  }
  return text;
}

/** Leaves out columns, least important first, until the last one has room. */
function fitting(columns: readonly Column[], width: number | null): readonly Column[] {
  let shown = columns;
  while (width !== null) {
    const fixed = shown.slice(0, -1).reduce((sum, column) => sum + columnWidth(column, width) + GAP, 0);
    if (width - fixed >= LAST_MIN) break;
    const [least] = shown
      .filter(({ rank }) => rank !== undefined)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    if (!least) break;
    shown = shown.filter((column) => column !== least);
  }
  return shown;
}

function columnWidth({ cells, max }: Column, width: number | null): number {
  const widest = Math.max(0, ...cells.map(textWidth));
  return width === null || max === undefined ? widest : Math.min(widest, max);
}

/** Most of what is shown: a column each. */
const ASCII = /^[ -~]*$/;

/** Terminal columns that `text` takes. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return measure(text).width;
}

/** Cuts to at most `room` columns between characters, with an ellipsis where something was cut. */
export function cut(text: string, room: number): string {
  if (!Number.isFinite(room) || textWidth(text) <= room) return text;
  // Not by the library's own truncation: it is off by a column or two after some wide characters.
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (textWidth(`${kept}${segment}…`) > room) break;
    kept += segment;
  }
  return `${kept}…`;
}
