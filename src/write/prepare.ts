/** One way from input to the bytes that are stored, for write and send alike. */
import { formatDocument } from "../document/format.js";
import { documentId, handleOf } from "../document/id.js";
import { type Addition, mergeAllowance, mergeForAppend } from "../document/merge.js";
import { redactDocument } from "../document/redact.js";
import type { Frontmatter, HandoffDocument } from "../document/types.js";
import { validateDocument } from "../document/validate.js";
import { UsageError } from "../errors.js";
import { hashObject } from "../git/object.js";
import type { ObjectFormat } from "../git/port.js";
import type { Item } from "../store/types.js";
import { compose, type Observe, type Surroundings } from "./compose.js";
import type { HandoffInput } from "./input.js";

export type WriteMode = "write" | "append" | "supersede";

export interface Prepared {
  document: HandoffDocument;
  bytes: Uint8Array;
  warnings: string[];
}

export interface Redaction {
  /** False: keep what looks like a secret. */
  redact: boolean;
  /** E-mail addresses of this history's people, which stay. */
  identities: readonly string[];
  /** The home folder, which becomes `~`; null when there is none. */
  home: string | null;
}

/** New by nature: these are the new document's own, whatever an earlier one says. */
const NEW_KEYS = [
  "handoff",
  "task_key",
  "project",
  "repository",
  "delivery",
  "written",
  "author",
  "harness",
  "session",
  "git",
  "dirty_files",
  "intent",
] as const;

/**
 * Composes, checks and redacts. `open` are the branch's open handoffs, oldest first: continued by an append,
 * named as superseded by an overwrite. Throws UsageError when the intent or an inbox document's impact or
 * breaking is missing.
 */
export async function prepare(
  input: HandoffInput,
  place: Surroundings,
  observe: Observe,
  options: { mode: WriteMode; open: readonly Item[]; redaction: Redaction },
): Promise<Prepared> {
  if (typeof input.intent !== "string" || input.intent.trim() === "") {
    throw new UsageError("no intent: give -m <text>, or intent in --from");
  }
  const composed = await compose(input, place, observe);
  const earlier = options.open.flatMap((item) => (item.document ? [{ ...item.document, id: item.id }] : []));
  let document = composed.document;
  if (options.mode === "append" && earlier.length > 0)
    document = mergeForAppend(earlier, addition(composed.document, input));
  else if (options.mode === "supersede") document = superseding(document, input, options.open);
  if (document.meta.delivery === "pushed") requirePushed(document, input);
  const redacted = await redactDocument(document, options.redaction);
  const warnings = [...composed.warnings, ...redacted.warnings, ...validateDocument(redacted.document)];
  return {
    document: redacted.document,
    bytes: new TextEncoder().encode(formatDocument(redacted.document)),
    warnings,
  };
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
function superseding(document: HandoffDocument, input: HandoffInput, open: readonly Item[]): HandoffDocument {
  let allowance = document.meta.allowance;
  const measured = open.flatMap((item) => (item.document ? [item.document.meta.allowance] : []));
  if (measured.length > 0) {
    const carried = measured.reduce((before, after) => mergeAllowance(before, after));
    allowance = mergeAllowance(carried, Object.hasOwn(input, "allowance") ? allowance : undefined);
  }
  const supersedes = [...new Set([...(document.meta.supersedes ?? []), ...open.map((item) => item.id)])];
  return {
    ...document,
    meta: { ...document.meta, allowance, ...(supersedes.length > 0 ? { supersedes } : {}) },
  };
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
