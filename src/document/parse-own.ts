import type { HandoffDocument } from "./types.js";

export function parseOwnDocument(_bytes: Uint8Array): HandoffDocument | undefined {
  return undefined;
}
