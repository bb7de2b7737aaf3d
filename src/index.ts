/**
 * The library: handoffs of a repository, read and written by a program.
 *
 *     import { openHandoffs } from "git-handoff";
 *
 *     const handoffs = await openHandoffs({ dir: "." });
 *     const { handle } = await handoffs.write({ intent: "Split the parser", next: ["Move the lexer out"] });
 *     const { handoffs: open } = await handoffs.read();
 *     await handoffs.close([handle], { reason: "merged" });
 */
import { BackedHandoffs } from "./library/handoffs.js";
import type { Handoffs, OpenOptions } from "./library/types.js";

export type { Frontmatter, HandoffDocument } from "./document/types.js";
export { FatalError, NegativeError, UsageError } from "./errors.js";
export type {
  Ended,
  HandoffContent,
  Handoffs,
  Listed,
  ListOptions,
  OpenOptions,
  WriteOptions,
  Written,
} from "./library/types.js";
export type { ItemSummary } from "./store/summary.js";
export type { HandoffReport, InboxReport, Report } from "./surface/report.js";

/**
 * Opens the handoffs of a repository on either engine. Only the engine asked for is loaded.
 * Throws FatalError where there is no repository, UnsupportedRepositoryError (an Error of that name) where the
 * `isomorphic-git` engine cannot serve it safely.
 */
export async function openHandoffs(options: OpenOptions): Promise<Handoffs> {
  const now = options.now ?? (() => new Date());
  if (options.engine === "isomorphic-git") {
    const { isomorphicBacking } = await import("./library/isomorphic.js");
    return new BackedHandoffs(await isomorphicBacking(options), now);
  }
  const { gitBacking } = await import("./library/git.js");
  return new BackedHandoffs(await gitBacking(options), now);
}
