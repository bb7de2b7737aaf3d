/** Growth: closed and acknowledged documents leave the tips; their text stays in the logs' history. */
import { handleOf, parseDocumentName } from "../document/id.js";
import type { Ref, StoragePort } from "../git/port.js";
import { type BranchLogs, readAllBranches } from "./branch.js";
import { closingTimes } from "./closing-times.js";
import { readCommits } from "./commits.js";
import { deleteRefs } from "./delete-refs.js";
import { type Joined, stageOf } from "./join-logs.js";
import type { Log } from "./log.js";
import { countHandoffs } from "./message.js";
import { parseRefName, refName } from "./names.js";
import { type LogChange, ownState, type RecordedCommit, record } from "./record.js";
import { type EventName, FOLDERS, type Folder } from "./types.js";
import { writerId } from "./writer.js";

const DAY = 86_400_000;

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
  /** Own `open/` and `inbox/` entries that another writer closed long ago; they move to `closed/` or `acked/` first. */
  settled: PruneEntry[];
  /** Entries that are old enough but stay, and why. */
  kept: (PruneEntry & { why: string })[];
  /** Local refs to delete, with the time at which the last of their documents ended: own logs of gone branches, and sent refs that this clone's pushed log acknowledges. */
  refs: (Ref & { why: string; ended: Date | null })[];
  /** The same on remotes; to be deleted there with a lease on `oid`. */
  remoteRefs: { remote: string; ref: string; oid: string; why: string }[];
}

export type Pruned = PrunePlan & { commits: RecordedCommit[] };

/** Looks through every log. Fetch every remote first: what it has not seen it cannot spare. */
export async function planPrune(port: StoragePort, options: PruneOptions): Promise<PrunePlan> {
  const writer = await writerId(port, { create: false });
  return plan(port, await readAllBranches(port), writer, options);
}

/** Plans and does it: one commit a log, then the local refs. Remote refs are the caller's. */
export async function prune(port: StoragePort, options: PruneOptions): Promise<Pruned> {
  const done = await record(port, options.now, async (writer) => {
    const all = await readAllBranches(port);
    const planned = await plan(port, all, writer, options);
    const changes = [...all.values()].flatMap((logs) => changesOf(logs, writer, planned));
    return { changes, result: (commits): Pruned => ({ ...planned, commits: [...commits.values()] }) };
  });
  // A ref that is deleted must be as it was planned on; one that this prune committed to is not.
  const planned = done.refs.filter(({ name }) => !done.commits.some(({ ref }) => ref === name));
  const deleted = new Set(await deleteRefs(port, planned, "handoff: prune"));
  return { ...done, refs: planned.filter((ref) => deleted.has(ref)) };
}

function changesOf(logs: BranchLogs, writer: string | null, planned: PrunePlan): LogChange[] {
  const mine = (entry: PruneEntry) => entry.branch === logs.branch;
  const documents = planned.documents.filter(mine);
  const settled = planned.settled.filter(mine);
  if (writer === null || documents.length + settled.length === 0) return [];
  // `ownState` settles; what becomes `gone` comes on top.
  const { tip, state } = ownState(logs, writer);
  for (const { oid } of documents) state.put(oid, "gone", oid);
  const acked = settled.every(({ path }) => path.startsWith("inbox/"));
  const event: EventName = documents.length > 0 ? "prune" : acked ? "ack" : "close";
  const entries = documents.length > 0 ? documents : settled;
  const message = { event, about: countHandoffs(entries.length), ids: entries.map(({ id }) => id) };
  return [{ branch: logs.branch, tip, state, blobs: [], message }];
}

async function plan(
  port: StoragePort,
  all: ReadonlyMap<string, BranchLogs>,
  writer: string | null,
  options: PruneOptions,
): Promise<PrunePlan> {
  const result: PrunePlan = { documents: [], settled: [], kept: [], refs: [], remoteRefs: [] };
  if (writer === null) return result;
  const logs = [...all.values()].flatMap((one) => one.logs);
  const commits = await readCommits(
    port,
    logs.map(({ tip }) => tip),
  );
  const closed = closingTimes(logs, commits);
  const before = (options.now ?? new Date()).getTime() - options.olderThan * DAY;
  const live = liveHolders(all, writer);
  for (const state of all.values()) {
    const own = state.logs.find(({ ref }) => ref === refName(state.branch, writer));
    if (!own || state.unreadable.has(own.ref)) continue;
    // Old enough too: who has not fetched since a document was closed would see it open for ever.
    const isOld = (id: string) => (closed.get(id) ?? nameTime(id)) <= before;
    const gone = options.goneBranches?.has(state.branch) === true && mayGo(own, state, live, isOld);
    if (gone) {
      const why = `branch ${state.branch} is gone`;
      const times = ownEntries(own, state).flatMap(({ name }) => closed.get(name.replace(/\.md$/, "")) ?? []);
      const ended = times.length > 0 ? new Date(Math.max(...times)) : null;
      result.refs.push({ name: own.ref, oid: own.tip, why, ended });
      result.remoteRefs.push(...remoteCopies(state.logs, own, why));
      continue;
    }
    for (const { entry, folder, oid, name } of ownEntries(own, state)) {
      const id = name.replace(/\.md$/, "");
      if (!hasEnded(entry, all) || !isOld(id)) continue;
      const item = {
        branch: state.branch,
        ref: own.ref,
        path: `${folder}/${name}`,
        id,
        handle: handleOf(oid),
        oid,
      };
      const holders = live.get(oid) ?? [];
      if (holders.length === 0) result.documents.push(item);
      else if (stageOf(folder) === 0) result.settled.push(item);
      else result.kept.push({ ...item, why: `still open in ${holders[0]}` });
    }
  }
  addSentRefs(result, logs, writer);
  return result;
}

/** May this log go with its branch? Not while one of its documents is live, here or in any other ref. */
function mayGo(
  own: Log,
  state: BranchLogs,
  live: ReadonlyMap<string, string[]>,
  isOld: (id: string) => boolean,
): boolean {
  return ownEntries(own, state).every(
    ({ entry, oid, name }) => entry.stage > 0 && !live.has(oid) && isOld(name.replace(/\.md$/, "")),
  );
}

function ownEntries(
  own: Log,
  state: BranchLogs,
): { entry: Joined; folder: Folder; oid: string; name: string }[] {
  return FOLDERS.filter((folder) => folder !== "gone").flatMap((folder) =>
    (own.folders.get(folder)?.entries ?? []).flatMap(({ oid, name }) => {
      const entry = state.joined.get(oid);
      return entry ? [{ entry, folder, oid, name }] : [];
    }),
  );
}

/** Closed or gone here; of one that moved away, there. */
function hasEnded(entry: Joined, all: ReadonlyMap<string, BranchLogs>): boolean {
  if (entry.stage !== 1) return entry.stage >= 2;
  return [...all.values()].some(({ joined }) => (joined.get(entry.oid)?.stage ?? 0) >= 2);
}

/**
 * Refs that have a blob in `open/` or `inbox/`: while there is one, a cheap look at the tips needs the
 * `closed/` entry to know. An own local log whose entry others moved on does not count: it settles now.
 */
function liveHolders(all: ReadonlyMap<string, BranchLogs>, writer: string): Map<string, string[]> {
  const holders = new Map<string, string[]>();
  for (const { logs, joined, branch } of all.values()) {
    for (const log of logs) {
      for (const folder of ["open", "inbox"] as const) {
        for (const { oid } of log.folders.get(folder)?.entries ?? []) {
          if (log.ref === refName(branch, writer) && joined.get(oid)?.stage !== 0) continue;
          holders.set(oid, [...(holders.get(oid) ?? []), log.ref]);
        }
      }
    }
  }
  return holders;
}

function nameTime(id: string): number {
  const time = parseDocumentName(id)?.time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z");
  return Date.parse(time ?? "") || 0;
}

function remoteCopies(logs: readonly Log[], own: Log, why: string): PrunePlan["remoteRefs"] {
  return logs.flatMap((log) =>
    log.remote !== null && log.writer === own.writer && log.handle === own.handle
      ? [{ remote: log.remote, ref: own.ref, oid: log.tip, why }]
      : [],
  );
}

/** Sent refs whose document this writer's log, as it stands on a remote, has acknowledged. */
function addSentRefs(result: PrunePlan, logs: readonly Log[], writer: string): void {
  const pushed = logs.filter((log) => log.remote !== null && log.writer === writer && log.handle === null);
  for (const sent of logs) {
    const [only] = sent.folders.get("inbox")?.entries ?? [];
    if (sent.handle === null || !only) continue;
    const ackedOn = pushed.filter(
      (log) =>
        log.branch === sent.branch &&
        (["acked", "gone"] as const).some((folder) =>
          log.folders.get(folder)?.entries.some(({ oid }) => oid === only.oid),
        ),
    );
    const why = `${only.name.replace(/\.md$/, "")} is acknowledged`;
    if (sent.remote === null && ackedOn.length > 0) {
      result.refs.push({ name: sent.ref, oid: sent.tip, why, ended: null });
    } else if (ackedOn.some(({ remote }) => remote === sent.remote) && sent.remote !== null) {
      const name = parseRefName(sent.ref);
      if (name) {
        const ref = refName(sent.branch, `${sent.writer}-${sent.handle}`);
        result.remoteRefs.push({ remote: sent.remote, ref, oid: sent.tip, why });
      }
    }
  }
}
