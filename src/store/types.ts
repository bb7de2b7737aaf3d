import type { Headline } from "../document/headline.js";
import type { HandoffDocument } from "../document/types.js";

/** Folders of a log's tree, in the order in which a document moves through them. */
export const FOLDERS = ["open", "moved", "inbox", "closed", "acked", "gone"] as const;
export type Folder = (typeof FOLDERS)[number];

/** What a reader sees of a document. */
export type State = "open" | "closed" | "inbox" | "acked";

export const EVENTS = [
  "write",
  "append",
  "supersede",
  "close",
  "ack",
  "decline",
  "move",
  "import",
  "prune",
  "redact",
] as const;
export type EventName = (typeof EVENTS)[number];

/** One document of a view: the join's answer for one blob. */
export interface Item {
  /** Key of the join. */
  oid: string;
  id: string;
  /** First seven hex of `oid`. */
  handle: string;
  state: State;
  /** The branch whose ref carries it, or `HEAD`. */
  branch: string;
  /** Writer of the earliest ref by name that has it. */
  writer: string;
  /** A ref and path at which `git show <ref>:<path>` prints it. */
  ref: string;
  path: string;
  /** What a list shows of it; null when malformed, oversize or not downloaded (then a warning says so). */
  headline: Headline | null;
  /** Parsed; null where `headline` is, and where no more than that was asked for. */
  document: HandoffDocument | null;
  /** What is wrong with a document that is here and cannot be parsed. */
  fault?: "malformed" | "oversize" | null;
  /** The stored bytes; null when not downloaded or oversize, and where only headlines were asked for. */
  bytes: Uint8Array | null;
}

/** How many documents were not read, as there are more than anybody reads. */
export interface Left {
  open: number;
  inbox: number;
}

/** All logs of one branch joined. */
export interface View {
  branch: string;
  /** Newest first by `written`. */
  items: Item[];
  /** Nothing where all were to be read. A warning says it too. */
  left?: Left;
  /** One line each: left out, malformed, newer format, oversize, not downloaded, wrong name, broken ref. */
  warnings: string[];
}

/** One commit of a log. */
export interface LogEvent {
  event: EventName | "unknown";
  ids: string[];
  supersedes: string[];
  reason: string | null;
  subject: string;
  branch: string;
  writer: string;
  commit: string;
  author: string;
  /** ISO 8601. */
  date: string;
}
