/** Two clones with one writer id (a copied directory), and what only looks like it. */

import { FatalError } from "../errors.js";
import { encodeCommit, hashObject } from "../git/object.js";
import type { GitObject, RefUpdate, StoragePort } from "../git/port.js";
import { readAllBranches } from "./branch.js";
import { type CommitMap, chainOf, readCommits } from "./commits.js";
import { LogState } from "./log-state.js";
import { countHandoffs, formatMessage, parseMessage } from "./message.js";
import { refName } from "./names.js";
import { ensurePresent, ownLog, retried, signaturesOf } from "./record.js";
import { FOLDERS } from "./types.js";
import { newWriterId, replaceWriterId, writerId } from "./writer.js";

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
  refs: { from: string; to: string; commit: string }[];
}

/**
 * Gives this clone a new writer id, with every log in one transaction, each from a new root that holds the tip's
 * documents less what is gone. The id is made this clone's own only when it has the logs: killed before that, the
 * next push starts again, and nothing is left under a name that is not pushed any more. The old refs stay and
 * are read like anybody else's.
 */
export async function takeNewWriter(port: StoragePort, options: { now?: Date } = {}): Promise<NewWriter> {
  const old = await writerId(port, { create: false });
  if (old === null) throw new FatalError("this clone has no writer id yet");
  const writer = await newWriterId(port);
  const now = options.now ?? new Date();
  const carried = await retried(() => carryOver(port, { old, writer, now }, new Set()));
  await replaceWriterId(port, writer);
  // What was recorded under the old id meanwhile must not be left behind.
  const later = await retried(() =>
    carryOver(port, { old, writer, now }, new Set(carried.map(({ tip }) => tip))),
  );
  const refs = new Map([...carried, ...later].map(({ from, to, commit }) => [to, { from, to, commit }]));
  return { old, writer, refs: [...refs.values()] };
}

/** Puts what the old id's logs hold into the new one's, but for logs whose tip is in `done`. */
async function carryOver(
  port: StoragePort,
  { old, writer, now }: { old: string; writer: string; now: Date },
  done: ReadonlySet<string>,
): Promise<{ from: string; to: string; commit: string; tip: string }[]> {
  const signatures = await signaturesOf(port, now);
  const objects: GitObject[] = [];
  const updates: RefUpdate[] = [];
  const refs: { from: string; to: string; commit: string; tip: string }[] = [];
  for (const [branch, logs] of await readAllBranches(port)) {
    const log = ownLog(logs, old);
    if (!log || done.has(log.tip)) continue;
    const there = ownLog(logs, writer);
    const state = LogState.of(there);
    for (const folder of FOLDERS) {
      for (const { oid, name } of log.folders.get(folder)?.entries ?? []) state.put(oid, folder, name);
    }
    state.settle(logs.joined);
    const encoded = state.encode(port.objectFormat);
    const kept = FOLDERS.filter((folder) => folder !== "gone").flatMap((folder) => state.entries(folder));
    const message = formatMessage({
      event: "import",
      about: `${countHandoffs(kept.length)} of ${old}, whose name another clone has too`,
      ids: kept.map(({ name }) => name.replace(/\.md$/, "")),
    });
    const parents = there ? [there.tip] : [];
    const content = encodeCommit({ tree: encoded.root, parents, ...signatures, message });
    const commit = hashObject("commit", content, port.objectFormat);
    objects.push(...encoded.objects, { type: "commit", content });
    const to = refName(branch, writer);
    // The old ref is checked too: it must be as it was read.
    updates.push(
      { ref: to, from: there?.tip ?? null, to: commit },
      { ref: log.ref, from: log.tip, to: log.tip },
    );
    refs.push({ from: log.ref, to, commit, tip: log.tip });
  }
  if (updates.length > 0) {
    await port.write(objects);
    await port.updateRefs(updates, `handoff: new writer ${writer}`);
    await ensurePresent(port, objects);
  }
  return refs;
}
