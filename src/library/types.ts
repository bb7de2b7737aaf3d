/** The library's words. Nothing here needs another package. */
import type { ItemSummary } from "../store/summary.js";
import type { Report } from "../surface/report.js";
import type { HandoffInput } from "../write/input.js";

export interface OpenOptions {
  /** Top of a work tree or a folder in it, or a bare repository. */
  dir: string;
  /**
   * `git` (default) runs git and serves every repository. `isomorphic-git` needs no git program and takes any
   * `fs`, in memory too; it refuses what it cannot do safely (sha256, reftable, alternates).
   */
  engine?: "git" | "isomorphic-git";
  /** For `isomorphic-git`: Node's `fs` (default), memfs, or another with a `promises` property. */
  fs?: unknown;
  /** Who writes, on `isomorphic-git`; else `user.name` and `user.email` of the repository's own config. */
  identity?: { name: string; email: string };
  /** Environment of git and of what is detected; the process's own by default. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The clock; the machine's by default. */
  now?: () => Date;
}

/** What a handoff is made of; the keys of the format, the body's sections by name. */
export interface HandoffContent extends HandoffInput {
  intent: string;
}

export interface WriteOptions {
  /** For this branch; the current one by default. With `inbox`: else for the repository as a whole. */
  branch?: string;
  /** What happens to the branch's open handoffs: `write` (default) refuses beside one, the others close them. */
  mode?: "write" | "append" | "overwrite";
  /** Leave it in this repository's own inbox; needs `impact` and `breaking` in the content. */
  inbox?: boolean;
  /** False keeps what looks like a secret. */
  redact?: boolean;
}

export interface Written {
  id: string;
  handle: string;
  /** `git show <ref>:<path>` prints it. */
  ref: string;
  path: string;
  commit: string;
  /** Ids of the handoffs it closed. */
  superseded: string[];
  /** The file in which the content's lessons were noted; null where there were none or it keeps none (`warnings`). */
  lessons: string | null;
  warnings: string[];
}

export interface ListOptions {
  /** One branch with the repository's inbox (the current one by default), or `all`. */
  branch?: string;
  all?: boolean;
  /** Closed and acknowledged ones too. */
  closed?: boolean;
}

/** The handoffs, and beside them what could not be read, one line each. */
export type Listed = ItemSummary[] & { warnings: string[] };

/** What `close` and `ack` did. */
export interface Ended {
  /** Those whose state changed. */
  changed: ItemSummary[];
  /** Those that were so before. */
  already: ItemSummary[];
}

export interface Handoffs {
  /** What is open for a branch (the current one by default) and in the inbox, checked as `git handoff read` does. Changes nothing. */
  read(options?: { branch?: string }): Promise<Report>;

  /** Handoffs as a list, unchecked; newest first for each branch. */
  list(options?: ListOptions): Promise<Listed>;

  /**
   * Records a handoff.
   * Throws UsageError (content that is not of the format), NegativeError (one is open and `mode` does not say
   * what becomes of it), FatalError (no branch).
   */
  write(content: HandoffContent, options?: WriteOptions): Promise<Written>;

  /**
   * Closes journal handoffs by handle, id or unique prefix; without any, all open ones of the current branch.
   * Throws NegativeError when there is nothing to close or a name fits none, several or an inbox handoff.
   */
  close(ids?: readonly string[], options?: { reason?: string }): Promise<Ended>;

  /** Acknowledges (or declines) inbox handoffs. Throws NegativeError as `close` does, and for a journal handoff. */
  ack(ids: readonly string[], options?: { reason?: string; decline?: boolean }): Promise<Ended>;
}
