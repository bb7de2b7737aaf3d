/** As much of Markdown as finding headings takes: headings outside code fences. */

export interface Part {
  /** The heading's line as it stands; "" for what stands before the first heading. */
  heading: string;
  title: string;
  level: number;
  /** The lines after it, without empty ones at the ends. */
  text: string;
}

const HEADING = /^ {0,3}(#{1,2})(?:[ \t]+(.*))?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Follows code fences line by line. */
export class FenceState {
  #open: string | null = null;

  /** The opening run of the fence that is open, e.g. "```"; null outside of one. */
  get open(): string | null {
    return this.#open;
  }

  /** Takes the next line; true when it is inside a fence or one of its two ends. */
  take(line: string): boolean {
    const match = FENCE.exec(line);
    const [, run = "", info = ""] = match ?? [];
    if (this.#open === null) {
      // A back-tick fence's info has no back-tick: else it is inline code.
      if (!match || (run.startsWith("`") && info.includes("`"))) return false;
      this.#open = run;
      return true;
    }
    if (match && run.startsWith(this.#open) && info.trim() === "") this.#open = null;
    return true;
  }
}

/** A text cut before each heading of level one or two. */
export function splitHeadings(text: string): Part[] {
  const parts: Part[] = [];
  const fences = new FenceState();
  let current: Part & { lines: string[] } = { heading: "", title: "", level: 0, text: "", lines: [] };
  const finish = () => {
    const { lines, ...part } = current;
    part.text = trimEmptyLines(lines.join("\n"));
    if (part.heading !== "" || part.text !== "") parts.push(part);
  };
  for (const line of text.replace(/\r\n/g, "\n").split("\n")) {
    const heading = fences.take(line) ? null : HEADING.exec(line);
    if (!heading) {
      current.lines.push(line);
      continue;
    }
    finish();
    const [, marks = "", rest = ""] = heading;
    const title = rest.trim().replace(/(?:^|[ \t]+)#+$/, "");
    current = { heading: line.trimEnd(), title, level: marks.length, text: "", lines: [] };
  }
  finish();
  return parts;
}

/** The text with its last fence closed, so that what is put behind it is not taken for code. */
export function closeFence(text: string): string {
  const fences = new FenceState();
  for (const line of text.split("\n")) fences.take(line);
  return fences.open === null ? text : `${text.replace(/\n$/, "")}\n${fences.open}`;
}

/** Without empty lines at the beginning and white space at the end; the first line keeps its indentation. */
export function trimEmptyLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
