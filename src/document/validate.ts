import type { HandoffDocument } from "./types.js";

export function validateDocument(_document: HandoffDocument): string[] {
  throw new Error("not built yet");
}
