// What a terminal shows, drawn: colours by the theme, and lines broken hard at the width, as a terminal breaks them.

export type Theme = "dark" | "light";

interface Colours {
  ground: string;
  text: string;
  dim: string;
  red: string;
  green: string;
  yellow: string;
}

/** The palettes that VS Code's terminal has by default; bold red is its bright one. */
const THEMES: Record<Theme, Colours> = {
  dark: {
    ground: "#1e1e1e",
    text: "#cccccc",
    dim: "#858585",
    red: "#f14c4c",
    green: "#0dbc79",
    yellow: "#e5e510",
  },
  light: {
    ground: "#ffffff",
    text: "#333333",
    dim: "#767676",
    red: "#cd3131",
    green: "#107c10",
    yellow: "#949800",
  },
};

type Style = "bold" | "dim" | "red" | "green" | "yellow";
const SGR: Readonly<Record<number, Style>> = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow" };
const OFF: Readonly<Record<number, readonly Style[]>> = {
  22: ["bold", "dim"],
  39: ["red", "green", "yellow"],
};

interface Cell {
  character: string;
  styles: string;
}

/** The screen's rows. Throws on an escape that is no colour: the block is to have none. */
export function rows(output: string, columns: number): Cell[][] {
  const styles = new Set<Style>();
  const lines: Cell[][] = [[]];
  for (const [part] of output.matchAll(/\u001b\[[0-9;]*m|\u001b|[^\u001b]/gu)) {
    const last = lines.at(-1) ?? [];
    if (part.startsWith("\u001b")) {
      const codes = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
      if (codes === undefined) throw new Error("an escape sequence that is no colour");
      for (const code of codes.split(";").map(Number)) {
        const on = SGR[code];
        if (on) styles.add(on);
        else for (const style of OFF[code] ?? [...styles]) styles.delete(style);
      }
    } else if (part === "\n") lines.push([]);
    else {
      const cell = { character: part, styles: [...styles].sort().join(" ") };
      if (last.length === columns) lines.push([cell]);
      else last.push(cell);
    }
  }
  while (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

const CHARACTER = 7.83;
const LINE = 17;
const MARGIN = 12;

/** Screens of several widths below each other, as SVG. */
export function draw(output: string, widths: readonly number[], theme: Theme): string {
  const { ground, text, dim, red, green, yellow } = THEMES[theme];
  const parts: string[] = [];
  let top = 0;
  for (const columns of widths) {
    const lines = rows(output, columns);
    const width = Math.ceil(columns * CHARACTER) + 2 * MARGIN;
    const height = (lines.length + 1) * LINE + 2 * MARGIN;
    parts.push(`<rect y="${top}" width="${width}" height="${height}" rx="6" class="ground"/>`);
    parts.push(`<text x="${MARGIN}" y="${top + MARGIN + 12}" class="dim">${columns} columns</text>`);
    for (const [index, cells] of lines.entries()) {
      if (cells.length === 0) continue;
      const y = top + MARGIN + 12 + (index + 1) * LINE;
      parts.push(`<text x="${MARGIN}" y="${y}" xml:space="preserve">${spans(cells)}</text>`);
    }
    top += height + MARGIN;
  }
  const width = Math.ceil(Math.max(...widths) * CHARACTER) + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top - MARGIN}" viewBox="0 0 ${width} ${top - MARGIN}">
<title>git handoff on a ${theme} terminal</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: ${text} }
.ground { fill: ${ground}; stroke: ${dim} } .bold { font-weight: bold } .dim { fill: ${dim} }
.red { fill: ${red} } .green { fill: ${green} } .yellow { fill: ${yellow} }
</style>
${parts.join("\n")}
</svg>
`;
}

function spans(cells: readonly Cell[]): string {
  let out = "";
  for (let start = 0; start < cells.length; ) {
    const styles = cells[start]?.styles ?? "";
    let end = start;
    while (end < cells.length && cells[end]?.styles === styles) end++;
    const words = cells
      .slice(start, end)
      .map(({ character }) => character)
      .join("");
    const safe = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    out += styles === "" ? safe : `<tspan class="${styles}">${safe}</tspan>`;
    start = end;
  }
  return out;
}
