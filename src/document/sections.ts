/** The body's fixed spine, read from and written to Markdown. Nothing of a body is lost on the way. */
import { formatItem, joinParts, parseList } from "./lists.js";
import { closeFence, splitHeadings } from "./markdown.js";
import type { Sections } from "./types.js";

type Spine = Exclude<keyof Sections, "rest">;

const HEADINGS: Readonly<Record<Spine, string>> = {
  state: "State",
  impact: "Impact here",
  next: "Next steps",
  pointers: "Pointers",
  skills: "Suggested skills",
};

function spineOf(heading: string): Spine | null {
  const name = heading.replace(/:$/, "").toLowerCase();
  for (const key of ["state", "impact", "next", "pointers", "skills"] as const) {
    if (HEADINGS[key].toLowerCase() === name) return key;
  }
  return null;
}

/**
 * A body's sections. A part of the spine that is missing or empty is null (for lists: empty); every other
 * section, and what stands before the first heading, is in `rest` as it stands. A heading inside a code fence
 * is none.
 */
export function parseSections(body: string): Sections {
  const found: Record<Spine, string[]> = { state: [], impact: [], next: [], pointers: [], skills: [] };
  const rest: string[] = [];
  for (const part of splitHeadings(body)) {
    const key = part.level === 2 ? spineOf(part.title) : null;
    if (key) found[key].push(part.text);
    else rest.push(part.whole);
  }
  return {
    state: joinParts(found.state) || null,
    impact: joinParts(found.impact) || null,
    next: found.next.flatMap(parseList),
    pointers: found.pointers.flatMap(parseList),
    skills: joinParts(found.skills) || null,
    rest: joinParts(rest),
  };
}

/** Markdown of the sections, in the spine's order; empty ones are left out. Ends with a newline unless empty. */
export function formatBody(sections: Partial<Sections>): string {
  const [before, after] = splitRest(sections.rest ?? "");
  const parts = [
    before,
    titled("state", sections.state ?? ""),
    titled("impact", sections.impact ?? ""),
    titled("next", (sections.next ?? []).map((item, index) => formatItem(item, `${index + 1}.`)).join("\n")),
    titled("pointers", (sections.pointers ?? []).map((item) => formatItem(item, "-")).join("\n")),
    titled("skills", sections.skills ?? ""),
    after,
  ];
  const text = joinParts(parts.map(closeFence));
  return text === "" ? "" : `${text}\n`;
}

function titled(key: Spine, text: string): string {
  return text.trim() === "" ? "" : `## ${HEADINGS[key]}\n\n${joinParts([text])}`;
}

/** What has no heading of its own has to stand first, or it would become part of the section before it. */
function splitRest(rest: string): [string, string] {
  const parts = splitHeadings(rest);
  const before = parts.filter((part) => part.heading === "").map((part) => part.whole);
  const after = parts.filter((part) => part.heading !== "").map((part) => part.whole);
  return [joinParts(before), joinParts(after)];
}

/** The sections of a document that goes on from another: each one added to its forerunner, equal items once. */
export function appendSections(earlier: Sections, addition: Partial<Sections>): Sections {
  return {
    state: added(earlier.state, addition.state),
    impact: added(earlier.impact, addition.impact),
    next: [...new Set([...earlier.next, ...(addition.next ?? [])])],
    pointers: [...new Set([...earlier.pointers, ...(addition.pointers ?? [])])],
    skills: added(earlier.skills, addition.skills),
    rest: added(earlier.rest, addition.rest) ?? "",
  };
}

function added(earlier: string | null, addition: string | null | undefined): string | null {
  const before = earlier ?? "";
  const after = addition ?? "";
  if (before.trim() === after.trim()) return joinParts([before]) || null;
  return joinParts([closeFence(before), after]) || null;
}
