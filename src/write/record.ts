/** Storing a document in the writer's log. */
import { NegativeError } from "../errors.js";
import { type Recorded, recordWrite } from "../store/events.js";
import { leftOpen } from "../store/skipped.js";
import type { Item } from "../store/types.js";
import { type Making, make } from "./making.js";
import type { Content, Prepared } from "./prepare.js";

export interface RecordedContent extends Recorded {
  prepared: Prepared;
  warnings: string[];
}

/**
 * Records the content; an append merges what is open at the moment the log moves. Throws OpenHandoffError,
 * KnownDocumentError and what prepare throws; then nothing was written.
 */
export async function recordContent(content: Content, making: Making): Promise<RecordedContent> {
  let prepared: Prepared | undefined;
  const recorded = await recordWrite(making.repository.port(), {
    branch: making.branch,
    mode: content.mode,
    now: making.now,
    document: async (open) => {
      refuseChange(content, open);
      prepared = await make(making, content, open);
      const { bytes, document } = prepared;
      const { written, intent, delivery } = document.meta;
      return { bytes, written, intent, delivery };
    },
  });
  if (!prepared) throw new Error("nothing was composed");
  const replaced =
    content.mode === "supersede" && recorded.superseded.length > 0
      ? [`closed and no longer surfaced: ${recorded.superseded.join(", ")}`]
      : [];
  return {
    ...recorded,
    prepared,
    warnings: [...prepared.warnings, ...replaced, ...leftOpen(recorded.skipped)],
  };
}

/** Those whose content counts. */
export function readableIds(open: readonly Item[]): string[] {
  return open.flatMap(({ id, document }) => (document === null ? [] : [id]));
}

/** What a person approved is what is stored: not something merged with what came meanwhile. */
function refuseChange({ approved }: Content, open: readonly Item[]): void {
  if (approved === null) return;
  const now = readableIds(open);
  if (now.length === approved.length && now.every((id) => approved.includes(id))) return;
  throw new NegativeError(
    `Other handoffs are open now than when this one was approved: ${now.join(", ") || "none"}. Nothing written.`,
  );
}
