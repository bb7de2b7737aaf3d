/** One repository, and the questions asked of it. */
import type { Config } from "./config.js";
import type { Environment } from "./environment.js";
import type { Identity, StoragePort } from "./port.js";
import type { RepositoryInfo, RunGit } from "./process.js";

export interface Remote {
  name: string;
  /** As configured (`insteadOf` not applied); null when the remote has none. */
  url: string | null;
  pushUrl: string | null;
}

export interface Branch {
  /** Without `refs/heads/`. */
  name: string;
  oid: string;
}

export interface Status {
  dirty: boolean;
  /** Changed and untracked paths relative to the top, sorted. */
  files: string[];
}

export class Repository {
  private constructor(
    readonly cwd: string,
    readonly info: RepositoryInfo,
    /** The environment the user gave, untouched. */
    readonly env: Environment,
    /** git on the user's behalf, in `cwd`. */
    readonly run: RunGit,
    /** git of the read flow: writes, fetches, asks and runs nothing. Starts at the top of the work tree (or in the git directory). */
    readonly safe: RunGit,
  ) {}

  /** Finds the repository of `cwd` (or GIT_DIR). Throws FatalError with git's own line where there is none. */
  static open(_cwd: string, _env: Environment, _run: RunGit): Promise<Repository> {
    throw new Error("not built yet");
  }
  /** Branch (null when detached) and commit (null before the first). */
  head(): Promise<{ branch: string | null; oid: string | null }> {
    throw new Error("not built yet");
  }
  /** Read once, then remembered. */
  config(): Promise<Config> {
    throw new Error("not built yet");
  }
  /** As [major, minor, patch]; asked once, when first needed. */
  version(): Promise<readonly [number, number, number]> {
    throw new Error("not built yet");
  }
  /** Never fails: a fallback where git has no identity. */
  identity(): Promise<{ author: Identity; committer: Identity; fallback: boolean }> {
    throw new Error("not built yet");
  }
  /** Throws FatalError without a work tree. Writes nothing. */
  status(): Promise<Status> {
    throw new Error("not built yet");
  }
  /** The commit a revision names, or null. */
  resolve(_rev: string): Promise<string | null> {
    throw new Error("not built yet");
  }
  branchOid(_branch: string): Promise<string | null> {
    throw new Error("not built yet");
  }
  branches(): Promise<Branch[]> {
    throw new Error("not built yet");
  }
  remotes(): Promise<Remote[]> {
    throw new Error("not built yet");
  }
  /** Basename of the main worktree (bare: without `.git`; submodule: its own folder). */
  project(): string {
    throw new Error("not built yet");
  }
  /** URL of `origin` or of the only remote, without credentials; else `unknown`. */
  repositoryUrl(): Promise<string> {
    throw new Error("not built yet");
  }
  port(): StoragePort {
    throw new Error("not built yet");
  }
}
