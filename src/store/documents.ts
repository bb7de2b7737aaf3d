/** Reading documents' blobs, each once. */
import { MAX_DOCUMENT_BYTES } from "../document/frontmatter.js";
import { type Headline, parseHeadline } from "../document/headline.js";
import { parseOwnDocument } from "../document/parse-own.js";
import type { HandoffDocument } from "../document/types.js";
import type { StoragePort } from "../git/port.js";

export interface ReadDocument {
  /** The document's own fields, where all of it was read. */
  headline: Headline | null;
  document: HandoffDocument | null;
  bytes: Uint8Array | null;
  warnings: readonly string[];
  fault: "malformed" | "oversize" | null;
}

const NONE: readonly string[] = [];
const NOTHING = { headline: null, document: null, bytes: null, warnings: NONE };

/**
 * The documents of these blobs in one read; those that are not here (and would have to be downloaded) are left out.
 *
 * @param headlines only what a list shows, which is read several times as quickly
 */
export async function readDocuments(
  port: StoragePort,
  oids: readonly string[],
  headlines = false,
): Promise<Map<string, ReadDocument>> {
  const wanted = [...new Set(oids)];
  const documents = new Map<string, ReadDocument>();
  if (wanted.length === 0) return documents;
  const objects = await port.read(wanted, { maxBytes: MAX_DOCUMENT_BYTES });
  for (const oid of wanted) {
    const object = objects.get(oid);
    if (!object) continue;
    if (object.type !== "blob") {
      documents.set(oid, { ...NOTHING, fault: "malformed" });
      continue;
    }
    const bytes = object.size > MAX_DOCUMENT_BYTES ? null : object.content;
    if (bytes === null) {
      documents.set(oid, { ...NOTHING, fault: "oversize" });
      continue;
    }
    // Waited for only where a library must be loaded: of thousands, each waiting counts.
    documents.set(oid, (headlines ? readHeadline(bytes) : readOwn(bytes)) ?? (await readForeign(bytes)));
  }
  return documents;
}

/** One document from its bytes. */
export async function parseRead(bytes: Uint8Array): Promise<ReadDocument> {
  return readOwn(bytes) ?? readForeign(bytes);
}

function readHeadline(bytes: Uint8Array): ReadDocument | undefined {
  const headline = parseHeadline(bytes);
  return headline && { headline, document: null, bytes: null, warnings: NONE, fault: null };
}

function readOwn(bytes: Uint8Array): ReadDocument | undefined {
  const document = parseOwnDocument(bytes);
  return document && { headline: document.meta, document, bytes, warnings: NONE, fault: null };
}

async function readForeign(bytes: Uint8Array): Promise<ReadDocument> {
  // Loaded only when needed: the yaml library is a good part of a short command's time.
  const { parseDocument } = await import("../document/parse.js");
  const { document, warnings } = parseDocument(bytes);
  return {
    headline: document?.meta ?? null,
    document,
    bytes,
    warnings,
    fault: document ? null : "malformed",
  };
}
