/** Facts of a repository as the read flow makes them, with the processes counted. */

import type { RunGit } from "../../../src/git/process.js";
import { Repository } from "../../../src/git/repository.js";
import { spawnGit } from "../../../src/git/spawn.js";
import type { Facts } from "../../../src/verify/facts.js";
import { commitTree } from "../../../src/verify/tree-commit.js";
import { workTree } from "../../../src/verify/tree-work.js";

export interface CountedFacts extends Facts {
  /** Arguments of every git call made so far, without the safe options. */
  calls: string[][];
}

export async function factsOf(
  dir: string,
  changes: Partial<Facts> = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<CountedFacts> {
  const repository = await Repository.open(dir, env, spawnGit());
  const { oid } = await repository.head();
  const calls: string[][] = [];
  const git: RunGit = (args, options) => {
    calls.push([...args]);
    return repository.safe(args, options);
  };
  const commit = changes.commit ?? (repository.info.workTree === null ? oid : null);
  return {
    tree: commit === null ? workTree(repository.info.workTree ?? dir) : commitTree(git, commit),
    commit,
    head: oid,
    repository: repository.info,
    git,
    hook: false,
    now: new Date("2026-05-01T12:00:00Z"),
    maxAge: 7,
    predicateTimeout: 2000,
    deadline: Date.now() + 60_000,
    ...changes,
    calls,
  };
}
