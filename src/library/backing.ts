import type { Delivery } from "../document/types.js";
import type { StoragePort } from "../git/port.js";
import type { Report } from "../surface/report.js";
import type { Observe, Surroundings } from "../write/compose.js";
import type { Noted, NotedAt } from "../write/lessons.js";
import type { RedactionFor } from "../write/redaction.js";

/** What the library needs of an engine beside the storage port. */
export interface Backing {
  port: StoragePort;
  /** The current branch; null when detached. */
  branch(): Promise<string | null>;
  /** The read flow for a branch, the current one by default. */
  read(branch: string | undefined, now: Date): Promise<Report>;
  /** What is known of the place of writing. */
  place(writing: { branch: string; delivery: Delivery; now: Date }): Promise<Surroundings>;
  /** Looks at evidence while writing. */
  observer(now: Date): Promise<Observe>;
  redaction(redact: boolean): Promise<RedactionFor>;
  /** Notes lessons; never throws, since the handoff stands by then. */
  note(lessons: readonly string[], at: NotedAt): Promise<Pick<Noted, "warnings"> & { path: string | null }>;
}
