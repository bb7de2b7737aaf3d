/** One repository, and the questions asked of it. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FatalError } from "../errors.js";
import { Config } from "./config.js";
import { discover, gitMessage, projectName } from "./discover.js";
import { gitEngine } from "./engine-git.js";
import { type Environment, SAFE_OPTIONS, safeEnvironment, userEnvironment } from "./environment.js";
import { type Identities, identities } from "./identity.js";
import type { StoragePort } from "./port.js";
import type { RepositoryInfo, RunGit } from "./process.js";
import { withoutCredentials } from "./url.js";

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

/** The branch a symbolic HEAD names; null for anything else. */
function branchOf(target: string): string | null {
  return target.startsWith("refs/heads/") ? target.slice("refs/heads/".length) : null;
}

/** git with SAFE_OPTIONS and safeEnvironment, at the top of the work tree or in the git directory. */
export function safeGit(run: RunGit, env: Environment, info: RepositoryInfo): RunGit {
  const bound = { cwd: info.workTree ?? info.gitDir, env: safeEnvironment(env, info) };
  return (args, options) => run([...SAFE_OPTIONS, ...args], { ...bound, ...options });
}

export class Repository {
  #config: Promise<Config> | undefined;
  #version: Promise<readonly [number, number, number]> | undefined;
  #port: StoragePort | undefined;

  private constructor(
    readonly cwd: string,
    readonly info: RepositoryInfo,
    /** The environment the user gave, untouched. */
    readonly env: Environment,
    /** git on the user's behalf, in `cwd`. */
    readonly run: RunGit,
    /**
     * git of the read flow: writes, fetches, asks and runs nothing. Starts at the top of the work tree, or in
     * the git directory where there is none.
     */
    readonly safe: RunGit,
    /** Told what happened that a person should know of. */
    readonly notice: (text: string) => void,
  ) {}

  /**
   * Finds the repository of `cwd`, or the one GIT_DIR names. Throws FatalError with git's own words where there
   * is none or git refuses it.
   */
  static async open(
    cwd: string,
    env: Environment,
    run: RunGit,
    notice: (text: string) => void = () => {},
  ): Promise<Repository> {
    const bound = { cwd, env: userEnvironment(env) };
    const user: RunGit = (args, options) => run(args, { ...bound, ...options });
    const info = await discover(user);
    return new Repository(cwd, info, env, user, safeGit(run, env, info), notice);
  }

  /** Branch (null when detached) and commit (null before the first). Asked anew each time. */
  async head(): Promise<{ branch: string | null; oid: string | null }> {
    const [target, oid] = await Promise.all([this.#headTarget(), this.#verify("HEAD")]);
    return { branch: branchOf(target), oid };
  }

  /** The branch alone, mostly without a process; null when detached. Asked anew each time. */
  async branch(): Promise<string | null> {
    return branchOf(await this.#headTarget());
  }

  /** What HEAD points to, `""` when detached. Its file answers without a process, but for reftable. */
  async #headTarget(): Promise<string> {
    const path = join(this.info.gitDir, "HEAD");
    if (this.info.refFormat === "files" && !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      return /^ref:\s*(\S.*?)\s*$/s.exec(readFileSync(path, "utf8"))?.[1] ?? "";
    }
    const { code, stdout } = await this.safe(["symbolic-ref", "-q", "HEAD"]);
    return code === 0 ? stdout.toString("utf8").replace(/\n$/, "") : "";
  }

  async #verify(rev: string): Promise<string | null> {
    const { code, stdout } = await this.safe(["rev-parse", "-q", "--verify", "--end-of-options", rev]);
    return code === 0 ? stdout.toString("utf8").trim() : null;
  }

  /** Read once, then remembered. */
  config(): Promise<Config> {
    this.#config ??= Config.read(this.run);
    return this.#config;
  }

  /** As [major, minor, patch]; asked once, when first needed. */
  version(): Promise<readonly [number, number, number]> {
    this.#version ??= this.safe(["version"]).then(({ stdout }) => {
      const [, major, minor, patch] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(stdout.toString("utf8")) ?? [];
      return [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)] as const;
    });
    return this.#version;
  }

  /** Never fails: a fallback where git has no identity. */
  async identity(): Promise<Identities> {
    return identities(this.env, await this.config());
  }

  /**
   * Uncommitted and untracked files (as `status.showUntrackedFiles` says; not inside submodules). Writes
   * nothing. Throws FatalError without a work tree.
   */
  async status(): Promise<Status> {
    if (this.info.workTree === null) throw new FatalError("this operation must be run in a work tree");
    const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=dirty"];
    const { code, stdout, stderr } = await this.safe(args);
    if (code !== 0) throw new FatalError(gitMessage(stderr, "git status failed"));
    const rows = stdout.toString("utf8").split("\0").filter(Boolean);
    const files = [...new Set(rows.map((row) => row.slice(3)))].sort();
    return { dirty: files.length > 0, files };
  }

  /** The commit a revision names, or null. */
  resolve(rev: string): Promise<string | null> {
    return this.#verify(`${rev}^{commit}`);
  }

  /** The tip of a local branch, or null. */
  branchOid(branch: string): Promise<string | null> {
    return this.#verify(`refs/heads/${branch}^{commit}`);
  }

  /** Local branches by name. */
  async branches(): Promise<Branch[]> {
    const args = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/"];
    const { code, stdout, stderr } = await this.safe(args);
    if (code !== 0) throw new FatalError(gitMessage(stderr, "cannot list branches"));
    const rows = stdout.toString("utf8").split("\n").filter(Boolean);
    return rows.map((row) => {
      const space = row.indexOf(" ");
      return { oid: row.slice(0, space), name: row.slice(space + 1 + "refs/heads/".length) };
    });
  }

  /** Configured remotes, in the order in which the configuration names them. */
  async remotes(): Promise<Remote[]> {
    const config = await this.config();
    const named = config.subsections("remote").map((name) => ({
      name,
      url: config.getAll(`remote.${name}.url`)[0] ?? null,
      pushUrl: config.getAll(`remote.${name}.pushurl`)[0] ?? null,
    }));
    // `remote.<name>.prune` in a global config makes no remote.
    return named.filter((remote) => remote.url !== null || remote.pushUrl !== null);
  }

  /** Basename of the main worktree (bare: without `.git`; submodule: its own folder). */
  project(): string {
    return projectName(this.info);
  }

  /** URL of `origin` or of the only remote, without credentials; else `unknown`. */
  async repositoryUrl(): Promise<string> {
    const remotes = await this.remotes();
    const remote =
      remotes.find(({ name }) => name === "origin") ?? (remotes.length === 1 ? remotes[0] : undefined);
    return remote?.url ? withoutCredentials(remote.url) : "unknown";
  }

  /** Objects and refs, through the git program. */
  port(): StoragePort {
    this.#port ??= gitEngine({
      info: this.info,
      run: this.run,
      safe: this.safe,
      identity: () => this.identity(),
      notice: this.notice,
    });
    return this.#port;
  }
}
