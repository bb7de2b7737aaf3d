import type { Artifact } from "../document/types.js";
import type { Facts } from "./facts.js";
import type { EvidenceVerdict } from "./verdict.js";

export type Evidence =
  | { kind: "path"; path: string }
  | { kind: "lines"; path: string; from: number; to: number }
  | { kind: "commit"; commit: string }
  | { kind: "url"; url: string }
  | { kind: "none"; note: string };

export interface Observation {
  exists: boolean;
  /** Id of what was seen: blob, tree, blob of the lines, commit; null for a URL and where git would run a filter. */
  oid: string | null;
  note: string | null;
}

/** Pure. `none` with the reason for what names no place. */
export function parseEvidence(_text: string): Evidence {
  throw new Error("not built yet");
}

/** What stands at that place now, for writing. */
export async function observeEvidence(_evidence: string, _facts: Facts): Promise<Observation> {
  throw new Error("not built yet");
}

/** One verdict for each artifact, in order; `since` (a document's `git`) lets git tell where a file went. */
export async function checkEvidence(
  _artifacts: readonly Pick<Artifact, "evidence" | "oid">[],
  _facts: Facts,
  _since?: string,
): Promise<{ verdict: EvidenceVerdict; note: string | null }[]> {
  throw new Error("not built yet");
}
