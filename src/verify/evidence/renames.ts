/** Where a file that is missing went, if git can tell within two processes and a few for the documents' commits. */

import { type Budget, ifTooFar } from "../budget.js";
import type { Facts } from "../facts.js";
import { parseRecordedCommit } from "../freshness/written-at.js";

export interface MissingPath {
  path: string;
  /** Blob id of the whole file when it was written down; null for lines and where none was. */
  oid: string | null;
  /** The document's `git`. */
  since: string | undefined;
}

/** Documents' commits that are compared with HEAD. */
const MAX_COMMITS = 3;
/** Milliseconds. */
const MAX_TIME = 1000;

export interface Listing {
  /** Blob id → paths, of the commit or of the index (which knows a rename that is not committed yet). */
  places: Map<string, string[]>;
  /** Path → blob id of files that a sparse checkout leaves out of the work tree. */
  sparse: Map<string, string>;
}

/** What git has under its paths: one process. */
export async function listPaths(facts: Facts, budget: Budget): Promise<Listing> {
  const listing: Listing = { places: new Map(), sparse: new Map() };
  const answer = await budget
    .part(MAX_TIME)
    .ask(
      facts.commit === null
        ? ["ls-files", "-z", "-t", "-s"]
        : ["ls-tree", "-r", "-z", "--full-tree", facts.commit],
    )
    .catch(ifTooFar(null));
  for (const row of answer?.code === 0 ? answer.stdout.toString("utf8").split("\0") : []) {
    const [, tag, oid, path] = /^(?:(.) )?\d+ (?:\w+ )??([0-9a-f]{40,64})(?: \d)?\t(.*)$/s.exec(row) ?? [];
    if (oid === undefined || path === undefined) continue;
    listing.places.set(oid, [...(listing.places.get(oid) ?? []), path]);
    if (tag === "S") listing.sparse.set(path, oid);
  }
  return listing;
}

/** Old path → new path; a process for each of at most three documents' commits. */
export async function findRenames(
  missing: readonly MissingPath[],
  listing: Listing,
  facts: Facts,
  budget: Budget,
): Promise<Map<string, string>> {
  const limit = budget.part(MAX_TIME);
  const found = new Map<string, string>();
  const commits = new Set(
    missing.flatMap(({ since }) => {
      const recorded = parseRecordedCommit(since ?? "");
      return recorded.kind === "commit" ? [recorded.id] : [];
    }),
  );
  for (const commit of [...commits].slice(0, MAX_COMMITS)) {
    const renames = await renamesSince(commit, facts, limit).catch(ifTooFar([]));
    for (const { path } of missing) {
      const to = found.has(path) ? undefined : follow(path, renames);
      if (to !== undefined) found.set(path, to);
    }
  }
  for (const { path, oid } of missing) {
    const to = found.has(path) ? undefined : likeliest(path, listing.places.get(oid ?? "") ?? []);
    if (to !== undefined) found.set(path, to);
  }
  return found;
}

async function renamesSince(commit: string, facts: Facts, budget: Budget): Promise<[string, string][]> {
  const now = facts.commit ?? facts.head;
  if (now === null || now === commit) return [];
  const answer = await budget.ask([
    ...["diff-tree", "-r", "-z", "--raw", "-M", "-l1000", "--diff-filter=R"],
    ...["--no-ext-diff", "--no-textconv", "--no-color", "--end-of-options", commit, now],
  ]);
  if (answer.code !== 0) return [];
  const words = answer.stdout.toString("utf8").split("\0");
  const renames: [string, string][] = [];
  for (let at = 0; at + 2 < words.length; at += 3) renames.push([words[at + 1] ?? "", words[at + 2] ?? ""]);
  return renames;
}

/** A file by its own rename, a folder by where the files below it went, if all went to one place. */
function follow(path: string, renames: readonly [string, string][]): string | undefined {
  const own = renames.find(([from]) => from === path);
  if (own) return own[1];
  const targets = new Set(
    renames.flatMap(([from, to]) => {
      const rest = from.slice(path.length);
      return from.startsWith(`${path}/`) ? [to.endsWith(rest) ? to.slice(0, -rest.length) : ""] : [];
    }),
  );
  const [target] = targets;
  return targets.size === 1 && target ? target : undefined;
}

/** Among files of the same content the one of the same name; none where several would do. */
function likeliest(path: string, places: readonly string[]): string | undefined {
  const others = places.filter((place) => place !== path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const named = others.filter((place) => place.endsWith(`/${name}`) || place === name);
  const candidates = named.length > 0 ? named : others;
  return candidates.length === 1 ? candidates[0] : undefined;
}
