/**
 * The two checks of a handoff that came from another repository, never swapped: its origin's commit is asked
 * of the origin alone, the destination's of this repository alone.
 */
import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, normalize } from "node:path";
import type { Origin } from "../document/types.js";
import type { RunGit } from "../git/process.js";
import { Repository } from "../git/repository.js";
import { Budget, ifTooFar } from "./budget.js";
import type { Facts } from "./facts.js";
import { notAncestors, resolveCommits } from "./freshness/ancestry.js";
import { parseRecordedCommit } from "./freshness/written-at.js";
import { checkLineage, type Lineage } from "./freshness.js";
import { commitTree } from "./tree-commit.js";
import { workTree } from "./tree-work.js";
import type { InboxVerdicts } from "./verdict.js";

/** The origin's repository, opened as data; or why it was not. Its predicates and evidence are asked of `facts`. */
export type OpenedOrigin = { facts: Facts; note: null } | { facts: null; note: string };

/** Folders whose files are devices, or come from a network as soon as they are looked at. */
const NO_PLACES = /^\/(?:dev|proc|sys|net)(?:\/|$)/;

/**
 * Opens the repository a document came from, if it is on this machine. `run` is the plain runner (no options
 * of this repository), `env` the user's environment: every GIT_* is cleared. Never throws.
 */
export async function openOrigin(
  from: Origin,
  run: RunGit,
  env: Readonly<Record<string, string | undefined>>,
  limits: Pick<Facts, "hook" | "now" | "maxAge" | "predicateTimeout" | "deadline">,
): Promise<OpenedOrigin> {
  const folder = await localFolder(from.project);
  if (folder === null) return { facts: null, note: "the origin is not on this machine" };
  const outside = Object.entries(env).filter(([key]) => !key.startsWith("GIT_"));
  // Not the repository around a folder that is none.
  const clean = { ...Object.fromEntries(outside), GIT_CEILING_DIRECTORIES: dirname(folder) };
  const bounded: RunGit = (args, options) =>
    run(args, { timeout: Math.max(1, limits.deadline - Date.now()), ...options });
  try {
    const repository = await Repository.open(folder, clean, bounded);
    const { info } = repository;
    // core.worktree may lead elsewhere.
    if ((info.workTree ?? info.gitDir) !== folder) {
      return { facts: null, note: "the origin's folder is no repository of its own" };
    }
    const { oid } = await repository.head();
    const bare = info.workTree === null;
    return {
      facts: {
        tree:
          info.workTree === null
            ? commitTree(repository.safe, oid ?? "")
            : workTree(info.workTree, [info.gitDir, info.commonDir]),
        commit: bare ? oid : null,
        head: oid,
        repository: info,
        git: repository.safe,
        ...limits,
      },
      note: null,
    };
  } catch {
    return { facts: null, note: "the origin's folder is not readable as a repository" };
  }
}

/** Its real path; null for what is no folder of this machine's own disks. */
async function localFolder(project: unknown): Promise<string | null> {
  if (typeof project !== "string" || !isAbsolute(project) || project.includes("\0")) return null;
  // `//host/share`, `\\host\share`.
  if (/^[\\/]{2}/.test(project) || NO_PLACES.test(normalize(project))) return null;
  try {
    const folder = await realpath(project);
    return !NO_PLACES.test(folder) && (await stat(folder)).isDirectory() ? folder : null;
  } catch {
    return null;
  }
}

/** Is `from.git` still on the origin's main line? */
export async function checkOrigin(from: Origin, origin: OpenedOrigin): Promise<InboxVerdicts["origin"]> {
  const [verdict] = await checkOrigins([from], origin);
  return verdict ?? { ancestry: "unchecked", note: null };
}

/**
 * Is each `from.git` still on the main line of the one origin they came from? Asked in the origin alone, in three
 * processes beside those of freshness, whatever the number of documents.
 */
export async function checkOrigins(
  froms: readonly Origin[],
  origin: OpenedOrigin,
): Promise<InboxVerdicts["origin"][]> {
  const { facts } = origin;
  if (facts === null) return froms.map(() => ({ ancestry: "unchecked", note: origin.note }));
  const budget = new Budget(facts.git, facts.deadline);
  const line = await mainLine(facts, budget).catch(ifTooFar(null));
  if (line === null) return froms.map(() => ({ ancestry: "unchecked", note: "out of time" }));
  const lineages = await checkLineage(froms, { ...facts, head: line.oid });
  const off = froms.filter((_, index) => lineages[index]?.ancestry === "diverged").map(({ git }) => git);
  const own = line.name === "HEAD" ? null : await inHead(off, facts, budget).catch(ifTooFar(null));
  return froms.map(({ git }, index) => {
    const lineage = lineages[index];
    if (!lineage) return { ancestry: "unchecked", note: null };
    if (lineage.ancestry !== "diverged") return verdictOf(lineage);
    const note = own?.has(git)
      ? `in the origin's HEAD, not in ${line.name} yet`
      : `not in the origin's ${line.name}`;
    return { ancestry: "diverged", note };
  });
}

function verdictOf({ ancestry, as, note }: Lineage): { ancestry: Lineage["ancestry"]; note: string | null } {
  const notes = [as === null ? null : `now ${as.slice(0, 12)}`, note].filter((each) => each !== null);
  return { ancestry, note: notes.length > 0 ? notes.join("; ") : null };
}

/** Its remote's default branch if known (that of `origin`, or of the only remote that has one), else its HEAD. */
async function mainLine(facts: Facts, budget: Budget): Promise<{ name: string; oid: string | null }> {
  const format = "--format=%(refname)%00%(symref)%00%(objectname)";
  const answer = await budget.ask(["for-each-ref", format, "refs/remotes/*/HEAD", "refs/remotes/*/*/HEAD"]);
  const defaults = answer.stdout
    .toString("utf8")
    .split("\n")
    .map((line) => line.split("\0"))
    .filter(([, target]) => target?.startsWith("refs/remotes/"));
  const chosen =
    defaults.find(([name]) => name === "refs/remotes/origin/HEAD") ??
    (defaults.length === 1 ? defaults[0] : undefined);
  const [, target, oid] = chosen ?? [];
  if (target && oid) return { name: target.slice("refs/remotes/".length), oid };
  return { name: "HEAD", oid: facts.head };
}

/** Which of these are in HEAD's history, by what the documents say. */
async function inHead(gits: readonly string[], facts: Facts, budget: Budget): Promise<Set<string>> {
  const { head } = facts;
  const ids = new Map<string, string>();
  for (const git of gits) {
    const recorded = parseRecordedCommit(git);
    if (recorded.kind === "commit") ids.set(git, recorded.id);
  }
  if (head === null || ids.size === 0) return new Set();
  const resolved = await resolveCommits([...new Set(ids.values())], budget);
  const oids = new Map<string, string>();
  for (const [git, id] of ids) {
    const found = resolved.get(id);
    if (found && "oid" in found) oids.set(git, found.oid);
  }
  const outside = oids.size === 0 ? null : await notAncestors([...new Set(oids.values())], head, budget);
  if (outside === null) return new Set();
  return new Set([...oids].filter(([, oid]) => !outside.has(oid)).map(([git]) => git));
}

/** Branches that are compared in one read. */
const MAX_BRANCHES = 5;

/**
 * Is each `git` an ancestor of the branch it names, if that is here, else of HEAD? One process for the
 * branches, then those of freshness for each distinct tip, at most five.
 */
export async function checkDestination(
  items: readonly { git: string }[],
  facts: Facts,
): Promise<InboxVerdicts["destination"][]> {
  const verdicts = items.map((): InboxVerdicts["destination"] => ({
    ancestry: "unknown",
    note: "not compared: too many branches",
  }));
  const tips = await branchTips(items, facts).catch(ifTooFar(new Map<string, string>()));
  const byTip = new Map<string | null, number[]>();
  for (const [index, { git }] of items.entries()) {
    const recorded = parseRecordedCommit(git);
    const branch = recorded.kind === "commit" ? recorded.branch : null;
    const tip = (branch === null ? undefined : tips.get(branch)) ?? facts.head;
    byTip.set(tip, [...(byTip.get(tip) ?? []), index]);
  }
  for (const [tip, indexes] of [...byTip].slice(0, MAX_BRANCHES)) {
    const some = indexes.map((index) => ({ git: items[index]?.git ?? "unknown" }));
    const lineages = await checkLineage(some, { ...facts, head: tip });
    lineages.forEach((lineage, at) => {
      const index = indexes[at];
      if (index !== undefined) verdicts[index] = verdictOf(lineage);
    });
  }
  return verdicts;
}

async function branchTips(items: readonly { git: string }[], facts: Facts): Promise<Map<string, string>> {
  const names = new Set(
    items.flatMap(({ git }) => {
      const recorded = parseRecordedCommit(git);
      return recorded.kind === "commit" && recorded.branch !== null ? [recorded.branch] : [];
    }),
  );
  const tips = new Map<string, string>();
  if (names.size === 0) return tips;
  const answer = await new Budget(facts.git, facts.deadline).ask([
    "for-each-ref",
    "--format=%(objectname) %(refname)",
    ...[...names].map((name) => `refs/heads/${name}`),
  ]);
  for (const line of answer.stdout.toString("utf8").split("\n")) {
    const name = line.slice(line.indexOf(" ") + 1).replace(/^refs\/heads\//, "");
    // A pattern also matches what is below it.
    if (names.has(name)) tips.set(name, line.slice(0, line.indexOf(" ")));
  }
  return tips;
}
