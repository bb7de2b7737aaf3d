/** Closed by mistake: folders never go back, so the content becomes a new document. */
import { localTime } from "../document/time.js";
import type { HandoffDocument } from "../document/types.js";
import { FatalError, NegativeError } from "../errors.js";
import type { StoragePort } from "../git/port.js";
import { OpenHandoffError } from "./errors.js";
import type { Item } from "./types.js";
import { type NewDocument, type Recorded, recordWrite } from "./write.js";

/**
 * Writes a closed or acked handoff again as a new document that names the old one in `supersedes`.
 * Throws NegativeError when it or another one of its branch is open, FatalError when it cannot be parsed, and as
 * recordWrite.
 */
export async function reopenItem(port: StoragePort, reopen: { item: Item; now?: Date }): Promise<Recorded> {
  const { item, now = new Date() } = reopen;
  if (item.state === "open" || item.state === "inbox") {
    throw new NegativeError(`${item.id} is open already.`);
  }
  const document = documentOf(item);
  const write = recordWrite(port, {
    branch: item.branch,
    mode: "write",
    document: await succeed(document, item, { task_key: item.branch, written: localTime(now) }),
    supersedes: [item.id],
    now,
  });
  return write.catch((error: unknown) => {
    if (!(error instanceof OpenHandoffError)) throw error;
    const open = error.open.map(({ id }) => id).join(", ");
    const remedy = `git handoff close ${error.open.map(({ handle }) => handle).join(" ")}`;
    throw new NegativeError(`An open handoff exists for ${error.branch}: ${open}. Close it first: ${remedy}`);
  });
}

export function documentOf(item: Item): HandoffDocument {
  if (!item.document) throw new FatalError(`${item.id} cannot be read, so it cannot be written again`);
  return item.document;
}

/** The same document as a new one that says which it replaces. */
export async function succeed(
  document: HandoffDocument,
  item: Pick<Item, "id">,
  meta: { task_key: string; written: string },
): Promise<NewDocument> {
  const supersedes = [...new Set([...(document.meta.supersedes ?? []), item.id])];
  const { formatDocument } = await import("../document/format.js");
  const text = formatDocument({ ...document, meta: { ...document.meta, ...meta, supersedes } });
  return {
    bytes: Buffer.from(text, "utf8"),
    written: meta.written,
    intent: document.meta.intent,
    delivery: document.meta.delivery,
  };
}
