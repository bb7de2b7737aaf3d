/** How git is run. Commands that use the network or install run it through execa, the others and the hook through node:child_process. */

export interface GitResult {
  /** null when killed. */
  code: number | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
  /** There was more on stdout than `maxBuffer`. */
  overflowed: boolean;
}

export interface RunOptions {
  /** Folder git starts in. */
  cwd?: string;
  input?: string | Uint8Array;
  /** The whole environment of the child; nothing is inherited beside it. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds; then the process and its children are killed. */
  timeout?: number;
  /** Bytes of stdout at most (256 MiB when not said); more kills the process. */
  maxBuffer?: number;
  /**
   * Stays in this terminal's session, so that ssh can ask for a passphrase and Ctrl-C reaches it. A timeout
   * then ends git alone (which ends its own children). Without it, and with a timeout, git has its own
   * process group, so that nothing it started outlives it.
   */
  terminal?: boolean;
}

/** Bytes of stdout when `maxBuffer` is not said. */
export const MAX_STDOUT = 1 << 28;
/** Bytes of stderr that are kept. */
export const MAX_STDERR = 1 << 20;
/** Milliseconds between asking a process to end (so that git removes its locks) and ending it. */
export const KILL_GRACE = 500;

/**
 * Runs git with these arguments, never through a shell. Rejects only when git cannot be started at all
 * (FatalError naming why).
 */
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
