/** One way from input to the bytes that are stored, for write and send alike. */
import { formatDocument } from "../document/format.js";
import { documentId, handleOf } from "../document/id.js";
import { type Addition, mergeAllowance, mergeForAppend } from "../document/merge.js";
import { redactDocument } from "../document/redact.js";
import type { Artifact, Frontmatter, HandoffDocument } from "../document/types.js";
import { unknownKind, validateDocument } from "../document/validate.js";
import { UsageError } from "../errors.js";
import { hashObject } from "../git/object.js";
import type { ObjectFormat } from "../git/port.js";
import type { Item } from "../store/types.js";
import { type Composed, compose, type Observe, type Surroundings } from "./compose.js";
import type { HandoffInput } from "./input.js";
import { OWN_KEYS } from "./own-keys.js";
import type { RedactionFor } from "./redaction.js";

export type WriteMode = "write" | "append" | "supersede";

/** What is to be written. */
export interface Content {
  input: HandoffInput;
  mode: WriteMode;
  /** Ids of open handoffs whose content the input already holds: they were merged before they were edited. */
  carried: readonly string[];
  /** What these recorded as done; kept as it was seen then. */
  standing: readonly Artifact[];
  /** Ids of the open handoffs a person saw when approving it; null: whatever is open. */
  approved: readonly string[] | null;
}

export interface Prepared {
  document: HandoffDocument;
  bytes: Uint8Array;
  warnings: string[];
}

/** New by nature: these are the new document's own, whatever an earlier one says. */
const NEW_KEYS = [...OWN_KEYS, "intent"] as const;

/** Content that goes on from nothing, or from open handoffs that are merged when it is prepared. */
export function contentOf(input: HandoffInput, mode: WriteMode = "write"): Content {
  return { input, mode, carried: [], standing: [], approved: null };
}

/**
 * Composes, checks and redacts. `open` are the branch's open handoffs, oldest first: continued by an append,
 * named as superseded by an overwrite. Throws UsageError when the intent or an inbox document's impact or
 * breaking is missing.
 */
export async function prepare(
  { input, mode, carried, standing }: Content,
  place: Surroundings,
  observe: Observe,
  options: { open: readonly Item[]; redaction: RedactionFor },
): Promise<Prepared> {
  if (typeof input.intent !== "string" || input.intent.trim() === "") {
    throw new UsageError("no intent: give -m <text>, or intent in --from");
  }
  if (input.delivery === "pushed" && place.delivery === "pulled") {
    throw new UsageError("delivery: pushed is for write --inbox and for send");
  }
  const composed = await compose(input, place, observe, standing);
  const earlier = options.open
    .filter((item) => !carried.includes(item.id))
    .flatMap((item) => (item.document ? [{ ...item.document, id: item.id }] : []));
  let document = composed.document;
  if (mode === "append" && earlier.length > 0)
    document = mergeForAppend(earlier, addition(composed.document, input));
  else if (mode === "supersede") document = withAllowance(document, input, options.open);
  const replaced = options.open.filter((item) => mode === "supersede" || item.document !== null);
  if (mode !== "write") document = superseding(document, replaced);
  if (document.meta.delivery === "pushed") requirePushed(document, input);
  const known = await options.redaction(formatDocument(document));
  const redacted = await redactDocument(document, known);
  const warnings = [
    ...composed.warnings,
    ...redacted.warnings,
    ...kindWarnings(document, composed),
    ...validateDocument(redacted.document),
  ];
  return {
    document: redacted.document,
    bytes: new TextEncoder().encode(formatDocument(redacted.document)),
    warnings,
  };
}

/** Counted as the document counts them, which after an append is not as they were given. */
function kindWarnings(document: HandoffDocument, { unknownKinds }: Composed): string[] {
  return unknownKinds.map(({ rejection, kind }) => {
    const index = document.meta.rejections.findIndex(
      ({ claim, predicate }) => claim === rejection.claim && predicate === rejection.predicate,
    );
    return unknownKind(index + 1, kind);
  });
}

/** What only this document brings to an append: keys that were given, and those that are new by nature. */
function addition(document: HandoffDocument, input: HandoffInput): Addition {
  const meta: Record<string, unknown> = {};
  for (const key of Object.keys(document.meta)) {
    const isNew = (NEW_KEYS as readonly string[]).includes(key);
    const value = document.meta[key];
    if (
      isNew ||
      Object.hasOwn(input, key) ||
      (key === "unresolved" && Array.isArray(value) && value.length > 0)
    )
      meta[key] = value;
  }
  return { meta: meta as Partial<Frontmatter>, body: document.body };
}

/** An overwrite drops the earlier content, but not what was measured of the allowance. Source: the evidence document. */
function withAllowance(
  document: HandoffDocument,
  input: HandoffInput,
  open: readonly Item[],
): HandoffDocument {
  const measured = open.flatMap((item) => (item.document ? [item.document.meta.allowance] : []));
  if (measured.length === 0) return document;
  const carried = measured.reduce((before, after) => mergeAllowance(before, after));
  const given = Object.hasOwn(input, "allowance") ? document.meta.allowance : undefined;
  return { ...document, meta: { ...document.meta, allowance: mergeAllowance(carried, given) } };
}

function superseding(document: HandoffDocument, open: readonly Item[]): HandoffDocument {
  const supersedes = [...new Set([...open.map((item) => item.id), ...(document.meta.supersedes ?? [])])];
  return supersedes.length === 0 ? document : { ...document, meta: { ...document.meta, supersedes } };
}

function requirePushed(document: HandoffDocument, input: HandoffInput): void {
  if (typeof input.breaking !== "boolean") {
    throw new UsageError(
      "say --breaking or --no-breaking: does the destination have to change something to stay correct?",
    );
  }
  document.meta.breaking = input.breaking;
  if (!/^## Impact here[ \t]*$/m.test(document.body))
    throw new UsageError("no impact: give --impact <text>, or a section '## Impact here'");
}

/** The id and handle these bytes get. */
export function identify(
  prepared: Prepared,
  format: ObjectFormat,
): { id: string; handle: string; oid: string } {
  const oid = hashObject("blob", prepared.bytes, format);
  return {
    id: documentId(prepared.document.meta.written, prepared.document.meta.intent, oid),
    handle: handleOf(oid),
    oid,
  };
}
