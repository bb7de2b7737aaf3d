/** Brings other people's logs into the tracking refs. */
import { FatalError } from "../errors.js";
import type { Ref } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { encodeRemote, parseRefName, trackingRefName } from "../store/names.js";
import { gitReason, listRemote, type Network, runNetwork } from "./network.js";
import { fetchRefspec, refspecProblems } from "./refspec.js";

export interface FetchedRef {
  /** The tracking ref. */
  ref: string;
  from: string | null;
  to: string | null;
  status: "new" | "updated" | "removed";
}

export interface Fetched {
  remote: string;
  refs: FetchedRef[];
  warnings: string[];
}

/** Nothing but the named refs: no tags, no FETCH_HEAD, no submodules, no maintenance, nothing pruned. */
const FETCH = [
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--recurse-submodules=no",
  "--no-auto-maintenance",
  "--no-write-commit-graph",
  "--no-prune",
];

/**
 * Fetches every handoff ref of a remote. In a partial clone the documents come too, also those that an earlier
 * plain fetch left out. Sent refs that the remote no longer has are removed here, nothing else ever is.
 * Throws FatalError when the remote cannot be reached.
 */
export async function fetchHandoffs(
  repository: Repository,
  remote: string,
  network: Network,
): Promise<Fetched> {
  const config = await repository.config();
  const remotes = await repository.remotes();
  const warnings = refspecProblems(
    config,
    remotes.map(({ name }) => name),
  );
  const before = await trackingRefs(repository, remote);
  await fetchRefs(repository, remote, [fetchRefspec(remote)], network, []);
  if (repository.info.partial && (await documentsMissing(repository, remote))) {
    await fetchRefs(repository, remote, [fetchRefspec(remote)], network, ["--refetch"]);
  }
  await removeVanished(repository, remote, network);
  return { remote, refs: difference(before, await trackingRefs(repository, remote)), warnings };
}

/** One fetch of these refspecs into tracking refs. Throws FatalError. */
export async function fetchRefs(
  repository: Repository,
  remote: string,
  refspecs: readonly string[],
  network: Network,
  options: readonly string[],
): Promise<void> {
  const filter = repository.info.partial ? ["--no-filter"] : [];
  const result = await runNetwork(repository, network, [
    ...FETCH,
    ...filter,
    ...options,
    "--",
    remote,
    ...refspecs,
  ]);
  if (result.code !== 0)
    throw new FatalError(`cannot fetch from '${remote}': ${gitReason(result, "git fetch failed")}`);
}

/** Tracking refs of this remote, by name. */
export async function trackingRefs(repository: Repository, remote: string): Promise<Map<string, string>> {
  const refs = await repository.port().refs(["refs/handoff-remotes/"]);
  const own = refs.filter(({ name }: Ref) => name.endsWith(`/${encodeRemote(remote)}`));
  return new Map(own.map(({ name, oid }) => [name, oid]));
}

async function documentsMissing(repository: Repository, remote: string): Promise<boolean> {
  const tips = [...(await trackingRefs(repository, remote)).values()];
  if (tips.length === 0) return false;
  const result = await repository.safe(["rev-list", "--objects", "--missing=print", "--no-walk", "--stdin"], {
    input: `${tips.join("\n")}\n`,
  });
  return result.stdout
    .toString("utf8")
    .split("\n")
    .some((line) => line.startsWith("?"));
}

/**
 * A sent ref is deleted on the remote once its document is acknowledged; its copy here goes with it. A log that
 * is absent there is never taken for deleted.
 */
async function removeVanished(repository: Repository, remote: string, network: Network): Promise<void> {
  const sent = [...(await trackingRefs(repository, remote))].filter(([name]) => parseRefName(name)?.handle);
  if (sent.length === 0) return;
  const there = await listRemote(repository, network, remote, ["refs/handoff/*"]);
  const kept = new Set([...there.keys()].map((ref) => trackingRefName(ref, remote)));
  const updates = sent.filter(([name]) => !kept.has(name)).map(([ref, from]) => ({ ref, from, to: null }));
  if (updates.length > 0) await repository.port().updateRefs(updates, "handoff: gone from the remote");
}

function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FetchedRef[] {
  const changed: FetchedRef[] = [];
  for (const [ref, to] of after) {
    const from = before.get(ref) ?? null;
    if (from !== to) changed.push({ ref, from, to, status: from === null ? "new" : "updated" });
  }
  for (const [ref, from] of before)
    if (!after.has(ref)) changed.push({ ref, from, to: null, status: "removed" });
  return changed;
}
