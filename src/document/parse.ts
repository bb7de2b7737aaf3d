import type { HandoffDocument } from "./types.js";

export function parseDocument(_bytes: Uint8Array): { document: HandoffDocument | null; warnings: string[] } {
  throw new Error("not built yet");
}

/** YAML or JSON as plain data, as tolerantly and safely as a document's frontmatter. `value` is undefined when unreadable. */
export function readYaml(_text: string): { value: unknown; warnings: string[] } {
  throw new Error("not built yet");
}
