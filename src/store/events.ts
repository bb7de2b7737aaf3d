/** Everything that changes a log. Each call is one commit a log, recorded by compare-and-swap, started again from the join when a race is lost. */
import type { Delivery } from "../document/types.js";
import type { StoragePort } from "../git/port.js";
import type { Item, State } from "./types.js";

/** A document as it is to be stored. */
export interface NewDocument {
  bytes: Uint8Array;
  /** ISO 8601; makes the id's time. */
  written: string;
  /** Makes the id's slug and the commit's subject. */
  intent: string;
  /** Decides between `open/` and `inbox/`; pulled by default. */
  delivery?: Delivery;
}

export interface RecordOptions {
  /** The commit's date; now by default. */
  now?: Date;
}

/** Where a document now is. */
export interface Recorded {
  id: string;
  handle: string;
  oid: string;
  ref: string;
  path: string;
  commit: string;
  writer: string;
  /** Ids of the open handoffs that this one closed. */
  superseded: string[];
}

/** What `close`, `ack` and `mv` did. */
export interface Moved {
  /** One for each log that got a commit; empty when nothing was to be done. */
  commits: { ref: string; commit: string }[];
  /** Those whose state changed. */
  changed: Item[];
  /** Those that were so before. */
  already: Item[];
}

/**
 * Records a new document. `compose` is called with the branch's open handoffs (oldest first), again after
 * each lost race, so that an append merges what is there when the ref moves; a document in its place is
 * taken as it is.
 * Throws OpenHandoffError (mode `write` beside an open one), KnownDocumentError, FatalError (branch `HEAD`
 * for a pulled document, own log unreadable or of a newer format).
 */
export async function recordWrite(
  _port: StoragePort,
  _write: {
    branch: string;
    mode: "write" | "append" | "supersede";
    document: NewDocument | ((open: Item[]) => Promise<NewDocument> | NewDocument);
  } & RecordOptions,
): Promise<Recorded> {
  throw new Error("not built yet");
}

/** Closes journal handoffs, one commit a branch. Throws WrongDeliveryError on an inbox one. Twice is fine. */
export async function closeItems(
  _port: StoragePort,
  _close: { items: readonly Item[]; reason?: string | null } & RecordOptions,
): Promise<Moved> {
  throw new Error("not built yet");
}

/** Acknowledges (or declines) inbox handoffs, one commit a branch. Throws WrongDeliveryError on a journal one. Twice is fine. */
export async function ackItems(
  _port: StoragePort,
  _ack: { items: readonly Item[]; decline?: boolean; reason?: string | null } & RecordOptions,
): Promise<Moved> {
  throw new Error("not built yet");
}

/** Writes a closed or acked handoff again as a new document that names the old one in `supersedes`. Throws as recordWrite, NegativeError when it is open already. */
export async function reopenItem(_port: StoragePort, _reopen: { item: Item; now?: Date }): Promise<Recorded> {
  throw new Error("not built yet");
}

/** Carries `from`'s open handoffs over to `to`, both logs in one transaction. Again, or by two people, adds nothing. */
export async function moveBranch(
  _port: StoragePort,
  _move: { from: string; to: string; reason?: string | null } & RecordOptions,
): Promise<Moved> {
  throw new Error("not built yet");
}

/** One document of an import and where it belongs. */
export interface ImportedDocument extends NewDocument {
  branch: string;
  state: State;
}

/** Takes documents in as they were, one commit a branch; blobs that are known in whatever folder are skipped. */
export async function recordImport(
  _port: StoragePort,
  _import: { documents: readonly ImportedDocument[]; source?: string } & RecordOptions,
): Promise<{ recorded: Recorded[]; skipped: { id: string; oid: string; branch: string }[] }> {
  throw new Error("not built yet");
}
