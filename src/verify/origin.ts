import type { Origin } from "../document/types.js";
import type { RunGit } from "../git/process.js";
import type { Facts } from "./facts.js";
import type { InboxVerdicts } from "./verdict.js";

/** The origin's repository, opened as data; or why it was not. Its predicates and evidence are asked of `facts`. */
export type OpenedOrigin = { facts: Facts; note: null } | { facts: null; note: string };

/**
 * Opens the repository a document came from, if it is on this machine. `run` is the plain runner (no options
 * of this repository), `env` the user's environment: every GIT_* is cleared. Never throws.
 */
export async function openOrigin(
  _from: Origin,
  _run: RunGit,
  _env: Readonly<Record<string, string | undefined>>,
  _limits: Pick<Facts, "hook" | "now" | "maxAge" | "predicateTimeout" | "deadline">,
): Promise<OpenedOrigin> {
  throw new Error("not built yet");
}

/** Is `from.git` still on the origin's main line? Asked in the origin alone. */
export async function checkOrigin(_from: Origin, _origin: OpenedOrigin): Promise<InboxVerdicts["origin"]> {
  throw new Error("not built yet");
}

/** Is each `git` an ancestor of the branch it names, if that is here, else of HEAD? Bounded in processes. */
export async function checkDestination(
  _items: readonly { git: string }[],
  _facts: Facts,
): Promise<InboxVerdicts["destination"][]> {
  throw new Error("not built yet");
}
