/**
 * Recording events: plan from the join, write the objects, move the refs by compare-and-swap; after a lost
 * race all of it again, from the writer id on. "Done" is said when the refs hold the commits and everything
 * new is in the object store.
 */
import { FatalError } from "../errors.js";
import { encodeCommit, hashObject, type Signature } from "../git/object.js";
import { type GitObject, type Identity, RefConflictError, type StoragePort } from "../git/port.js";
import type { BranchLogs } from "./branch.js";
import type { Log } from "./log.js";
import { LogState } from "./log-state.js";
import { type EventMessage, formatMessage } from "./message.js";
import { refName } from "./names.js";
import { writerId } from "./writer.js";

/** Milliseconds of trying; eight writers on one ref, ten times each, on a busy machine: 6 s for the unluckiest. */
const DEADLINE = 60_000;
/** Pauses double up to this: few at a time get further than all at once (211 attempts for 80 events, not 345). */
const LONGEST_PAUSE = 1000;

/** One log's next commit. */
export interface LogChange {
  branch: string;
  /** The log's tip as planned on; null for a new log. */
  tip: string | null;
  state: LogState;
  /** New documents. */
  blobs: readonly Uint8Array[];
  message: EventMessage;
}

export interface Plan<T> {
  /** One for each log that changes; none when there is nothing to do. */
  changes: readonly LogChange[];
  result(commits: ReadonlyMap<string, RecordedCommit>): T;
}

export interface RecordedCommit {
  ref: string;
  commit: string;
  writer: string;
}

/**
 * Carries out what `plan` says, by compare-and-swap. `plan` is called again after each lost race and must
 * read the join itself; it gets the writer id, null while this clone has none.
 * Throws FatalError when the race is lost for a minute; what `plan` throws.
 */
export async function record<T>(
  port: StoragePort,
  now: Date | undefined,
  plan: (writer: string | null) => Promise<Plan<T>>,
): Promise<T> {
  return retried(async () => {
    const known = await writerId(port, { create: false });
    const { changes, result } = await plan(known);
    if (changes.length === 0) return result(new Map());
    const writer = known ?? (await writerId(port, { create: true }));
    const signatures = await signaturesOf(port, now ?? new Date());
    const objects: GitObject[] = [];
    const commits = new Map<string, RecordedCommit>();
    for (const change of changes) {
      const encoded = encodeChange(port, change, signatures);
      objects.push(...encoded.objects);
      commits.set(change.branch, { ref: refName(change.branch, writer), commit: encoded.commit, writer });
    }
    await port.write(objects);
    await port.updateRefs(
      changes.map(({ branch, tip }) => ({
        ref: refName(branch, writer),
        from: tip,
        to: commits.get(branch)?.commit ?? null,
      })),
      `handoff: ${changes[0]?.message.event ?? "write"}`,
    );
    await ensurePresent(port, objects);
    return result(commits);
  });
}

function encodeChange(
  port: StoragePort,
  { state, blobs, tip, message }: LogChange,
  signatures: { author: Signature; committer: Signature },
): { commit: string; objects: GitObject[] } {
  const { root, objects } = state.encode(port.objectFormat);
  const content = encodeCommit({
    tree: root,
    parents: tip === null ? [] : [tip],
    ...signatures,
    message: formatMessage(message),
  });
  return {
    commit: hashObject("commit", content, port.objectFormat),
    objects: [
      ...blobs.map((blob): GitObject => ({ type: "blob", content: blob })),
      ...objects,
      { type: "commit", content },
    ],
  };
}

/** Runs a step that may lose a race on a ref, again and again within a bound. */
export async function retried<T>(step: () => Promise<T>): Promise<T> {
  const end = Date.now() + DEADLINE;
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof RefConflictError)) throw error;
      if (Date.now() > end) {
        throw new FatalError(`cannot update '${error.ref}': it kept changing (${attempt} attempts)`);
      }
      const pause = Math.random() * Math.min(LONGEST_PAUSE, 20 * 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * What was just written may already be gone: a `gc --prune=now` beside a writer takes objects that no ref
 * holds yet. Writes again what is missing.
 */
export async function ensurePresent(port: StoragePort, objects: readonly GitObject[]): Promise<void> {
  const byOid = new Map(
    objects.map((object) => [hashObject(object.type, object.content, port.objectFormat), object]),
  );
  for (let attempt = 0; attempt < 3; attempt++) {
    const missing = await port.missing([...byOid.keys()]);
    if (missing.length === 0) return;
    await port.write(missing.flatMap((oid) => byOid.get(oid) ?? []));
  }
  if ((await port.missing([...byOid.keys()])).length > 0) {
    throw new FatalError("objects just written are missing: is another git pruning this repository?");
  }
}

/** Author and committer with an explicit date: an outer rebase leaves its own in the environment. */
export async function signaturesOf(
  port: StoragePort,
  at: Date,
): Promise<{ author: Signature; committer: Signature }> {
  const { author, committer } = await port.identity();
  return { author: signature(author, at), committer: signature(committer, at) };
}

export function signature(identity: Identity, at: Date): Signature {
  return { ...identity, time: Math.floor(at.getTime() / 1000), offset: -at.getTimezoneOffset() };
}

/** This writer's own log of a branch; null when it has none. Throws FatalError when it cannot be built upon. */
export function ownLog(logs: BranchLogs, writer: string | null): Log | null {
  if (writer === null) return null;
  const ref = refName(logs.branch, writer);
  const fault = logs.unreadable.get(ref);
  if (fault !== undefined) throw new FatalError(`cannot write to '${ref}': ${fault}`);
  return logs.logs.find((log) => log.ref === ref) ?? null;
}

/** Own log and its state, brought up to what the other logs say. */
export function ownState(logs: BranchLogs, writer: string | null): { tip: string | null; state: LogState } {
  const log = ownLog(logs, writer);
  const state = LogState.of(log);
  state.settle(logs.joined);
  return { tip: log?.tip ?? null, state };
}
