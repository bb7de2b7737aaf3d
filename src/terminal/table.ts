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
  // Asked of all at once: most tables hold nothing else, and one of thousands of rows would be asked often.
  const ascii = columns.every(({ cells }) => ASCII.test(cells.join("")));
  if (ascii && width === null && columns.every(({ paint }) => paint === undefined)) return drawPlain(columns);
  const measured = columns.map((column) => ({ ...column, widths: column.cells.map(textWidth) }));
  const shown = fitting(measured, width);
  const rooms = shown.map((column) => columnWidth(column, width));
  const before = rooms.slice(0, -1).reduce((sum, each) => sum + each + GAP, 0);
  const last = Math.max(1, (width ?? Number.POSITIVE_INFINITY) - before);
  const drawn = shown.map((column, index) =>
    index === shown.length - 1 ? drawLast(column, last) : drawPadded(column, rooms[index] ?? 0),
  );
  let text = "";
  for (let row = 0; row < (columns[0]?.cells.length ?? 0); row++) {
    let line = "";
    for (const cells of drawn) line += cells[row] ?? "";
    text += `${line.trimEnd()}\n`;
  }
  return text;
}

/** Where each character is a column and nothing is cut or painted. */
function drawPlain(columns: readonly Column[]): string {
  const rooms = columns.map(({ cells }) => {
    let widest = 0;
    for (const { length } of cells) if (length > widest) widest = length;
    return widest + GAP;
  });
  let text = "";
  for (let row = 0; row < (columns[0]?.cells.length ?? 0); row++) {
    let line = "";
    for (let index = 0; index < columns.length; index++)
      line += (columns[index]?.cells[row] ?? "").padEnd(rooms[index] ?? 0);
    text += `${line.trimEnd()}\n`;
  }
  return text;
}

interface Measured extends Column {
  /** Terminal columns of each cell. */
  widths: readonly number[];
}

/** Cut to that many columns, painted, and filled up with the gap to the next. */
function drawPadded({ cells, widths, paint }: Measured, room: number): string[] {
  return cells.map((whole, row) => {
    const width = widths[row] ?? 0;
    const cell = width > room ? cut(whole, room) : whole;
    const padding = " ".repeat(room - (width > room ? textWidth(cell) : width) + GAP);
    return paint ? paint(cell) + padding : cell + padding;
  });
}

function drawLast({ cells, widths, paint }: Measured, room: number): string[] {
  return cells.map((whole, row) => {
    const cell = (widths[row] ?? 0) > room ? cut(whole, room) : whole;
    return paint ? paint(cell) : cell;
  });
}

/** Leaves out columns, least important first, until the last one has room. */
function fitting(columns: readonly Measured[], width: number | null): readonly Measured[] {
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

function columnWidth({ widths, max }: Measured, width: number | null): number {
  let widest = 0;
  for (const each of widths) if (each > widest) widest = each;
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
