/** How git is run. The command line runs it through execa, the hook through node:child_process. */

export interface GitResult {
  /** null when killed or not started. */
  code: number | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
}

export interface RunOptions {
  /** Folder git starts in. */
  cwd?: string;
  input?: string | Uint8Array;
  /** The whole environment of the child; nothing is inherited beside it. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds; then the process and its children are killed. */
  timeout?: number;
  /** Bytes of stdout at most; more kills the process. */
  maxBuffer?: number;
}

/** Runs git with these arguments, never through a shell. Rejects only when git cannot be started at all. */
export type RunGit = (args: readonly string[], options?: RunOptions) => Promise<GitResult>;

/** Where a repository is and what it is like; found once per command. */
export interface RepositoryInfo {
  /** Absolute. */
  gitDir: string;
  /** Absolute; shared by linked worktrees. */
  commonDir: string;
  /** Absolute top of the work tree; null in a bare repository. */
  workTree: string | null;
  objectFormat: "sha1" | "sha256";
  refFormat: "files" | "reftable";
  shallow: boolean;
  /** Some remote is a promisor: objects may be absent on purpose. */
  partial: boolean;
}
