/** Next steps and pointers are lists of texts; Markdown lists are read and written here. */
import { closeFence, FenceState, trimEmptyLines } from "./markdown.js";

const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/;

/**
 * The entries of a list section. Ordered and unordered alike; an entry keeps its continuation lines and nested
 * lists, less its own indentation. A paragraph that is in no list is an entry too.
 */
export function parseList(text: string): string[] {
  const reader = new ListReader();
  for (const line of text.split("\n")) reader.take(line);
  return reader.finish();
}

class ListReader {
  readonly #items: string[] = [];
  #lines: string[] = [];
  /** Columns before the open entry's marker, and those its further lines are indented by. */
  #indent = 0;
  #width = 0;
  #fences = new FenceState();
  #afterEmpty = false;

  take(line: string): void {
    const empty = line.trim() === "";
    const belongs = this.#fences.open !== null || empty || this.#isNested(line);
    const marker = belongs ? null : ITEM.exec(line);
    if (marker) this.#begin(marker);
    // Text at the margin continues the paragraph before it, but not over an empty line.
    else if (belongs || !this.#afterEmpty) this.#continue(line);
    else this.#beginParagraph(line);
    this.#afterEmpty = empty;
  }

  finish(): string[] {
    const text = trimEmptyLines(this.#lines.join("\n")).trimStart();
    if (text !== "") this.#items.push(text);
    this.#lines = [];
    this.#fences = new FenceState();
    return this.#items;
  }

  #begin(marker: RegExpExecArray): void {
    this.finish();
    const [, indent = "", sign = "", space = "", content = ""] = marker;
    // More than four spaces after the marker are content: indented code.
    const gap = space.length > 4 || content === "" ? 1 : space.length;
    this.#indent = indent.length;
    this.#width = indent.length + sign.length + gap;
    this.#add(`${space.slice(gap)}${content}`);
  }

  #beginParagraph(line: string): void {
    this.finish();
    this.#indent = 0;
    this.#width = 0;
    this.#add(line);
  }

  #continue(line: string): void {
    const indent = line.startsWith("\t") ? 1 : line.search(/[^ ]|$/);
    this.#add(line.slice(Math.min(indent, this.#width)));
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#fences.take(line);
  }

  /** Indented far enough to belong to the open entry. */
  #isNested(line: string): boolean {
    if (this.#width === 0) return false;
    return line.startsWith("\t") || line.search(/[^ ]|$/) >= this.#indent + 2;
  }
}

/** One entry behind its marker, its further lines indented to it. */
export function formatItem(item: string, marker: string): string {
  const indent = " ".repeat(marker.length + 1);
  return closeFence(item.trim())
    .split("\n")
    .map((line, index) => (index === 0 ? `${marker} ${line}` : line.trim() === "" ? "" : `${indent}${line}`))
    .join("\n");
}

/** Texts with an empty line between, empty ones left out. */
export function joinParts(parts: readonly string[]): string {
  return parts
    .map(trimEmptyLines)
    .filter((part) => part !== "")
    .join("\n\n");
}
