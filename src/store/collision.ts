/** Two clones with one writer id (a copied directory), and what only looks like it. */

import { FatalError } from "../errors.js";
import { encodeCommit, hashObject } from "../git/object.js";
import type { GitObject, RefUpdate, StoragePort } from "../git/port.js";
import { type BranchLogs, readAllBranches } from "./branch.js";
import { type CommitMap, chainOf, readCommits } from "./commits.js";
import { joinLogs, stageOf } from "./join-logs.js";
import type { Log } from "./log.js";
import { LogState } from "./log-state.js";
import { countHandoffs, formatMessage, parseMessage } from "./message.js";
import { refName } from "./names.js";
import { ensurePresent, ownLog, retried, signaturesOf } from "./record.js";
import { FOLDERS, type Folder } from "./types.js";
import { replaceWriterId, writerId } from "./writer.js";

/**
 * What a refused push of an own ref means, from how the two tips are related.
 * `same`: nothing to do. `push-again`: theirs is an ancestor of ours. `fast-forward`: ours is an ancestor of
 * theirs (a restored backup). `redacted`: theirs is our log as it was before a redaction that has not reached
 * the remote. `unknown`: history is missing here (shallow). `collision`: another clone has our writer id.
 */
export type Relation = "same" | "push-again" | "fast-forward" | "redacted" | "unknown" | "collision";

/** How the tip of the remote's ref is related to ours. Both must be here. */
export async function compareTips(port: StoragePort, ours: string, theirs: string): Promise<Relation> {
  return relate(await readCommits(port, [ours, theirs]), ours, theirs);
}

/** The decision itself. */
export function relate(commits: CommitMap, ours: string, theirs: string): Relation {
  if (ours === theirs) return "same";
  const mine = chainOf(commits, ours);
  const other = chainOf(commits, theirs);
  if (mine.oids.includes(theirs)) return "push-again";
  if (other.oids.includes(ours)) return "fast-forward";
  const shared = new Set(other.oids);
  const redacted = mine.oids.some(
    (oid) => !shared.has(oid) && parseMessage(commits.get(oid)?.message ?? "").event === "redact",
  );
  if (redacted) return "redacted";
  return mine.complete && other.complete ? "collision" : "unknown";
}

/** Moves our ref to the remote's tip. Throws RefConflictError when ours moved meanwhile. */
export async function fastForward(
  port: StoragePort,
  ref: string,
  ours: string,
  theirs: string,
): Promise<void> {
  await port.updateRefs([{ ref, from: ours, to: theirs }], "handoff: fast-forward to the remote's log");
}

export interface NewWriter {
  old: string;
  writer: string;
  /** Logs that got what the old ones held. */
  refs: { from: string; to: string; commit: string }[];
}

export interface NewWriterOptions {
  now?: Date;
  /** The id that another clone has too; where it is this clone's no more, only its logs are taken over. */
  from?: string;
}

/**
 * Gives this clone a new writer id: config first, so that whoever writes meanwhile uses it, then every log in
 * one transaction, each from a new root that holds the tip's documents less what is gone. The old refs stay
 * and are read like anybody else's. Two processes that do so at once end with one new id.
 */
export async function takeNewWriter(port: StoragePort, options: NewWriterOptions = {}): Promise<NewWriter> {
  const old = options.from ?? (await writerId(port, { create: false }));
  if (old === null) throw new FatalError("this clone has no writer id yet");
  const writer = await replaceWriterId(port, old);
  return takeOver(port, { old, writer, take: everything, now: options.now });
}

/**
 * Brings into this clone's logs what its former ids' logs hold and these do not: a change of id was killed half
 * way, or an event was recorded under the old id at the same moment.
 */
export async function finishNewWriter(port: StoragePort, former: readonly string[]): Promise<NewWriter[]> {
  const writer = await writerId(port, { create: false });
  const taken: NewWriter[] = [];
  for (const old of new Set(former))
    if (writer !== null && old !== writer) taken.push(await takeOver(port, { old, writer, take: unknown }));
  return taken;
}

interface Taking {
  old: string;
  writer: string;
  /** Which of a log's entries are taken over. */
  take(log: Log, logs: BranchLogs): Held[];
  now?: Date | undefined;
}

interface Held {
  oid: string;
  name: string;
  folder: Folder;
}

function everything(log: Log): Held[] {
  return FOLDERS.flatMap((folder) =>
    (log.folders.get(folder)?.entries ?? []).map(({ oid, name }) => ({ oid, name, folder })),
  );
}

/** What no other log knows to be open, or to have come this far. What is closed and known to nobody is left. */
function unknown(log: Log, { logs }: BranchLogs): Held[] {
  const others = joinLogs(logs.filter(({ ref }) => ref !== log.ref));
  return everything(log).filter(({ oid, folder }) => {
    const there = others.get(oid)?.stage;
    return there === undefined ? stageOf(folder) === 0 : there < stageOf(folder);
  });
}

/** Twice adds nothing. */
async function takeOver(port: StoragePort, { old, writer, take, now: at }: Taking): Promise<NewWriter> {
  return retried(async () => {
    const signatures = await signaturesOf(port, at ?? new Date());
    const objects: GitObject[] = [];
    const updates: RefUpdate[] = [];
    const refs: NewWriter["refs"] = [];
    for (const [branch, logs] of await readAllBranches(port)) {
      const log = ownLog(logs, old);
      const taken = log ? take(log, logs) : [];
      if (!log || taken.length === 0) continue;
      const now = ownLog(logs, writer);
      const state = LogState.of(now);
      const moved = taken.filter(({ oid, folder, name }) => state.put(oid, folder, name));
      if (moved.length === 0) continue;
      state.settle(logs.joined);
      const encoded = state.encode(port.objectFormat);
      const kept = FOLDERS.filter((folder) => folder !== "gone").flatMap((folder) => state.entries(folder));
      const message = formatMessage({
        event: "import",
        about: `${countHandoffs(kept.length)} of ${old}, whose name another clone has too`,
        ids: kept.map(({ name }) => name.replace(/\.md$/, "")),
      });
      const parents = now ? [now.tip] : [];
      const content = encodeCommit({ tree: encoded.root, parents, ...signatures, message });
      const commit = hashObject("commit", content, port.objectFormat);
      objects.push(...encoded.objects, { type: "commit", content });
      const to = refName(branch, writer);
      // The old ref is checked too: an event recorded there meanwhile must not be left behind.
      updates.push(
        { ref: to, from: now?.tip ?? null, to: commit },
        { ref: log.ref, from: log.tip, to: log.tip },
      );
      refs.push({ from: log.ref, to, commit });
    }
    if (updates.length > 0) {
      await port.write(objects);
      await port.updateRefs(updates, `handoff: new writer ${writer}`);
      await ensurePresent(port, objects);
    }
    return { old, writer, refs };
  });
}
