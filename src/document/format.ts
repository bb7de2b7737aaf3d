import type { HandoffDocument } from "./types.js";

export function formatDocument(_document: HandoffDocument): string {
  throw new Error("not built yet");
}
