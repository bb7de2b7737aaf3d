import { NegativeError } from "../errors.js";
import type { Item } from "./types.js";

/** Ids that one message names. */
const NAMED = 20;

/** A plain write found open handoffs: nothing was written. */
export class OpenHandoffError extends NegativeError {
  override name = "OpenHandoffError";
  constructor(
    readonly branch: string,
    readonly open: readonly Pick<Item, "id" | "handle">[],
  ) {
    const ids = open.slice(0, NAMED).map(({ id }) => id);
    if (open.length > NAMED) ids.push(`and ${open.length - NAMED} more (git handoff list)`);
    super(`An open handoff exists for ${branch}: ${ids.join(", ")}. Say --append or --overwrite.`);
  }
}

/** The document's blob is in the join already: nothing was written. */
export class KnownDocumentError extends NegativeError {
  override name = "KnownDocumentError";
  constructor(
    readonly id: string,
    readonly state: string,
  ) {
    super(`This very document was recorded before: ${id} (${state}). Nothing was written.`);
  }
}

/** `ack` of a journal handoff, `close` of an inbox one. */
export class WrongDeliveryError extends NegativeError {
  override name = "WrongDeliveryError";
}

/** No handoff has this handle, id or prefix. */
export class UnknownHandoffError extends NegativeError {
  override name = "UnknownHandoffError";
}

/** Several handoffs have this prefix or handle; `candidates` are they. */
export class AmbiguousHandoffError extends NegativeError {
  override name = "AmbiguousHandoffError";
  constructor(
    text: string,
    readonly candidates: readonly Pick<Item, "id" | "handle">[],
  ) {
    super(`'${text}' is ambiguous; candidates:\n${candidates.map((item) => `  ${item.id}`).join("\n")}`);
  }
}
