/** What an import would do: each file read, understood, redacted and given its branch and state. */
import { formatDocument } from "../document/format.js";
import { MAX_DOCUMENT_BYTES } from "../document/frontmatter.js";
import { documentId, handleOf } from "../document/id.js";
import { redactDocument } from "../document/redact.js";
import { hashObject } from "../git/object.js";
import type { ObjectFormat } from "../git/port.js";
import type { ImportedDocument } from "../store/import.js";
import { type Branches, branchFor } from "./branch.js";
import { type Placed, settleStates } from "./order.js";
import { understand } from "./read.js";
import { readSource } from "./source-file.js";
import { type Form, NotTaken } from "./types.js";

/** One file that can be taken in. */
export interface PlannedFile {
  path: string;
  form: Form;
  id: string;
  handle: string;
  oid: string;
  document: ImportedDocument;
  understood: string[];
  /** What stands in the body for want of a key. */
  body: string[];
  warnings: string[];
}

export interface ImportPlan {
  files: PlannedFile[];
  /** Files that cannot be taken in, and why; the message is one line. */
  failed: { path: string; reason: string }[];
}

export interface PlanOptions {
  branches: Branches;
  /** False: keep what looks like a secret. */
  redact: boolean;
  objectFormat: ObjectFormat;
}

/** Reads and understands every file; none stops the others. Changes nothing. */
export async function planImport(paths: readonly string[], options: PlanOptions): Promise<ImportPlan> {
  const placed: Placed[] = [];
  const failed: ImportPlan["failed"] = [];
  for (const path of paths) {
    await orFailed(path, failed, async () => {
      const { file, warnings } = await readSource(path);
      const understood = understand(file);
      placed.push({ path, understood: { ...understood, warnings: [...warnings, ...understood.warnings] } });
    });
  }
  const files: PlannedFile[] = [];
  for (const each of await settleStates(placed)) {
    await orFailed(each.path, failed, async () => {
      files.push(await planFile(each, options));
    });
  }
  const order = new Map(paths.map((path, index) => [path, index]));
  const byPath = (a: { path: string }, b: { path: string }) =>
    (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0);
  return { files: onlyOnce(files).sort(byPath), failed: failed.sort(byPath) };
}

async function orFailed(
  path: string,
  failed: ImportPlan["failed"],
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    failed.push({ path, reason: error.message });
  }
}

async function planFile({ path, understood }: Placed, options: PlanOptions): Promise<PlannedFile> {
  const { branch, warnings } = branchFor(understood.branch, options.branches);
  // Neither this machine's home nor this clone's history: the stored document depends on the file alone.
  const redacted = await redactDocument(understood.document, {
    redact: options.redact,
    identities: understood.people,
    home: null,
  });
  const bytes = new TextEncoder().encode(formatDocument(redacted.document));
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new NotTaken(`larger than 1 MiB as a document (${bytes.length} bytes)`);
  }
  const { written, intent, delivery } = redacted.document.meta;
  const oid = hashObject("blob", bytes, options.objectFormat);
  return {
    path,
    form: understood.form,
    id: documentId(written, intent, oid),
    handle: handleOf(oid),
    oid,
    document: {
      bytes,
      written,
      intent,
      delivery,
      branch,
      state: understood.state,
      ...(understood.reason === undefined ? {} : { reason: understood.reason }),
    },
    understood: understood.understood,
    body: understood.body,
    warnings: [...understood.warnings, ...warnings, ...redacted.warnings],
  };
}

/**
 * Files that come to one document: the first stays, which is the newest and canonical one, and says so of the
 * others. Else a superseded copy would close it.
 */
function onlyOnce(files: readonly PlannedFile[]): PlannedFile[] {
  const first = new Map<string, PlannedFile>();
  for (const file of files) {
    const key = `${file.document.branch}\0${file.oid}`;
    const same = first.get(key);
    if (same) same.warnings.push(`the same as ${file.path}`);
    else first.set(key, file);
  }
  return [...first.values()];
}
