import type { StoragePort } from "../git/port.js";
import type { Item } from "./types.js";

export interface Redaction {
  /** Logs of this writer that were rewritten; `from` is null for one made new. */
  rewritten: { ref: string; from: string | null; to: string }[];
  /** Refs that still hold the document: other writers', other remotes', sent ones. */
  copies: string[];
  /** Ids of other documents whose text names this one. */
  mentionedBy: string[];
  /** False when the engine cannot expire reflogs: the old commits are still named there. */
  reflogsExpired: boolean;
}

/** Takes a document out of this writer's logs and their history: blob, id, subjects and trailers. Local part; the remote's refs are the caller's. */
export async function redactItem(
  _port: StoragePort,
  _redact: { item: Pick<Item, "oid" | "id" | "branch">; now?: Date },
): Promise<Redaction> {
  throw new Error("not built yet");
}
