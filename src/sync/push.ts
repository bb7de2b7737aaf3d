/** Sends this clone's own logs, and the sent refs it passes on, to a remote. Never forces. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Ref } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { finishNewWriter, type NewWriter } from "../store/collision.js";
import { allRefPatterns, parseRefName, REPOSITORY_BRANCH } from "../store/names.js";
import { FORMER_KEY, writerId } from "../store/writer.js";
import { listRemote, type Network, remoteWords, unanswered } from "./network.js";
import { isRace, type PushedRef } from "./porcelain.js";
import { runPush } from "./push-command.js";
import { pushAddresses } from "./remote.js";
import { acknowledgedRefs, retireSent } from "./retire.js";
import { settleRefused } from "./settle.js";
import { withheld } from "./withhold.js";

export interface Pushed {
  remote: string;
  refs: PushedRef[];
  /** Set when another clone turned out to have this one's writer id. */
  newWriter: NewWriter | null;
  /** The remote's own lines, e.g. why its hook refuses. */
  said: string[];
}

/** Refs in one push at most: hosts fail on more, and a bad one holds up few others. */
const CHUNK = 100;
/** Tries beside a remote that moves. */
const TRIES = 10;
/** Milliseconds; pauses double up to this. */
const LONGEST_PAUSE = 2_000;

interface Target {
  remote: string;
  /** Its name, or one of the URLs it pushes to. */
  address: string;
  all: boolean;
  network: Network;
}

/**
 * Pushes the current branch's refs and the repository's own, or all. Throws FatalError when the remote cannot be
 * reached; what it refuses is in the result.
 */
export async function pushHandoffs(
  repository: Repository,
  remote: string,
  options: { all: boolean; network: Network },
): Promise<Pushed> {
  const result: Pushed = { remote, refs: [], newWriter: null, said: [] };
  const former = (await repository.config()).getAll(FORMER_KEY, "local");
  if (former.length > 0) await finishNewWriter(repository.port(), former);
  let delivered = false;
  for (const address of await pushAddresses(repository, remote)) {
    const { refs, known } = await pushTo(repository, { ...options, remote, address }, result);
    result.refs = worst([...result.refs, ...refs]);
    delivered ||= known.some(({ name }) => parseRefName(name)?.handle);
  }
  if (!delivered) return result;
  const there = result.refs.filter(({ status }) => status !== "rejected").map(({ ref }) => ref);
  result.refs.push(...(await retireSent(repository, remote, new Set(there), options.network)));
  return result;
}

/** What became of each ref, and the refs that are known of the branches asked for. */
async function pushTo(
  repository: Repository,
  target: Target,
  result: Pushed,
): Promise<{ refs: PushedRef[]; known: Ref[] }> {
  const { network } = target;
  const done = new Map<string, PushedRef>();
  const sent = new Map<string, string>();
  let all: Ref[] = [];
  for (let attempt = 1; ; attempt++) {
    const { refs, known } = await refsToPush(repository, target.all);
    all = known;
    const left = refs.filter(({ name }) => !done.has(name));
    const kept = await withheld(repository, target.remote, left, known);
    for (const [name, reason] of kept) done.set(name, notSent(name, reason));
    const pending = left.filter(({ name }) => !kept.has(name));
    const refused = await pushAll(repository, target, pending, { done, sent, said: result.said });
    if (refused.length === 0) break;
    if (attempt >= TRIES || Date.now() > network.deadline) {
      for (const ref of refused)
        done.set(ref.ref, { ...ref, reason: `${ref.reason}, ${attempt} times in a row` });
      break;
    }
    const settled = await settleRefused(repository, target, refused, network);
    for (const ref of settled.done) done.set(ref.ref, ref);
    result.newWriter = settled.newWriter ?? result.newWriter;
    if (attempt > 1) await sleep(pause(attempt, network));
  }
  await confirm(repository, target, done, sent);
  return { refs: [...done.values()], known: all };
}

function pause(attempt: number, { deadline }: Network): number {
  const wanted = Math.min(LONGEST_PAUSE, 50 * 2 ** attempt) * (0.5 + Math.random());
  return Math.max(0, Math.min(wanted, deadline - Date.now()));
}

/**
 * Own logs of the branches asked for, and documents that others delivered here and nobody has acknowledged,
 * which are passed on as they are; and all that is known of these branches.
 */
async function refsToPush(repository: Repository, all: boolean): Promise<{ refs: Ref[]; known: Ref[] }> {
  const port = repository.port();
  const own = await writerId(port, { create: false });
  const branch = await repository.branch();
  const wanted = new Set([REPOSITORY_BRANCH, ...(branch === null ? [] : [branch])]);
  const known = (await port.refs(allRefPatterns())).flatMap((ref) => {
    const log = parseRefName(ref.name);
    return log && (all || wanted.has(log.branch)) ? [{ ...ref, log }] : [];
  });
  const local = known.filter(({ log }) => log.remote === null);
  const delivered = local.filter(({ log }) => log.handle !== null);
  const over = delivered.length === 0 ? new Set() : await acknowledgedRefs(port);
  const refs = local
    .filter(({ name, log }) => (log.handle === null ? log.writer === own : !over.has(name)))
    .map(({ name, oid }) => ({ name, oid }));
  return { refs, known };
}

interface Progress {
  done: Map<string, PushedRef>;
  /** What was sent under each name. */
  sent: Map<string, string>;
  said: string[];
}

/**
 * Pushes in chunks; what is settled goes to `done`, what was refused by a race is returned. A ref that cannot be
 * read here fails its whole chunk, which is halved until that one is alone.
 */
async function pushAll(
  repository: Repository,
  { remote, address, network }: Target,
  refs: readonly Ref[],
  { done, sent, said }: Progress,
): Promise<PushedRef[]> {
  const refused: PushedRef[] = [];
  const waiting = chunksOf(refs, CHUNK);
  for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
    // By id: what was read is what is sent, whatever is written meanwhile.
    const refspecs = chunk.map(({ name, oid }) => `${oid}:${name}`);
    const answer = await runPush(repository, network, { to: address, refspecs });
    if (answer.broken !== null && chunk.length > 1) {
      waiting.unshift(...chunksOf(chunk, Math.ceil(chunk.length / 2)));
      continue;
    }
    if (answer.broken !== null) {
      for (const { name } of chunk) done.set(name, notSent(name, `damaged here: ${answer.broken}`));
      continue;
    }
    if (answer.refs.length === 0) throw unanswered(remote, answer.result, "git push failed");
    for (const { name, oid } of chunk) sent.set(name, oid);
    for (const ref of answer.refs) {
      if (isRace(ref)) refused.push(ref);
      else done.set(ref.ref, ref);
    }
    const final = answer.refs.filter((ref) => ref.status === "rejected" && !isRace(ref));
    if (final.length > 0) said.push(...remoteWords(answer.result).filter((line) => !said.includes(line)));
    // Where everything was refused for good the rest would be as well.
    if (final.length < answer.refs.length) continue;
    for (const { name } of waiting.splice(0).flat()) done.set(name, notSent(name, final[0]?.reason ?? null));
  }
  return refused;
}

function chunksOf(refs: readonly Ref[], size: number): Ref[][] {
  const chunks: Ref[][] = [];
  for (let at = 0; at < refs.length; at += size) chunks.push(refs.slice(at, at + size));
  return chunks;
}

function notSent(ref: string, reason: string | null): PushedRef {
  return { ref, status: "rejected", summary: "[not sent]", reason };
}

/** Success is what the remote lists, not what it answered. */
async function confirm(
  repository: Repository,
  { address, network }: Target,
  done: ReadonlyMap<string, PushedRef>,
  sent: ReadonlyMap<string, string>,
): Promise<void> {
  const claimed = [...done.values()].filter(({ status }) => status === "new" || status === "updated");
  if (claimed.length === 0) return;
  const there = await listRemote(repository, network, address, ["refs/handoff/*"]);
  const missing = claimed.filter(({ ref }) => there.get(ref) !== sent.get(ref));
  if (missing.length === 0) return;
  // A worktree of this clone may have pushed more in between.
  const now = new Map((await repository.port().refs(["refs/handoff/"])).map(({ name, oid }) => [name, oid]));
  for (const ref of missing) {
    const value = there.get(ref.ref);
    if (value !== undefined && value === now.get(ref.ref)) continue;
    ref.status = "rejected";
    ref.reason =
      value === undefined ? "the remote does not list it" : "the remote lists another value for it";
  }
}

/** One line a ref where several places were pushed to: what one of them refused is not there. */
function worst(refs: readonly PushedRef[]): PushedRef[] {
  const order: PushedRef["status"][] = ["up-to-date", "deleted", "updated", "new", "rejected"];
  const byRef = new Map<string, PushedRef>();
  for (const ref of refs) {
    const before = byRef.get(ref.ref);
    if (!before || order.indexOf(ref.status) > order.indexOf(before.status)) byRef.set(ref.ref, ref);
  }
  return [...byRef.values()];
}
