/** The storage port without a git program: any `fs`, in memory too. */
import type { Identity, StoragePort } from "./port.js";

export interface IsomorphicOptions {
  /** Node's `fs`, memfs, or what isomorphic-git takes with a `promises` property. */
  fs: unknown;
  /** Top of the work tree; its `.git` is used. */
  dir?: string;
  /** The git directory itself (a bare repository). */
  gitdir?: string;
  /** Who commits; else `user.name` and `user.email` of the repository's config, else a fallback. */
  identity?: Identity;
}

/**
 * Throws UnsupportedRepositoryError where this engine cannot be trusted: sha256, reftable, alternates,
 * extensions it does not know.
 */
export function isomorphicEngine(_options: IsomorphicOptions): Promise<StoragePort> {
  throw new Error("not built yet");
}
