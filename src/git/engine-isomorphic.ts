/**
 * The storage port without a git program: any `fs`, in memory too. isomorphic-git reads and writes the
 * objects; what it does not do atomically (refs, locks, configuration) is done here under git's own locks.
 */

import { join } from "node:path";
import { inflateSync, constants as zlib } from "node:zlib";
import git from "isomorphic-git";
import { checkNames } from "./cat-file.js";
import { addValue, setValue } from "./config-edit.js";
import { canonicalKey, parseConfigFile } from "./config-file.js";
import { Files, type FsPromises } from "./files.js";
import { FilesRefs } from "./files-refs.js";
import type { Identities } from "./identity.js";
import { takeLock } from "./lock.js";
import { encodeSignature, parseCommit, parseTree } from "./object.js";
import {
  type GitObject,
  type Identity,
  type ObjectType,
  type ReadObject,
  type Ref,
  RefConflictError,
  type RefUpdate,
  type StoragePort,
} from "./port.js";
import { checkRefNames, reflogMessage } from "./ref-name.js";
import { checkSupported, locate, type Place } from "./repository-format.js";

export interface IsomorphicOptions {
  /** Node's `fs`, memfs, or another with a `promises` property (or these promises themselves). */
  fs: unknown;
  /** Top of a work tree (also a linked one or a submodule); its `.git` is used. */
  dir?: string;
  /** The git directory itself (a bare repository). */
  gitdir?: string;
  /** Who commits; else `user.name` and `user.email` of the repository's own config, else a fallback. */
  identity?: Identity;
}

/** Bytes of a tree, commit or tag that is looked into on the way to another object. */
const MAX_PARSED = 64 << 20;
const TYPES = new Set(["blob", "tree", "commit", "tag"]);

class IsomorphicEngine implements StoragePort {
  readonly objectFormat = "sha1";
  readonly #refs: FilesRefs;
  readonly #objectFs: { promises: FsPromises };
  /** isomorphic-git's memory of pack indexes. */
  readonly #cache = {};

  constructor(
    private readonly files: Files,
    private readonly place: Place,
    private readonly who: Identity | undefined,
  ) {
    this.#refs = new FilesRefs(files, place.commonDir);
    this.#objectFs = files.forObjects();
  }

  refs(patterns: readonly string[]): Promise<Ref[]> {
    return this.#refs.list(patterns);
  }

  #loosePath(oid: string): string {
    return join(this.place.commonDir, "objects", oid.slice(0, 2), oid.slice(2));
  }

  /** Type and size of a loose object from its first bytes, so that one that unpacks to gigabytes is left alone. */
  async #looseHeader(oid: string): Promise<{ type: ObjectType; size: number } | null> {
    const bytes = await this.files.read(this.#loosePath(oid));
    if (bytes === null) return null;
    try {
      const head = inflateSync(bytes.subarray(0, 256), { finishFlush: zlib.Z_SYNC_FLUSH });
      const match = /^(blob|tree|commit|tag) (\d+)\0/.exec(head.toString("latin1"));
      return match ? { type: match[1] as ObjectType, size: Number(match[2]) } : null;
    } catch {
      return null;
    }
  }

  /** One object by id; null when it is not there or cannot be unpacked. */
  async #object(oid: string, maxBytes: number): Promise<ReadObject | null> {
    if (Number.isFinite(maxBytes)) {
      const header = await this.#looseHeader(oid);
      if (header && header.size > maxBytes) return { oid, ...header, content: null };
    }
    try {
      const { type, object } = await git.readObject({
        fs: this.#objectFs as never,
        gitdir: this.place.commonDir,
        oid,
        format: "content",
        cache: this.#cache,
      });
      if (!(object instanceof Uint8Array) || !TYPES.has(type)) return null;
      const size = object.length;
      const content = size > maxBytes ? null : object;
      return { oid, type: type as ObjectType, size, content };
    } catch {
      return null;
    }
  }

  /** Follows a commit or tag until an object of the wanted type (any, when empty). */
  async #peel(oid: string, type: string): Promise<string | null> {
    const object = await this.#object(oid, MAX_PARSED);
    if (!object) return null;
    const content = Buffer.from(object.content ?? []);
    if (object.type === "tag" && type !== "tag") {
      const target = /^object ([0-9a-f]{40})\n/.exec(content.toString("latin1"))?.[1];
      return target ? this.#peel(target, type) : null;
    }
    if (type === "" || type === object.type) return oid;
    return type === "tree" && object.type === "commit" ? parseCommit(content).tree : null;
  }

  async #atPath(oid: string, path: string): Promise<string | null> {
    let at = await this.#peel(oid, "tree");
    for (const name of path.split("/")) {
      // `<id>:` and `<id>:folder/` name the folder itself.
      if (name === "" || at === null) continue;
      const object = await this.#object(at, MAX_PARSED);
      if (object?.type !== "tree" || !object.content) return null;
      const entry = parseTree(object.content, "sha1").find((candidate) => candidate.name === name);
      at = entry && entry.mode !== "160000" ? entry.oid : null;
    }
    return at;
  }

  async #named(name: string, maxBytes: number): Promise<ReadObject | null> {
    const root = name.slice(0, 40);
    let oid: string | null = root;
    try {
      if (name[40] === ":") oid = await this.#atPath(root, name.slice(41));
      if (name[40] === "^") oid = await this.#peel(root, name.slice(42, -1));
      return oid === null ? null : await this.#object(oid, maxBytes);
    } catch {
      // A tree or commit that is none.
      return null;
    }
  }

  async read(
    names: readonly string[],
    options: { maxBytes?: number } = {},
  ): Promise<Map<string, ReadObject>> {
    checkNames(names, this.objectFormat);
    const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
    const found = new Map<string, ReadObject>();
    for (const name of new Set(names)) {
      const object = await this.#named(name, maxBytes);
      if (object) found.set(name, object);
    }
    return found;
  }

  async missing(oids: readonly string[]): Promise<string[]> {
    checkNames(oids, this.objectFormat);
    const gone: string[] = [];
    for (const oid of oids) {
      if (!(await this.#looseHeader(oid)) && !(await this.#object(oid, Number.POSITIVE_INFINITY)))
        gone.push(oid);
    }
    return gone;
  }

  async write(objects: readonly GitObject[]): Promise<string[]> {
    const oids: string[] = [];
    for (const { type, content } of objects) {
      oids.push(
        await git.writeObject({
          fs: this.#objectFs as never,
          gitdir: this.place.commonDir,
          type,
          object: content,
          format: "content",
        }),
      );
    }
    return oids;
  }

  async updateRefs(updates: readonly RefUpdate[], reason: string): Promise<void> {
    if (updates.length === 0) return;
    checkRefNames(updates.map(({ ref }) => ref));
    const { committer } = await this.identity();
    const now = new Date();
    const signature = encodeSignature({
      ...committer,
      time: Math.floor(now.getTime() / 1000),
      offset: -now.getTimezoneOffset(),
    });
    await this.#refs.update(updates, `${signature}\t${reflogMessage(reason)}`, async ({ ref, to }) => {
      if (to !== null && (await this.missing([to])).length > 0) {
        throw new RefConflictError(ref, `${to} is not in the object store`);
      }
    });
  }

  async history(tips: readonly string[]): Promise<{ oid: string; content: Uint8Array }[]> {
    checkNames(tips, this.objectFormat);
    const found = new Map<string, Uint8Array>();
    const queue = [...tips];
    for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
      if (found.has(oid)) continue;
      const object = await this.#object(oid, MAX_PARSED);
      if (object?.type !== "commit" || !object.content) continue;
      found.set(oid, object.content);
      queue.push(...parseCommit(object.content).parents);
    }
    return [...found].map(([oid, content]) => ({ oid, content }));
  }

  async expireReflog(ref: string): Promise<void> {
    checkRefNames([ref]);
    await this.#refs.expireLog(ref);
  }

  async #config(): Promise<string> {
    return (await this.files.text(join(this.place.commonDir, "config"))) ?? "";
  }

  async localConfig(key: string): Promise<string[]> {
    const wanted = canonicalKey(key);
    return parseConfigFile(await this.#config())
      .filter((entry) => entry.key === wanted)
      .map(({ value }) => value ?? "");
  }

  addLocalConfig(key: string, value: string): Promise<void> {
    return this.#editConfig((text) => addValue(text, key, value));
  }

  setLocalConfig(key: string, value: string, from?: string): Promise<void> {
    return this.#editConfig((text) => setValue(text, key, value, from));
  }

  /** Under git's own `config.lock`, read anew beneath it. */
  async #editConfig(edit: (text: string) => string): Promise<void> {
    const path = join(this.place.commonDir, "config");
    const lock = await takeLock(this.files, path);
    try {
      const edited = edit(await this.#config());
      const mode = Number((await this.files.fs.stat(path).catch(() => undefined))?.mode ?? 0o666) & 0o777;
      await this.files.remove(`${path}.new`);
      await this.files.replace(path, edited, `${path}.new`, mode);
    } finally {
      await this.files.remove(lock);
    }
  }

  async identity(): Promise<Identities> {
    const name = this.who?.name || (await this.localConfig("user.name")).at(-1);
    const email = this.who?.email || (await this.localConfig("user.email")).at(-1);
    const identity = { name: name || "unknown", email: email || "unknown@localhost" };
    return { author: identity, committer: identity, fallback: !name || !email };
  }
}

/**
 * Throws UnsupportedRepositoryError where this engine cannot be trusted (sha256, reftable, alternates,
 * repositories shared between accounts, extensions it does not know, an `fs` without exclusive creation);
 * FatalError where there is no repository.
 */
export async function isomorphicEngine(options: IsomorphicOptions): Promise<StoragePort> {
  const files = Files.over(options.fs);
  const place = await locate(files, options);
  await checkSupported(files, place);
  return new IsomorphicEngine(files, place, options.identity);
}

/**
 * The branch that is checked out (null when detached) and its commit (null before the first), without git.
 * Throws as isomorphicEngine does.
 */
export async function isomorphicHead(
  options: IsomorphicOptions,
): Promise<{ branch: string | null; oid: string | null }> {
  const files = Files.over(options.fs);
  const place = await locate(files, options);
  await checkSupported(files, place);
  const text = (await files.text(join(place.gitDir, "HEAD"))) ?? "";
  const target = /^ref:\s*(\S.*?)\s*$/s.exec(text)?.[1];
  if (target === undefined) return { branch: null, oid: /^[0-9a-f]{40}/.exec(text)?.[0] ?? null };
  const [ref] = await new FilesRefs(files, place.commonDir).list([target]);
  const branch = target.startsWith("refs/heads/") ? target.slice("refs/heads/".length) : null;
  return { branch, oid: ref?.oid ?? null };
}
