/**
 * The one narrow door to stored objects and refs. The store knows nothing else of git.
 * Two engines stand behind it: `git` (the command line) and `isomorphic-git` (the library);
 * both pass `test/git/contract.ts`.
 */

export type ObjectFormat = "sha1" | "sha256";
export type ObjectType = "blob" | "tree" | "commit" | "tag";

export interface GitObject {
  type: ObjectType;
  /** The object's content without git's header. */
  content: Uint8Array;
}

export interface Ref {
  /** Full name, e.g. `refs/handoff/main/ada-3f9a2c`. */
  name: string;
  oid: string;
}

export interface RefUpdate {
  ref: string;
  /** New value; null deletes. */
  to: string | null;
  /** The value the ref must have now; null: it must not exist. */
  from: string | null;
}

export interface Identity {
  name: string;
  email: string;
}

/** A ref did not have the value it was expected to have; start again from the join. */
export class RefConflictError extends Error {
  override name = "RefConflictError";
  constructor(
    readonly ref: string,
    message: string,
  ) {
    super(message);
  }
}

/** The engine cannot serve this repository safely; `message` says what and what to use instead. */
export class UnsupportedRepositoryError extends Error {
  override name = "UnsupportedRepositoryError";
}

/** A ref update was refused by something other than a race (hook, permissions, disk). */
export class RefUpdateError extends Error {
  override name = "RefUpdateError";
}

export interface StoragePort {
  readonly objectFormat: ObjectFormat;

  /**
   * Refs matching any pattern, by name. A pattern is a full name whose `*` matches within one path
   * component (git for-each-ref's rule), or ends in `/` for everything below. Broken refs are left out.
   */
  refs(patterns: readonly string[]): Promise<Ref[]>;

  /**
   * Objects by name: a full id, or `<id>:<path>` / `<id>^{tree}`. One round trip whatever the number.
   * What is missing, broken or would have to be downloaded is absent from the map. Objects above `maxBytes`
   * come back with their true `size` and no content. Throws TypeError for any other form of name.
   */
  read(names: readonly string[], options?: { maxBytes?: number }): Promise<Map<string, ReadObject>>;

  /** Which of these ids are not in the object store. Never downloads. */
  missing(oids: readonly string[]): Promise<string[]>;

  /** Writes objects (any order that has parts before wholes); returns their ids. Idempotent. */
  write(objects: readonly GitObject[]): Promise<string[]>;

  /**
   * All or none, compare-and-swap on every `from`, with a reflog entry `reason`.
   * Throws RefConflictError on a lost race, RefUpdateError on refusal.
   */
  updateRefs(updates: readonly RefUpdate[], reason: string): Promise<void>;

  /** All values of a key in the repository's own config file (not global, not worktree). */
  localConfig(key: string): Promise<string[]>;

  /** Appends a value under git's own lock, retried within a bound. */
  addLocalConfig(key: string, value: string): Promise<void>;

  /**
   * Replaces all values of a key in the repository's own config file; with `from`, those that are `from`. Where
   * none is, the value is added as the last: of a key whose first value counts nothing has changed then.
   */
  setLocalConfig(key: string, value: string, from?: string): Promise<void>;

  /** Who commits; never fails: a fallback where git has no identity. */
  identity(): Promise<{ author: Identity; committer: Identity; fallback: boolean }>;

  /**
   * Every commit reachable from these tips, content as stored, in any order, in one round trip. Missing tips
   * are left out, and commits above `maxBytes`; where a parent is missing so may be what leads to it. The store walks
   * on with `read`.
   */
  history?(
    tips: readonly string[],
    options?: { maxBytes?: number },
  ): Promise<{ oid: string; content: Uint8Array }[]>;

  /** Empties a ref's reflog, so that no old value is named there any more. */
  expireReflog?(ref: string): Promise<void>;
}

export interface ReadObject {
  readonly oid: string;
  readonly type: ObjectType;
  /** Bytes. */
  readonly size: number;
  /** null where it is larger than asked for. */
  readonly content: Uint8Array | null;
  /**
   * What `content` is cut from when it is asked for, and where it begins there, in an engine that gets many answers in
   * one piece: of thousands the cutting takes longer than the reading.
   */
  readonly source?: Buffer | undefined;
  readonly start?: number;
}
