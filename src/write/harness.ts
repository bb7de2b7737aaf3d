/** Which harness and session this is. Unknown stays `unknown`; nothing is invented. */
import type { Session } from "../document/types.js";

export interface Detected {
  harness: string;
  session: Session;
}

/** `configured` (handoff.harness) wins; a person at a terminal is `human`. */
export async function detectHarness(
  _env: Readonly<Record<string, string | undefined>>,
  options: { configured: string | null; terminal: boolean },
): Promise<Detected> {
  const harness = options.configured ?? (options.terminal ? "human" : "unknown");
  return { harness, session: { runtime: "unknown", id: "unknown", context: "unknown" } };
}
