import type { StoragePort } from "../git/port.js";

/**
 * What a refused push of an own ref means, from how the two tips are related.
 * `push-again`: theirs is an ancestor of ours. `fast-forward`: ours is an ancestor of theirs (a restored
 * backup). `same`: nothing to do. `redacted`: theirs is our log as it was before a redaction that has not
 * reached the remote. `collision`: another clone uses our writer id (a copied directory).
 */
export type Relation = "same" | "push-again" | "fast-forward" | "redacted" | "collision";

/** How the tip of the remote's ref is related to ours. Both must be here. */
export async function compareTips(_port: StoragePort, _ours: string, _theirs: string): Promise<Relation> {
  throw new Error("not built yet");
}

/** Moves our ref to the remote's tip, by compare-and-swap. */
export async function fastForward(
  _port: StoragePort,
  _ref: string,
  _ours: string,
  _theirs: string,
): Promise<void> {
  throw new Error("not built yet");
}

/** Gives this clone a new writer id: config first, then every log in one transaction, each from a new root. */
export async function takeNewWriter(
  _port: StoragePort,
  _options?: { now?: Date },
): Promise<{ old: string; writer: string; refs: { from: string; to: string; commit: string }[] }> {
  throw new Error("not built yet");
}
