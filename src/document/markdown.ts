/** As much of Markdown as finding headings takes: headings outside code fences. */

export interface Part {
  /** The heading's line as it stands; "" for what stands before the first heading. */
  heading: string;
  title: string;
  level: number;
  /** The lines after it, without empty ones at the ends. */
  text: string;
  /** Heading and lines as they stand. */
  whole: string;
}

const HEADING = /^ {0,3}(#{1,2})(?:[ \t]+(.*))?$/;
// Fences at any indentation and right behind a list's marker: inside of lists, how far one may be indented
// depends on the lists around it.
const OPENING = /^ *(?:(?:[-*+]|\d{1,9}[.)]) +)*(`{3,}|~{3,})(.*)$/;
const CLOSING = /^ *(`{3,}|~{3,})[ \t]*$/;

/** Follows code fences line by line. */
export class FenceState {
  #open: string | null = null;

  /** The opening run of the fence that is open, e.g. "```"; null outside of one. */
  get open(): string | null {
    return this.#open;
  }

  /** Takes the next line; true when it is inside a fence or one of its two ends. */
  take(line: string): boolean {
    if (this.#open !== null) {
      const [, run = ""] = CLOSING.exec(line) ?? [];
      if (run.startsWith(this.#open)) this.#open = null;
      return true;
    }
    const [, run = "", info = ""] = OPENING.exec(line) ?? [];
    // A back-tick fence's info has no back-tick: else it is inline code.
    if (run === "" || (run.startsWith("`") && info.includes("`"))) return false;
    this.#open = run;
    return true;
  }
}

/** A text cut before each heading of level one or two. */
export function splitHeadings(text: string): Part[] {
  const parts: Part[] = [];
  const fences = new FenceState();
  let current = { heading: "", title: "", level: 0, lines: [] as string[] };
  const finish = () => {
    const { lines, ...named } = current;
    const content = lines.join("\n");
    const text = trimEmptyLines(content);
    if (named.heading === "") parts.push({ ...named, text, whole: text });
    else parts.push({ ...named, text, whole: `${named.heading}\n${content}`.trimEnd() });
  };
  for (const line of text.replace(/\r\n/g, "\n").split("\n")) {
    const heading = fences.take(line) ? null : HEADING.exec(line);
    if (!heading) {
      current.lines.push(line);
      continue;
    }
    finish();
    const [, marks = "", rest = ""] = heading;
    // Only a short one can be one of ours, and on a long one this expression is slow.
    const title = rest.length > 200 ? rest : rest.trim().replace(/(?:^|[ \t]+)#+$/, "");
    current = { heading: line.trimEnd(), title, level: marks.length, lines: [] };
  }
  finish();
  return parts.filter((part) => part.whole !== "");
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
