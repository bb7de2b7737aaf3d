/** The storage port over the git program: right for packs, reftable, sha256, alternates and permissions. */
import type { Identity, StoragePort } from "./port.js";
import type { RepositoryInfo, RunGit } from "./process.js";

export interface GitEngineParts {
  info: RepositoryInfo;
  /** Runs git for writing: the user's environment, hooks and all. */
  run: RunGit;
  /** Runs git for reading: safe options and environment. */
  safe: RunGit;
  identity(): Promise<{ author: Identity; committer: Identity; fallback: boolean }>;
}

export function gitEngine(_parts: GitEngineParts): StoragePort {
  throw new Error("not built yet");
}
