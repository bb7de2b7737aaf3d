/** What the read flow asks of a repository. `Repository` has it; the hook answers from what was gathered. */
import type { Environment } from "../git/environment.js";
import type { Identity, StoragePort } from "../git/port.js";
import type { RepositoryInfo, RunGit } from "../git/process.js";

export interface ReadSource {
  info: RepositoryInfo;
  /** The environment the user gave, untouched. */
  env: Environment;
  /** git with the read flow's safe options and environment. */
  safe: RunGit;
  /** Branch (null when detached) and commit (null before the first). */
  head(): Promise<{ branch: string | null; oid: string | null }>;
  config(): Promise<ReadConfig>;
  identity(): Promise<{ author: Identity }>;
  /** The commit a revision names, or null. */
  resolve(rev: string): Promise<string | null>;
  /** The tip of a local branch, or null. */
  branchOid(branch: string): Promise<string | null>;
  port(): StoragePort;
}

export interface ReadConfig {
  get(key: string): string | undefined;
  getNumber(key: string): number | undefined;
}
