/** What happened: the events in the logs' own history, and the documents that only history still has. */
import { parseDocumentName } from "../document/id.js";
import { oneLine } from "../document/strip.js";
import type { StoragePort } from "../git/port.js";
import { type BranchLogs, readAllBranches, readBranches } from "./branch.js";
import { type CommitMap, chainOf, readCommits, signatureTime } from "./commits.js";
import { readDocuments } from "./documents.js";
import type { Log } from "./log.js";
import { compareText, readLogs } from "./log.js";
import { parseMessage } from "./message.js";
import type { Item, LogEvent } from "./types.js";

/** Events of a branch (null: of every branch), newest first, from all writers' logs. */
export async function readLog(port: StoragePort, branch: string | null): Promise<LogEvent[]> {
  const logs = await logsOf(port, branch);
  const commits = await readCommits(
    port,
    logs.map(({ tip }) => tip),
  );
  return eventsOf(logs, commits);
}

async function logsOf(port: StoragePort, branch: string | null): Promise<Log[]> {
  const branches = await branchesOf(port, branch);
  return branches.flatMap(({ logs }) => logs);
}

async function branchesOf(port: StoragePort, branch: string | null): Promise<BranchLogs[]> {
  const read = branch === null ? await readAllBranches(port) : await readBranches(port, [branch]);
  return [...read.values()];
}

export function eventsOf(logs: readonly Log[], commits: CommitMap): LogEvent[] {
  const found = new Map<string, { event: LogEvent; time: number; depth: number }>();
  for (const log of logs) {
    const { oids } = chainOf(commits, log.tip);
    oids.forEach((oid, index) => {
      const commit = commits.get(oid);
      const key = `${log.branch}\0${oid}`;
      if (!commit || found.has(key)) return;
      const { name, email } = commit.author;
      found.set(key, {
        time: commit.committer.time,
        depth: oids.length - index,
        event: {
          ...parseMessage(commit.message),
          branch: log.branch,
          writer: log.writer,
          commit: oid,
          author: oneLine(`${name} <${email}>`),
          date: signatureTime(commit.committer),
        },
      });
    });
  }
  return [...found.values()]
    .sort((a, b) => b.time - a.time || b.depth - a.depth || compareText(a.event.commit, b.event.commit))
    .map(({ event }) => event);
}

/** Documents that were pruned, with their text from the logs' history. What was redacted is never among them. */
export async function readPruned(port: StoragePort, branch: string | null): Promise<Item[]> {
  const branches = await branchesOf(port, branch);
  const logs = branches.flatMap((one) => one.logs);
  const commits = await readCommits(
    port,
    logs.map(({ tip }) => tip),
  );
  // Each prune's parent still has the document.
  const prunes: { log: Log; before: string; ids: Set<string> }[] = [];
  for (const log of logs) {
    for (const oid of chainOf(commits, log.tip).oids) {
      const commit = commits.get(oid);
      const before = commit?.parents[0];
      if (!commit || before === undefined) continue;
      const { event, ids } = parseMessage(commit.message);
      if (event === "prune") prunes.push({ log, before, ids: new Set(ids) });
    }
  }
  if (prunes.length === 0) return [];
  const redacting = redactionsOf(logs, commits);
  const states = await statesAt(port, [
    ...prunes.map(({ before }) => before),
    ...redacting.flatMap(commitsOf),
  ]);
  const redacted = redactedBy(redacting, states);
  const found = new Map<string, Item>();
  for (const { log, before, ids } of prunes) {
    for (const { folder, entries } of states.get(before)?.folders ?? []) {
      for (const { oid, name } of entries) {
        const id = name.replace(/\.md$/, "");
        const stage = branches.find((one) => one.branch === log.branch)?.joined.get(oid)?.stage;
        if (folder === "gone" || !ids.has(id) || stage !== 3 || redacted.has(oid)) continue;
        const key = `${log.branch}\0${oid}`;
        if (found.has(key) || !parseDocumentName(name)) continue;
        found.set(key, {
          oid,
          id,
          handle: oid.slice(0, 7),
          state: folder === "acked" || folder === "inbox" ? "acked" : "closed",
          branch: log.branch,
          writer: log.writer,
          ref: before,
          path: `${folder}/${name}`,
          headline: null,
          document: null,
          bytes: null,
        });
      }
    }
  }
  const items = [...found.values()];
  const documents = await readDocuments(
    port,
    items.map(({ oid }) => oid),
  );
  return items.flatMap((item) => {
    const read = documents.get(item.oid);
    return read ? [{ ...item, document: read.document, bytes: read.bytes }] : [];
  });
}

/** Blobs that somebody redacted: they must come from nobody's history, neither to be shown nor to be sent. */
export async function readRedacted(port: StoragePort): Promise<Set<string>> {
  const logs = await logsOf(port, null);
  const commits = await readCommits(
    port,
    logs.map(({ tip }) => tip),
  );
  const redacting = redactionsOf(logs, commits);
  return redactedBy(redacting, await statesAt(port, redacting.flatMap(commitsOf)));
}

/** A commit that redacts, and what it stands on: one commit or none. */
interface Redaction {
  commit: string;
  before: readonly string[];
}

function commitsOf({ commit, before }: Redaction): string[] {
  return [commit, ...before];
}

function redactionsOf(logs: readonly Log[], commits: CommitMap): Redaction[] {
  const found: Redaction[] = [];
  for (const oid of new Set(logs.flatMap(({ tip }) => chainOf(commits, tip).oids))) {
    const commit = commits.get(oid);
    if (!commit || parseMessage(commit.message).event !== "redact") continue;
    found.push({ commit: oid, before: commit.parents.slice(0, 1) });
  }
  return found;
}

/** Which blobs: a redaction names none, and says by what it adds to `gone/`. */
function redactedBy(redacting: readonly Redaction[], states: ReadonlyMap<string, Log>): Set<string> {
  const redacted = new Set<string>();
  for (const { commit, before } of redacting) {
    const earlier = new Set(before.flatMap((oid) => [...goneIn(states.get(oid))]));
    for (const oid of goneIn(states.get(commit))) if (!earlier.has(oid)) redacted.add(oid);
  }
  return redacted;
}

/** The state that each of these commits of logs holds. */
export async function statesAt(port: StoragePort, commits: readonly string[]): Promise<Map<string, Log>> {
  // A log's reader takes refs; any name of a log's form serves, as only the tip is looked at.
  const refs = [...new Set(commits)].map((oid) => ({ name: "refs/handoff/HEAD/history-000000", oid }));
  const { logs } = await readLogs(port, refs);
  return new Map(logs.map((log) => [log.tip, log]));
}

/** Blobs that a log calls gone. */
export function goneIn(log: Log | undefined): Set<string> {
  return new Set((log?.folders.get("gone")?.entries ?? []).map(({ oid }) => oid));
}
