/** Sends this clone's own logs, and the sent refs it passes on, to a remote. Never forces. */
import { setTimeout as sleep } from "node:timers/promises";
import { FatalError } from "../errors.js";
import type { Ref } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { compareTips, fastForward, type NewWriter, takeNewWriter } from "../store/collision.js";
import { parseRefName, REPOSITORY_BRANCH, trackingRefName } from "../store/names.js";
import { writerId } from "../store/writer.js";
import { fetchRefs } from "./fetch.js";
import { gitReason, listRemote, type Network, runNetwork } from "./network.js";
import { type PushedRef, parsePushed } from "./porcelain.js";
import { pushCommand } from "./push-command.js";
import { retireSent } from "./retire.js";

export interface Pushed {
  remote: string;
  refs: PushedRef[];
  /** Set when another clone turned out to have this one's writer id. */
  newWriter: NewWriter | null;
  warnings: string[];
}

/** Refs in one push at most: hosts fail on more, and a bad one holds up few others. */
const CHUNK = 100;
/** Tries beside a remote that moves. */
const TRIES = 8;

/** Refused for good: the server's policy, not a race. */
const FINAL =
  /hook declined|hidden ref|unpacker error|not allowed|denied|protected|shallow update|too large|quota/i;

/**
 * Pushes the current branch's refs and the repository's own, or all. Throws FatalError when the remote cannot be
 * reached; what it refuses is in the result.
 */
export async function pushHandoffs(
  repository: Repository,
  remote: string,
  options: { all: boolean; network: Network },
): Promise<Pushed> {
  const { network } = options;
  const result: Pushed = { remote, refs: [], newWriter: null, warnings: [] };
  const done = new Map<string, PushedRef>();
  for (let attempt = 0; ; attempt++) {
    const wanted = (await refsToPush(repository, options.all)).filter(
      ({ name }) => done.get(name)?.status !== "rejected",
    );
    const pending = attempt === 0 ? wanted : wanted.filter(({ name }) => !done.has(name));
    const refused = await pushAll(repository, remote, pending, network, done);
    if (refused.length === 0) break;
    if (attempt + 1 >= TRIES || Date.now() > network.deadline) {
      for (const ref of refused) done.set(ref.ref, ref);
      break;
    }
    const outcome = await settle(repository, remote, refused, network, done);
    if (outcome) result.newWriter = outcome;
    if (attempt > 0) await sleep(Math.min(2_000, 50 * 2 ** attempt) * (0.5 + Math.random()));
  }
  result.refs = [...done.values()];
  await confirm(repository, remote, result, network);
  const there = result.refs.filter(({ status }) => status !== "rejected").map(({ ref }) => ref);
  result.refs.push(...(await retireSent(repository, remote, new Set(there), network)));
  return result;
}

/** Own logs of the branches asked for, and documents others delivered here, which are passed on as they are. */
async function refsToPush(repository: Repository, all: boolean): Promise<Ref[]> {
  const port = repository.port();
  const own = await writerId(port, { create: false });
  const { branch } = await repository.head();
  const wanted = new Set([REPOSITORY_BRANCH, ...(branch === null ? [] : [branch])]);
  return (await port.refs(["refs/handoff/"])).filter(({ name }) => {
    const log = parseRefName(name);
    if (!log || (!all && !wanted.has(log.branch))) return false;
    return log.handle !== null || log.writer === own;
  });
}

/** Pushes in chunks; what is settled goes to `done`, what was refused is returned. */
async function pushAll(
  repository: Repository,
  remote: string,
  refs: readonly Ref[],
  network: Network,
  done: Map<string, PushedRef>,
): Promise<PushedRef[]> {
  const refused: PushedRef[] = [];
  for (let at = 0; at < refs.length; at += CHUNK) {
    const chunk = refs.slice(at, at + CHUNK);
    // By id: what was read is what is sent, whatever is written meanwhile.
    const refspecs = chunk.map(({ name, oid }) => `${oid}:${name}`);
    const answer = await runNetwork(repository, network, [...pushCommand(remote), "--", remote, ...refspecs]);
    const pushed = parsePushed(answer.stdout.toString("utf8"));
    if (pushed.length === 0)
      throw new FatalError(`cannot push to '${remote}': ${gitReason(answer, "git push failed")}`);
    for (const ref of pushed) {
      if (ref.status === "rejected") refused.push(ref);
      else done.set(ref.ref, ref);
    }
    if (refused.length > 0 && refused.every(isFinal)) {
      // Policy: the rest would be refused as well.
      for (const { name } of refs.slice(at + CHUNK))
        refused.push({
          ref: name,
          status: "rejected",
          summary: "[not tried]",
          reason: refused[0]?.reason ?? null,
        });
      break;
    }
  }
  return refused;
}

function isFinal({ reason }: PushedRef): boolean {
  return reason !== null && FINAL.test(reason);
}

/**
 * A refusal is a race, a restored backup, or another clone with our writer id; how the two tips are related tells
 * which. What is final goes to `done`; what is not is tried again.
 */
async function settle(
  repository: Repository,
  remote: string,
  refused: readonly PushedRef[],
  network: Network,
  done: Map<string, PushedRef>,
): Promise<NewWriter | null> {
  const port = repository.port();
  for (const ref of refused) if (isFinal(ref)) done.set(ref.ref, ref);
  const open = refused.filter((ref) => !isFinal(ref));
  if (open.length === 0) return null;
  const there = await listRemote(
    repository,
    network,
    remote,
    open.map(({ ref }) => ref),
  );
  const present = open.filter(({ ref }) => there.has(ref));
  if (present.length > 0) {
    const refspecs = present.map(({ ref }) => `+${ref}:${trackingRefName(ref, remote)}`);
    await fetchRefs(repository, remote, refspecs, network, []);
  }
  const ours = new Map((await port.refs(["refs/handoff/"])).map(({ name, oid }) => [name, oid]));
  let collision = false;
  for (const ref of present) {
    const mine = ours.get(ref.ref);
    const theirs = there.get(ref.ref);
    if (!mine || !theirs) continue;
    if (parseRefName(ref.ref)?.handle) {
      // A sent ref never changes: another one of its name is somebody else's and stays.
      done.set(
        ref.ref,
        mine === theirs
          ? { ...ref, status: "up-to-date", reason: null }
          : { ...ref, reason: "another document has this name there" },
      );
      continue;
    }
    const relation = await compareTips(port, mine, theirs);
    if (relation === "fast-forward") await fastForward(port, ref.ref, mine, theirs);
    else if (relation === "collision") collision = true;
    else if (relation === "redacted")
      done.set(ref.ref, { ...ref, reason: "redacted here and not yet there: run git handoff redact again" });
    else if (relation === "unknown")
      done.set(ref.ref, { ...ref, reason: "its history is not complete here: run git fetch --unshallow" });
  }
  return collision ? takeNewWriter(port) : null;
}

/** Success is what the remote lists, not what it answered. */
async function confirm(
  repository: Repository,
  remote: string,
  result: Pushed,
  network: Network,
): Promise<void> {
  const sent = result.refs.filter(({ status }) => status === "new" || status === "updated");
  if (sent.length === 0) return;
  const there = await listRemote(repository, network, remote, sent.map(({ ref }) => ref).slice(0, CHUNK));
  for (const ref of sent.slice(0, CHUNK)) {
    if (there.has(ref.ref)) continue;
    ref.status = "rejected";
    ref.reason = "the remote does not list it";
  }
}
