/** A document in another tool's form, with a block for what that has no field for. */
import { formatDocument } from "../document/format.js";
import type { HandoffDocument } from "../document/types.js";
import type { Kept } from "./kept-block.js";
import { emailsIn } from "./people.js";
import { understand } from "./read.js";
import { missingIn } from "./restore.js";
import { decodeSource } from "./source-file.js";
import type { ExportFormat } from "./types.js";
import { evidenceFields, writeEvidence } from "./write-evidence.js";
import { inboxName, writeInbox } from "./write-inbox.js";
import { parkKey, writePark } from "./write-park.js";

export interface ExportPlace {
  /** The branch it stands on, or `HEAD`. */
  branch: string;
  /** Absolute path of the repository: the inbox document's `project`. */
  project: string;
  /** When it was closed, as ISO 8601; null when it is open or that is not known. */
  closed: string | null;
}

export interface Exported {
  text: string;
  /** The file name that the format asks for. */
  name: string;
  warnings: string[];
}

/**
 * The file's text, read back to see that import gives the same document. Without a block where the format holds
 * everything. Pure.
 */
export function exportDocument(
  document: HandoffDocument,
  format: ExportFormat,
  place: ExportPlace,
): Exported {
  const name = nameFor(document, format, place);
  const whole = formatDocument(document);
  const people = emailsIn(whole);
  const bare = write(document, format, null, place);
  const read = readBack(bare, format, name);
  if (people.length === 0 && read !== null && formatDocument(read) === whole) {
    return { text: bare, name, warnings: [] };
  }
  const missing = read === null ? { meta: document.meta } : missingIn(read.meta, document.meta);
  const everything = { ...missing, meta: document.meta, ...(people.length > 0 ? { people } : {}) };
  // The least that gives back the same bytes: the order of unknown keys may need all keys, odd line ends the body.
  const candidates: Kept[] = [
    { ...everything, meta: missing.meta },
    everything,
    { ...everything, body: document.body },
  ];
  let text = bare;
  for (const kept of candidates) {
    text = write(document, format, kept, place);
    const back = readBack(text, format, name);
    if (back !== null && formatDocument(back) === whole) return { text, name, warnings: [] };
  }
  return { text, name, warnings: ["import would not give back quite the same document"] };
}

function write(
  document: HandoffDocument,
  format: ExportFormat,
  kept: Kept | null,
  place: ExportPlace,
): string {
  switch (format) {
    case "park":
      return writePark(document, kept);
    case "evidence":
      return writeEvidence(document, kept);
    case "inbox":
      return writeInbox(document, kept, place.project);
  }
}

function readBack(text: string, format: ExportFormat, name: string): HandoffDocument | null {
  try {
    const read = understand(decodeSource(name, new TextEncoder().encode(text)).file);
    return read.form === format ? read.document : null;
  } catch {
    return null;
  }
}

function nameFor(document: HandoffDocument, format: ExportFormat, place: ExportPlace): string {
  switch (format) {
    case "park":
      return `${parkKey(place.branch)}.md${place.closed === null ? "" : `.closed-${compact(place.closed)}`}`;
    case "evidence":
      return `${evidenceFields(document).id}.json`;
    case "inbox":
      return inboxName(document.meta);
  }
}

/** Without colons, which not every file system takes. */
function compact(time: string): string {
  const date = new Date(time);
  const text = Number.isNaN(date.getTime()) ? time : date.toISOString().slice(0, 19).concat("Z");
  return text.replace(/[-:]/g, "");
}
