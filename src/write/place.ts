/** What the tool knows by itself of where and when a document is written. */
import { localTime } from "../document/time.js";
import type { Delivery } from "../document/types.js";
import type { Repository } from "../git/repository.js";
import type { Facts } from "../verify/facts.js";
import { commitTree } from "../verify/tree-commit.js";
import { workTree } from "../verify/tree-work.js";
import type { Surroundings } from "./compose.js";
import { detectHarness } from "./harness.js";

/** `<branch> @ <oid>` + ` (dirty)`; `none` before the first commit. A detached HEAD is called `HEAD`. */
export function gitLine(head: Head, dirty: boolean): string {
  if (head.oid === null) return "none";
  return `${head.branch ?? "HEAD"} @ ${head.oid}${dirty ? " (dirty)" : ""}`;
}

export interface Head {
  /** null when detached. */
  branch: string | null;
  /** null before the first commit. */
  oid: string | null;
}

/** What a document is written for. */
export interface Target {
  /** `HEAD` for the repository as a whole. */
  branch: string;
  delivery: Delivery;
}

/**
 * Gathers the surroundings of a document, all questions side by side.
 * @param target may be told from HEAD; what it throws is thrown
 */
export async function surroundings(
  repository: Repository,
  target: Target | ((head: Head) => Target),
  options: { now: Date; terminal: boolean },
): Promise<{ place: Surroundings; head: Head }> {
  const [{ head, branch, delivery }, identity, config, url, status] = await Promise.all([
    repository.head().then((head) => ({ head, ...(typeof target === "function" ? target(head) : target) })),
    repository.identity(),
    repository.config(),
    repository.repositoryUrl(),
    repository.info.workTree === null ? { dirty: false, files: [] } : repository.status(),
  ]);
  const detected = await detectHarness(repository.env, {
    configured: config.get("handoff.harness") ?? null,
    terminal: options.terminal,
  });
  const place = {
    branch,
    delivery,
    project: repository.project(),
    repository: url,
    git: gitLine(head, status.dirty),
    dirtyFiles: status.files,
    author: `${identity.author.name} <${identity.author.email}>`,
    harness: detected.harness,
    session: detected.session,
    written: localTime(options.now),
  };
  return { place, head };
}

/** Milliseconds for looking at all of a document's evidence, or at one predicate, while it is written. */
const BUDGET = 20_000;

/** What evidence and predicates are asked of while writing: the work tree, or in a bare repository HEAD's commit. */
export async function writingFacts(repository: Repository, now: Date, head: Head): Promise<Facts> {
  const config = await repository.config();
  const { oid } = head;
  const top = repository.info.workTree;
  return {
    tree:
      top !== null
        ? workTree(top, [repository.info.gitDir, repository.info.commonDir])
        : commitTree(repository.safe, oid ?? ""),
    commit: top !== null ? null : oid,
    head: oid,
    repository: repository.info,
    git: repository.safe,
    hook: false,
    now,
    maxAge: config.getNumber("handoff.maxage") || 7,
    predicateTimeout: (config.getNumber("handoff.predicatetimeout") || 2) * 1000,
    deadline: Date.now() + BUDGET,
  };
}
