/** `git handoff list`: one line a handoff. */
import { oneLine } from "../document/strip.js";
import { readAllViews, readViews } from "../store/join.js";
import { REPOSITORY_BRANCH } from "../store/names.js";
import type { Item, View } from "../store/types.js";
import { ageOf } from "../terminal/age.js";
import { paint, type Style, wantsColor } from "../terminal/color.js";
import { writePaged } from "../terminal/pager.js";
import { type Column, drawTable } from "../terminal/table.js";
import { type Context, openRepository, type Run, warn, writeJson } from "./context.js";
import { intentOf, summaryOf } from "./item.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const branch = await repository.branch();
  const options = { live: args.closed !== true, headlines: true };
  const port = repository.port();
  const reading =
    args.all === true
      ? readAllViews(port, options)
      : readViews(port, [...(branch === null ? [] : [branch]), REPOSITORY_BRANCH], options);
  // Asked while the handoffs are read.
  const [views, color] = await Promise.all([reading, args.json !== true && wantsColor(context)]);
  const items = ordered(views, branch);
  const warnings = [...new Set(views.flatMap((view) => view.warnings))];
  if (args.json === true) {
    writeJson(context, { format: 1, branch, handoffs: items.map(summaryOf), warnings });
    return 0;
  }
  warn(context, warnings.map(oneLine));
  if (items.length === 0) context.stderr.write(nothing(args.all === true ? null : branch));
  else await writePaged(draw(items, context, color), context);
  return 0;
};

/** The current branch first, then the others by name, the repository's own last; each newest first. */
function ordered(views: readonly View[], current: string | null): Item[] {
  const place = ({ branch }: View) => (branch === current ? 0 : branch === REPOSITORY_BRANCH ? 2 : 1);
  return [...views].sort((a, b) => place(a) - place(b)).flatMap((view) => view.items);
}

function nothing(branch: string | null): string {
  return branch === null ? "No open handoff.\n" : `No open handoff for ${oneLine(branch)}.\n`;
}

function draw(items: readonly Item[], context: Context, color: boolean): string {
  const width = context.stdout.isTTY ? context.stdout.columns || 80 : null;
  const now = context.now();
  const headlines = items.map(({ headline }) => headline);
  const columns: Column[] = [
    {
      // Where something else reads it, the whole id; its end is the handle.
      cells: items.map((item) => (width === null ? item.id : item.handle)),
      ...painted(() => "yellow", color),
    },
    { cells: items.map(stateOf), rank: 4, ...painted(styleOf, color) },
    { cells: items.map((item) => oneLine(item.branch)), max: 24, rank: 3 },
    {
      cells: headlines.map((headline) => (headline ? ageOf(headline.written, now) : "unknown")),
      rank: 2,
      ...painted(() => "dim", color),
    },
    { cells: headlines.map((headline) => authorName(headline?.author ?? "unknown")), max: 18, rank: 1 },
    { cells: items.map(intentOf) },
  ];
  return drawTable(columns, width);
}

function painted(style: (text: string) => Style, color: boolean): Pick<Column, "paint"> {
  return color ? { paint: (text) => paint(text, style(text), color) } : {};
}

function stateOf({ state, headline }: Item): string {
  return state === "inbox" && headline?.breaking ? "inbox !!" : state;
}

function styleOf(state: string): Style {
  if (state === "inbox !!") return "red";
  return state === "open" || state === "inbox" ? "green" : "dim";
}

/** `Ada Lovelace <ada@example.com>` without the address. */
function authorName(author: string): string {
  const known = names.get(author);
  if (known !== undefined) return known;
  const line = oneLine(author);
  const address = line.lastIndexOf("<");
  const ends = address > 0 && line.indexOf(">", address) === line.length - 1;
  const name = (ends && line.slice(0, address).trimEnd()) || line;
  names.set(author, name);
  return name;
}

/** Few people write thousands. */
const names = new Map<string, string>();
