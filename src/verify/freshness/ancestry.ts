/** Which commits are here, and which of them are in HEAD's history: asked for all documents together. */
import type { Budget } from "../budget.js";

export type Resolved = { oid: string } | { problem: "missing" | "ambiguous" };

/** Full commit ids of what the documents name, in one process. */
export async function resolveCommits(ids: readonly string[], budget: Budget): Promise<Map<string, Resolved>> {
  // Peeled, an abbreviation of a commit and a file is the commit; bare, git says that it is of many.
  const input = ids.map((id) => `${id}^{commit}\n${id}\n`).join("");
  const answer = await budget.ask(["cat-file", "--batch-check=%(objectname) %(objecttype)"], input);
  const lines = answer.stdout.toString("latin1").split("\n");
  const resolved = new Map<string, Resolved>();
  ids.forEach((id, index) => {
    const [peeled = "", bare = ""] = lines.slice(index * 2);
    const oid = /^([0-9a-f]{40,64}) commit$/.exec(peeled)?.[1];
    // A branch may be called like an abbreviated id; git would take the branch.
    if (oid?.startsWith(id)) resolved.set(id, { oid });
    else resolved.set(id, { problem: bare.endsWith(" ambiguous") ? "ambiguous" : "missing" });
  });
  return resolved;
}

/**
 * One commit, one process: commits HEAD has since, or -1 when it is no ancestor.
 * Null when git could not tell (the commit is not here).
 */
export async function countSince(oid: string, head: string, budget: Budget): Promise<number | null> {
  const answer = await budget.ask(["rev-list", "--left-right", "--count", `${oid}...${head}`]);
  const counts = /^(\d+)\t(\d+)/.exec(answer.stdout.toString("latin1"));
  if (answer.code !== 0 || !counts) return null;
  return counts[1] === "0" ? Number(counts[2]) : -1;
}

/**
 * Those of the commits that are not in HEAD's history; null when git could not tell.
 * One id that is not here makes git refuse them all: resolve first.
 */
export async function notAncestors(
  oids: readonly string[],
  head: string,
  budget: Budget,
  options: readonly string[] = [],
): Promise<Set<string> | null> {
  const input = `${oids.join("\n")}\n^${head}\n`;
  const answer = await budget.ask([...options, "rev-list", "--stdin"], input);
  if (answer.code !== 0) return null;
  const listed = new Set(answer.stdout.toString("latin1").split("\n"));
  return new Set(oids.filter((oid) => listed.has(oid)));
}

/**
 * How many commits HEAD has since each of its ancestors, in two processes: what all of them share bounds
 * the part of the history that is listed, and the counting is done here. Null where a shallow clone cuts
 * that part off.
 */
export async function countAllSince(
  ancestors: readonly string[],
  head: string,
  shallow: ReadonlySet<string>,
  budget: Budget,
): Promise<Map<string, number | null>> {
  const bases = await sharedHistory(ancestors, budget);
  const input = [head, ...bases.map((base) => `^${base}`), ""].join("\n");
  const answer = await budget.ask(["rev-list", "--topo-order", "--parents", "--stdin"], input);
  if (answer.code !== 0) return new Map();
  const bit = new Map(ancestors.map((oid, index) => [oid, 1n << BigInt(index)]));
  /** For each commit, which of the ancestors have it in their own history; topological order fills it in. */
  const within = new Map<string, bigint>();
  const commitsWithin = new Map<bigint, number>();
  let cut = false;
  for (const line of answer.stdout.toString("latin1").split("\n")) {
    const [oid, ...parents] = line.split(" ");
    if (!oid) continue;
    if (shallow.has(oid)) cut = true;
    const mask = (within.get(oid) ?? 0n) | (bit.get(oid) ?? 0n);
    within.delete(oid);
    commitsWithin.set(mask, (commitsWithin.get(mask) ?? 0) + 1);
    if (mask === 0n) continue;
    for (const parent of parents) within.set(parent, (within.get(parent) ?? 0n) | mask);
  }
  return new Map(
    ancestors.map((oid, index) => {
      let since = 0;
      for (const [mask, count] of commitsWithin) if (((mask >> BigInt(index)) & 1n) === 0n) since += count;
      return [oid, cut ? null : since];
    }),
  );
}

async function sharedHistory(commits: readonly string[], budget: Budget): Promise<string[]> {
  if (commits.length === 1) return [...commits];
  const answer = await budget.ask(["merge-base", "--octopus", "--all", ...commits]);
  return answer.stdout.toString("latin1").split("\n").filter(Boolean);
}
