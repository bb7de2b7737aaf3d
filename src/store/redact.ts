/** A wrong secret got in: taking one document out of this writer's logs and out of their history. */
import { FatalError } from "../errors.js";
import { encodeCommit, hashObject } from "../git/object.js";
import type { GitObject, RefUpdate, StoragePort } from "../git/port.js";
import { type BranchLogs, readAllBranches, readAllLogs } from "./branch.js";
import { type CommitMap, chainOf, readCommits } from "./commits.js";
import { goneIn, statesAt } from "./history.js";
import { readAllViews } from "./join.js";
import type { Log } from "./log.js";
import { LogState } from "./log-state.js";
import { countHandoffs, formatMessage, parseMessage } from "./message.js";
import { refName } from "./names.js";
import { ensurePresent, ownLog, retried, signaturesOf } from "./record.js";
import type { EventName, Item } from "./types.js";
import { FOLDERS } from "./types.js";
import { writerId } from "./writer.js";

export interface Redaction {
  /** Logs of this writer that were rewritten; `from` is null for one made new. */
  rewritten: { ref: string; from: string | null; to: string }[];
  /** Refs that still hold the document: other writers', other remotes', sent ones. */
  copies: string[];
  /** Ids of other documents whose text names this one. */
  mentionedBy: string[];
  /** False when the engine cannot expire reflogs: the old commits are still named there. */
  reflogsExpired: boolean;
}

/** `id` is empty where nothing but the blob's is known any more: events name it by its handle too. */
export type Redacted = Pick<Item, "oid" | "id" | "branch">;

/**
 * Rewrites this writer's logs from a new root without the document: its blob, its id, and the subjects,
 * reasons and trailers of its events; then `gone/` keeps every copy from being shown. Every other event stays
 * as it was. With `heldOnly` only logs whose history has it: another writer has called it gone already.
 * Local part; replacing the remote's refs is the caller's.
 */
export async function redactItem(
  port: StoragePort,
  redact: { item: Redacted; heldOnly?: boolean; now?: Date },
): Promise<Redaction> {
  const { item, heldOnly = false } = redact;
  const rewritten = await retried(() => rewriteLogs(port, item, heldOnly, redact.now ?? new Date()));
  const logs = await readAllLogs(port);
  const mine = new Set(rewritten.map(({ ref }) => ref));
  // Not only now: who was killed between the two comes here again with nothing left to rewrite.
  const own = await writerId(port, { create: false });
  for (const { ref, branch } of logs.filter((log) => goneIn(log).has(item.oid)))
    if (own !== null && ref === refName(branch, own)) await port.expireReflog?.(ref);
  return {
    rewritten,
    copies: logs.filter((log) => !mine.has(log.ref) && holds(log, item.oid)).map(({ ref }) => ref),
    mentionedBy: await mentions(port, item),
    reflogsExpired: port.expireReflog !== undefined,
  };
}

async function rewriteLogs(
  port: StoragePort,
  item: Redacted,
  heldOnly: boolean,
  now: Date,
): Promise<Redaction["rewritten"]> {
  const known = await writerId(port, { create: false });
  if (known === null && heldOnly) return [];
  const writer = known ?? (await writerId(port, { create: true }));
  const all = await readAllBranches(port);
  const own = [...all.values()].flatMap((state) => ownLog(state, writer) ?? []);
  const commits = await readCommits(
    port,
    own.map(({ tip }) => tip),
  );
  const states = await statesAt(port, [...commits.keys()]);
  const objects: GitObject[] = [];
  const rewritten: Redaction["rewritten"] = [];
  for (const branch of new Set([item.branch, ...all.keys()])) {
    const log = own.find((one) => one.branch === branch) ?? null;
    const chain = log ? wholeChain(commits, states, log) : [];
    const held = chain.some((oid) => holds(states.get(oid), item.oid) || names(commits, oid, item));
    // The join of every branch on which the document is known must outvote it.
    const needed = !heldOnly && (branch === item.branch || all.get(branch)?.joined.has(item.oid) === true);
    if (!held && !needed) continue;
    const base = held ? rewriteChain(port, chain, commits, states, item, objects) : (log?.tip ?? null);
    const state = stateAfter(log, all.get(branch), item);
    const { root, objects: parts } = state.encode(port.objectFormat);
    const content = encodeCommit({
      tree: root,
      parents: base === null ? [] : [base],
      ...(await signaturesOf(port, now)),
      message: formatMessage({ event: "redact", about: countHandoffs(1), ids: [] }),
    });
    objects.push(...parts, { type: "commit", content });
    rewritten.push({
      ref: refName(branch, writer),
      from: log?.tip ?? null,
      to: hashObject("commit", content, port.objectFormat),
    });
  }
  if (rewritten.length === 0) return [];
  await port.write(objects);
  const updates = rewritten.map(({ ref, from, to }): RefUpdate => ({ ref, from, to }));
  await port.updateRefs(updates, "handoff: redact");
  await ensurePresent(port, objects);
  return rewritten;
}

/** The log's commits, oldest first. Throws FatalError when one cannot be read: it might hold the document. */
function wholeChain(commits: CommitMap, states: ReadonlyMap<string, Log>, log: Log): string[] {
  const { oids, complete } = chainOf(commits, log.tip);
  if (!complete || oids.some((oid) => !states.has(oid))) {
    throw new FatalError(`cannot rewrite '${log.ref}': a part of its history cannot be read`);
  }
  return oids.reverse();
}

/** The chain again without the document; returns its new tip, null when nothing is left of it. */
function rewriteChain(
  port: StoragePort,
  chain: readonly string[],
  commits: CommitMap,
  states: ReadonlyMap<string, Log>,
  item: Redacted,
  objects: GitObject[],
): string | null {
  let tip: string | null = null;
  let tree: string | null = null;
  for (const oid of chain) {
    const commit = commits.get(oid);
    const state = LogState.of(states.get(oid) ?? null);
    state.remove(item.oid);
    const { root, objects: parts } = state.encode(port.objectFormat);
    const concerned = names(commits, oid, item);
    // An event of this document alone leaves nothing behind.
    if (!commit || (concerned && (root === tree || (tree === null && isEmpty(state))))) continue;
    const content = encodeCommit({
      ...commit,
      tree: root,
      parents: tip === null ? [] : [tip],
      message: concerned ? scrub(commit.message, item) : commit.message,
    });
    objects.push(...parts, { type: "commit", content });
    tip = hashObject("commit", content, port.objectFormat);
    tree = root;
  }
  return tip;
}

function isEmpty(state: LogState): boolean {
  return FOLDERS.every((folder) => state.entries(folder).length === 0);
}

function stateAfter(log: Log | null, logs: BranchLogs | undefined, item: Redacted): LogState {
  const state = LogState.of(log);
  state.settle(logs?.joined ?? new Map());
  state.remove(item.oid);
  state.put(item.oid, "gone", item.oid);
  return state;
}

function holds(log: Log | undefined, oid: string): boolean {
  return FOLDERS.some(
    (folder) => folder !== "gone" && log?.folders.get(folder)?.entries.some((entry) => entry.oid === oid),
  );
}

function isItem(id: string, item: Redacted): boolean {
  return id === item.id || id.endsWith(`-${item.oid.slice(0, 7)}`);
}

/** Does this event name the document? */
function names(commits: CommitMap, oid: string, item: Redacted): boolean {
  const { ids, supersedes } = parseMessage(commits.get(oid)?.message ?? "");
  return [...ids, ...supersedes].some((id) => isItem(id, item));
}

/** An event's message without the document: its own subject and reason go, those of others stay. */
function scrub(message: string, item: Redacted): string {
  const parsed = parseMessage(message);
  const ids = parsed.ids.filter((id) => !isItem(id, item));
  const own = ids.length < parsed.ids.length;
  const event: EventName = parsed.event === "unknown" ? "write" : parsed.event;
  return formatMessage({
    event,
    about: own
      ? ids.length > 0
        ? countHandoffs(ids.length)
        : "(redacted)"
      : parsed.subject.replace(/^[a-z]+: /, ""),
    ids,
    supersedes: parsed.supersedes.filter((id) => !isItem(id, item)),
    reason: own ? null : parsed.reason,
  });
}

/** Other documents that name this one, so that what was carried over can be looked at too. */
async function mentions(port: StoragePort, item: Redacted): Promise<string[]> {
  const views = await readAllViews(port);
  const name = item.id === "" ? `-${item.oid.slice(0, 7)}` : item.id;
  const found = views
    .flatMap(({ items }) => items)
    .filter(({ oid, bytes }) => oid !== item.oid && bytes && Buffer.from(bytes).includes(name))
    .map(({ id }) => id);
  return [...new Set(found)];
}
