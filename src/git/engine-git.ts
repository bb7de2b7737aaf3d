/** The storage port over the git program: right for packs, reftable, sha256, alternates and permissions. */
import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FatalError } from "../errors.js";
import { catFile, checkFile, checkNames } from "./cat-file.js";
import { gitMessage } from "./discover.js";
import { expireReflog, walkHistory } from "./history.js";
import type { Identities } from "./identity.js";
import { leftLockNotice, locksOf, removeLeftLocks } from "./left-lock.js";
import { hashObject, zeroOid } from "./object.js";
import { encodePack } from "./pack.js";
import {
  type GitObject,
  type ReadObject,
  type Ref,
  RefConflictError,
  type RefUpdate,
  RefUpdateError,
  type StoragePort,
} from "./port.js";
import type { RepositoryInfo, RunGit } from "./process.js";
import { checkRefNames, reflogMessage } from "./ref-name.js";
import { refMatcher } from "./ref-pattern.js";

export interface GitEngineParts {
  info: RepositoryInfo;
  /** Runs git for writing: the user's environment, hooks and all. */
  run: RunGit;
  /** Runs git for reading: safe options and environment. */
  safe: RunGit;
  identity(): Promise<Identities>;
  /** Told what happened that a person should know of. */
  notice?(text: string): void;
}

/** Milliseconds git itself waits for another's lock (its own default for a ref is a tenth of a second). */
const LOCK_WAIT = 3000;
/** Milliseconds in which a config lock must come free: git does not wait for that one at all. */
const CONFIG_WAIT = 5000;
/** How often storing objects is tried. */
const STORE_TURNS = 3;
/** How often a ref update waits for locks before it gives up. */
const LOCK_TURNS = 3;

const LOCK_OPTIONS = ["core.filesRefLockTimeout", "core.packedRefsTimeout", "reftable.lockTimeout"].flatMap(
  (key) => ["-c", `${key}=${LOCK_WAIT}`],
);

/** One `update-ref --stdin -z` command for one update. */
function command({ ref, from, to }: RefUpdate, zero: string): string {
  if (to === null) return from === null ? `verify ${ref}\0${zero}\0` : `delete ${ref}\0${from}\0`;
  if (to === from) return `verify ${ref}\0${from}\0`;
  return `update ${ref}\0${to}\0${from ?? zero}\0`;
}

class GitEngine implements StoragePort {
  readonly objectFormat;

  constructor(private readonly parts: GitEngineParts) {
    this.objectFormat = parts.info.objectFormat;
  }

  async refs(patterns: readonly string[]): Promise<Ref[]> {
    if (patterns.length === 0) return [];
    const args = ["for-each-ref", "--format=%(objectname) %(refname)", ...patterns];
    const { code, stdout, stderr } = await this.parts.safe(args);
    if (code !== 0) throw new FatalError(gitMessage(stderr, "cannot list refs"));
    const matches = refMatcher(patterns);
    const refs: Ref[] = [];
    for (const row of stdout.toString("utf8").split("\n")) {
      const space = row.indexOf(" ");
      const name = row.slice(space + 1);
      if (space > 0 && matches(name)) refs.push({ oid: row.slice(0, space), name });
    }
    return refs;
  }

  read(names: readonly string[], options: { maxBytes?: number } = {}): Promise<Map<string, ReadObject>> {
    return catFile(this.parts.safe, this.objectFormat, names, options.maxBytes);
  }

  async missing(oids: readonly string[]): Promise<string[]> {
    checkNames(oids, this.objectFormat);
    const there = await checkFile(this.parts.safe, [...new Set(oids)]);
    return oids.filter((oid) => !there.has(oid));
  }

  async write(objects: readonly GitObject[]): Promise<string[]> {
    const oids = objects.map(({ type, content }) => hashObject(type, content, this.objectFormat));
    const unique = [...new Map(objects.map((object, index) => [oids[index], object])).values()];
    if (unique.length === 0) return oids;
    // Loose objects, each with git's own permissions and fsync rules; what is there already (an alternate's
    // too) is only kept from being collected.
    const input = encodePack(unique, this.objectFormat);
    for (let turn = 1; ; turn++) {
      const { code, stderr } = await this.parts.run(["unpack-objects", "-q"], { input });
      if (code === 0) return oids;
      // A gc beside us takes away folders that have become empty, also the one git has just made.
      const swept = /unable to create temporary file: No such file or directory/.test(stderr);
      if (!swept || turn === STORE_TURNS) throw new FatalError(gitMessage(stderr, "cannot store objects"));
    }
  }

  async updateRefs(updates: readonly RefUpdate[], reason: string): Promise<void> {
    if (updates.length === 0) return;
    const zero = zeroOid(this.objectFormat);
    checkRefNames(updates.map(({ ref }) => ref));
    const args = [
      ...LOCK_OPTIONS,
      "update-ref",
      "--no-deref",
      "--create-reflog",
      "-m",
      reflogMessage(reason),
      "-z",
      "--stdin",
    ];
    const commands = updates.map((update) => command(update, zero)).join("");
    const input = `start\0${commands}prepare\0commit\0`;
    for (let turn = 1; ; turn++) {
      const { code, stderr } = await this.parts.run(args, { input });
      if (code === 0) return;
      const refused = await this.#whyRefused(updates, code, gitMessage(stderr, "the ref update was refused"));
      if (!refused) return;
      if (turn === LOCK_TURNS || refused instanceof RefConflictError) throw refused;
      if (!(await this.#locksFreed(updates))) throw refused;
    }
  }

  /** Was a lock in the way that is not any more? */
  async #locksFreed(updates: readonly RefUpdate[]): Promise<boolean> {
    const { info, notice } = this.parts;
    if (info.refFormat !== "files") return false;
    const refs = updates.map(({ ref }) => ref);
    const left = await removeLeftLocks(locksOf(info.commonDir, refs));
    for (const lock of left ?? []) notice?.(leftLockNotice(lock));
    return left !== null;
  }

  /**
   * A lost race shows in what the refs hold now, whatever git said about it; the rest is a refusal. null: git
   * was killed after it had done everything.
   */
  async #whyRefused(
    updates: readonly RefUpdate[],
    code: number | null,
    message: string,
  ): Promise<Error | null> {
    const now = new Map((await this.refs(updates.map(({ ref }) => ref))).map(({ name, oid }) => [name, oid]));
    if (code === null && updates.every(({ ref, to }) => (now.get(ref) ?? null) === to)) return null;
    for (const { ref, from } of updates) {
      const value = now.get(ref) ?? null;
      if (value !== from)
        return new RefConflictError(ref, `'${ref}' is at ${value ?? "nothing"}, not at ${from ?? "nothing"}`);
    }
    // Swept away between being written and being named (gc --prune=now): everything must be written again.
    const targets = updates.flatMap(({ to }) => to ?? []);
    const [lost] = await this.missing(targets);
    const swept = lost && updates.find(({ to }) => to === lost);
    if (swept) return new RefConflictError(swept.ref, `${lost} is no longer in the object store`);
    const twin = /already exists/.test(message) ? await this.#twinOf(updates) : null;
    if (twin !== null) return new RefUpdateError(twin);
    // git says only that it could not lock.
    const lock = join(this.parts.info.commonDir, "reftable/tables.list.lock");
    const locked = this.parts.info.refFormat === "reftable" && existsSync(lock);
    const why = locked ? `${message}: '${lock}' is there: remove it if no git process is running` : message;
    return new RefUpdateError(why);
  }

  /**
   * A ref that is not there and whose file is: a file system that ignores case gives a file for any spelling. null
   * where that is not it.
   */
  async #twinOf(updates: readonly RefUpdate[]): Promise<string | null> {
    const made = updates.filter(({ from, to }) => from === null && to !== null);
    const there = new Map((await this.refs(["refs/handoff/"])).map(({ name }) => [name.toLowerCase(), name]));
    for (const { ref } of made) {
      const twin = there.get(ref.toLowerCase());
      if (twin !== undefined && twin !== ref)
        return `'${ref}' cannot be made beside '${twin}': this file system ignores case`;
    }
    return null;
  }

  async localConfig(key: string): Promise<string[]> {
    const { code, stdout, stderr } = await this.parts.run(["config", "--local", "-z", "--get-all", key]);
    if (code === 1) return [];
    if (code !== 0) throw new FatalError(gitMessage(stderr, `cannot read the configuration key '${key}'`));
    return stdout.toString("utf8").split("\0").slice(0, -1);
  }

  addLocalConfig(key: string, value: string): Promise<void> {
    return this.#editConfig(["--add", key, value]);
  }

  setLocalConfig(key: string, value: string, from?: string): Promise<void> {
    const only = from === undefined ? [] : [`^${from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`];
    return this.#editConfig(["--replace-all", key, value, ...only]);
  }

  async #editConfig(args: readonly string[]): Promise<void> {
    const { info, run } = this.parts;
    const deadline = Date.now() + CONFIG_WAIT;
    for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
      const { code, stderr } = await run(["config", "--local", ...args]);
      if (code === 0) return;
      // 255: the lock is another's, or cannot be made at all because the folder is read-only.
      const writable = await access(info.commonDir, constants.W_OK).then(
        () => true,
        () => false,
      );
      if (code !== 255 || !writable || Date.now() > deadline) {
        throw new FatalError(gitMessage(stderr, `cannot set the configuration key '${args[1]}'`));
      }
      await sleep(pause * (0.5 + Math.random()));
    }
  }

  identity(): Promise<Identities> {
    return this.parts.identity();
  }

  history(
    tips: readonly string[],
    options: { maxBytes?: number } = {},
  ): Promise<{ oid: string; content: Uint8Array }[]> {
    checkNames(tips, this.objectFormat);
    return walkHistory(this.parts.safe, this.objectFormat, tips, options.maxBytes);
  }

  expireReflog(ref: string): Promise<void> {
    checkRefNames([ref]);
    return expireReflog(this.parts.run, ref);
  }
}

export function gitEngine(parts: GitEngineParts): StoragePort {
  return new GitEngine(parts);
}
