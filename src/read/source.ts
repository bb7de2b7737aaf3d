/** What the read flow asks of a repository. `Repository` has it; the hook answers from what was gathered. */
import type { StoragePort } from "../git/port.js";
import type { RepositoryInfo, RunGit } from "../git/process.js";

export interface ReadSource {
  info: RepositoryInfo;
  /** git with the read flow's safe options and environment. */
  safe: RunGit;
  head(): Promise<{ branch: string | null; oid: string | null }>;
  config(): Promise<ReadConfig> | ReadConfig;
  resolve(rev: string): Promise<string | null>;
  branchOid(branch: string): Promise<string | null>;
  port(): StoragePort;
}

export interface ReadConfig {
  get(key: string): string | null | undefined;
  getAll(key: string): readonly string[];
}
