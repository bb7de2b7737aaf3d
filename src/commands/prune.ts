/** `git handoff prune`: old closed and acknowledged documents leave the tips. Shows only, unless `--force`. */
import { oneLine } from "../document/strip.js";
import type { Repository } from "../git/repository.js";
import { deleteRefs } from "../store/delete-refs.js";
import { parseRefName, REPOSITORY_BRANCH, trackingRefName } from "../store/names.js";
import { type PrunePlan, planPrune, prune } from "../store/prune.js";
import { fetchHandoffs } from "../sync/fetch.js";
import { listRemote, type Network } from "../sync/network.js";
import type { PushedRef } from "../sync/porcelain.js";
import { updateRemote } from "../sync/replace.js";
import { openForNetwork, type Run, warn, writeJson } from "./context.js";
import { networkOf } from "./transfer.js";

/** Days. */
const OLDER_THAN = 90;
/** Milliseconds. */
const DAY = 86_400_000;

export const run: Run = async (args, context) => {
  const repository = await openForNetwork(context);
  const olderThan = typeof args["older-than"] === "number" ? args["older-than"] : OLDER_THAN;
  const dry = args.force !== true || args["dry-run"] === true;
  const network = networkOf(context);
  const port = repository.port();
  const remotes = (await repository.remotes()).map(({ name }) => name);
  // What no fetch has brought cannot be spared, so each remote is asked first; a dry run stays off the network.
  if (!dry) for (const remote of remotes) await fetchHandoffs(repository, remote, network);
  const asked = !dry || remotes.length === 0;
  const goneBranches = asked ? await goneOf(repository, remotes, network) : new Set<string>();
  const options = { olderThan, now: context.now(), goneBranches };
  const done = dry ? { ...(await planPrune(port, options)), commits: [] } : await prune(port, options);
  const deleted = dry ? [] : await deleteThere(repository, done, network);
  const refused = deleted.filter(({ status }) => status === "rejected");
  const warnings = refused.map(({ ref, reason, summary }) => `${ref}: ${reason ?? summary}`);
  if (args.json === true) {
    const { documents, settled, kept, refs, commits } = done;
    const remote_refs = done.remoteRefs;
    writeJson(context, {
      dry_run: dry,
      older_than: olderThan,
      documents,
      settled,
      kept,
      refs,
      remote_refs,
      commits,
      warnings,
    });
  } else {
    warn(context, warnings.map(oneLine));
    context.stdout.write(draw(done, { dry, alone: remotes.length === 0, now: context.now() }));
    if (dry && done.documents.length + done.refs.length + done.remoteRefs.length > 0)
      context.stderr.write(
        "Nothing was changed; git handoff prune --force does it, after fetching every remote.\n",
      );
  }
  return refused.length > 0 ? 1 : 0;
};

/** Branches that have a log but are neither here nor on any remote. Throws FatalError when one cannot be asked. */
async function goneOf(
  repository: Repository,
  remotes: readonly string[],
  network: Network,
): Promise<Set<string>> {
  const refs = await repository.port().refs(["refs/handoff/**"]);
  const logged = new Set(refs.flatMap(({ name }) => parseRefName(name)?.branch ?? []));
  logged.delete(REPOSITORY_BRANCH);
  const branch = await repository.branch();
  if (branch !== null) logged.delete(branch);
  for (const { name } of await repository.branches()) logged.delete(name);
  for (const remote of remotes) {
    if (logged.size === 0) break;
    const heads = await listRemote(repository, network, remote, ["refs/heads/*"]);
    for (const ref of heads.keys()) logged.delete(ref.replace(/^refs\/heads\//, ""));
  }
  return logged;
}

async function deleteThere(
  repository: Repository,
  { remoteRefs }: PrunePlan,
  network: Network,
): Promise<PushedRef[]> {
  const results: PushedRef[] = [];
  for (const remote of new Set(remoteRefs.map((each) => each.remote))) {
    const planned = remoteRefs.filter((each) => each.remote === remote);
    const updates = planned.map(({ ref, oid }) => ({ ref, from: oid, to: null }));
    const pushed = await goneAnyway(
      repository,
      remote,
      network,
      await updateRemote(repository, remote, network, updates),
    );
    results.push(...pushed);
    // A fetch never takes a log that is absent there for deleted; this one is known to be.
    const gone = planned.filter(({ ref }) =>
      pushed.some((each) => each.ref === ref && each.status === "deleted"),
    );
    const copies = gone.map(({ ref, oid }) => ({ name: trackingRefName(ref, remote), oid }));
    await deleteRefs(repository.port(), copies, "handoff: prune");
  }
  return results;
}

/** A deletion is refused too where somebody else was quicker with it. */
async function goneAnyway(
  repository: Repository,
  remote: string,
  network: Network,
  pushed: readonly PushedRef[],
): Promise<PushedRef[]> {
  const refused = pushed.filter(({ status }) => status === "rejected").map(({ ref }) => ref);
  if (refused.length === 0) return [...pushed];
  const there = await listRemote(repository, network, remote, refused);
  return pushed.map((each) =>
    each.status === "rejected" && !there.has(each.ref) ? { ...each, status: "deleted", reason: null } : each,
  );
}

function draw(plan: PrunePlan, { dry, alone, now }: { dry: boolean; alone: boolean; now: Date }): string {
  const drop = dry ? "would drop" : "dropped";
  const remove = dry ? "would delete" : "deleted";
  const lines = [
    ...plan.documents.map(({ id, branch }) => `${drop} ${id} (${branch})`),
    ...plan.refs.flatMap(({ name, why, ended }) => [
      `${remove} ${name} (${why})`,
      ...(alone ? [] : unseen(ended, now)),
    ]),
    ...plan.remoteRefs.map(({ remote, ref, why }) => `${remove} ${ref} on ${remote} (${why})`),
    ...plan.kept.map(({ id, branch, why }) => `kept ${id} (${branch}): ${why}`),
  ];
  return lines.length === 0 ? "Nothing to prune.\n" : `${lines.map(safeLine).join("\n")}\n`;
}

/** Keeps what sets a line in. */
function safeLine(line: string): string {
  return (/^ */.exec(line)?.[0] ?? "") + oneLine(line);
}

/**
 * The close goes with its log, and that a log is absent on a remote tells nobody anything: only the age makes sure
 * that everybody has fetched the close before. Who gives a lower one than usual is told.
 */
function unseen(ended: Date | null, now: Date): string[] {
  if (ended === null || now.getTime() - ended.getTime() >= OLDER_THAN * DAY) return [];
  const day = ended.toISOString().slice(0, 10);
  return [`  closed ${day}: whoever has not fetched since goes on seeing it as open`];
}
