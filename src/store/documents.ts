/** Reading documents' blobs, each once. */
import { parseOwnDocument } from "../document/parse-own.js";
import type { HandoffDocument } from "../document/types.js";
import type { StoragePort } from "../git/port.js";

/** A document larger than this is not shown, bytes. */
export const MAX_DOCUMENT_BYTES = 1 << 20;

export interface ReadDocument {
  document: HandoffDocument | null;
  bytes: Uint8Array | null;
  warnings: string[];
  fault: "malformed" | "oversize" | null;
}

/** The documents of these blobs in one read; those that are not here (and would have to be downloaded) are left out. */
export async function readDocuments(
  port: StoragePort,
  oids: readonly string[],
): Promise<Map<string, ReadDocument>> {
  const wanted = [...new Set(oids)];
  const documents = new Map<string, ReadDocument>();
  if (wanted.length === 0) return documents;
  const objects = await port.read(wanted, { maxBytes: MAX_DOCUMENT_BYTES });
  for (const oid of wanted) {
    const object = objects.get(oid);
    if (!object) continue;
    if (object.type !== "blob") {
      documents.set(oid, { document: null, bytes: null, warnings: [], fault: "malformed" });
    } else if (object.content === null || object.size > MAX_DOCUMENT_BYTES) {
      documents.set(oid, { document: null, bytes: null, warnings: [], fault: "oversize" });
    } else {
      documents.set(oid, await parseRead(object.content));
    }
  }
  return documents;
}

export async function parseRead(bytes: Uint8Array): Promise<ReadDocument> {
  const own = parseOwnDocument(bytes);
  if (own) return { document: own, bytes, warnings: [], fault: null };
  // Loaded only when needed: the yaml library is a good part of a short command's time.
  const { parseDocument } = await import("../document/parse.js");
  const { document, warnings } = parseDocument(bytes);
  return { document, bytes, warnings, fault: document ? null : "malformed" };
}
