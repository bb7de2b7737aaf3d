import type { Ref, StoragePort } from "../git/port.js";

export interface PruneOptions {
  /** Days since it was closed or acknowledged. */
  olderThan: number;
  now?: Date;
  /** Branches known to be gone: absent here and on every remote, each of which was asked. */
  goneBranches?: ReadonlySet<string>;
}

export interface PruneEntry {
  branch: string;
  ref: string;
  path: string;
  id: string;
  handle: string;
  oid: string;
}

/** What a prune would do. Nothing is changed by making one. */
export interface PrunePlan {
  /** Entries of this writer's logs that become `gone/`. */
  documents: PruneEntry[];
  /** Entries that are old enough but stay, and why. */
  kept: (PruneEntry & { why: string })[];
  /** Local refs to delete: logs of gone branches, and sent refs that this clone's pushed log acknowledges. */
  refs: (Ref & { why: string })[];
  /** The same on remotes; to be deleted there with a lease on `oid`. */
  remoteRefs: { remote: string; ref: string; oid: string; why: string }[];
}

/** Looks through every log. Fetch every remote first: what it has not seen it cannot spare. */
export async function planPrune(_port: StoragePort, _options: PruneOptions): Promise<PrunePlan> {
  throw new Error("not built yet");
}

/** Plans and does it: one commit a log, then the local refs. Remote refs are the caller's. */
export async function prune(
  _port: StoragePort,
  _options: PruneOptions,
): Promise<PrunePlan & { commits: { ref: string; commit: string }[] }> {
  throw new Error("not built yet");
}
