/** Looking for a commit's change in HEAD's history: the same patch, the same content, the same authorship. */
import type { Budget } from "../budget.js";
import { byAuthorship } from "./authorship.js";
import { type Change, type Likeness, likeness, parsePatches, parseRaw } from "./change.js";
import { type Changes, DIFF, type HistoryFacts } from "./changes-of.js";
import type { Comparison } from "./comparison.js";
import type { ListedCommit, Sides } from "./sides.js";

/** More paths than this are not given to git by name. */
const MAX_PATHS = 200;
/** Commits whose patch is read beside the commit's own. */
const MAX_CANDIDATES = 200;
/** Paths looked up in candidates' trees. */
const MAX_LOOKUPS = 4000;

/** What the search could not look at: then nothing found does not mean nothing there. */
export interface Gaps {
  /** Contents that are not here. */
  contents: boolean;
  /** More commits or paths than are compared. */
  bounds: boolean;
}

/** Throws TooFarError when the budget ends. */
export async function findRewritten(
  sides: Sides,
  changes: Changes,
  facts: HistoryFacts,
  budget: Budget,
): Promise<{ found: Comparison | null; gaps: Gaps }> {
  const gaps: Gaps = { contents: sides.unmarked, bounds: false };
  const right = sides.right.filter((each) => !facts.shallow.has(each.oid));
  if (changes.paths.length === 0 || right.length === 0) return { found: null, gaps };
  const { commit } = sides;
  // An empty change has the patch of every other empty one.
  const marked = commit.marked && changes.own.size > 0 ? right.filter((each) => each.marked) : [];
  const same = await byPatch(changes, preferred(marked, commit), gaps, budget);
  if (same) return { found: same, gaps };
  const touched = await touchedPaths(right, changes.paths, gaps, budget);
  const touching = right.filter(
    ({ oid }) => covers(touched.get(oid), changes.own) || covers(touched.get(oid), changes.net),
  );
  const found =
    (await byPatch(changes, preferred(touching, commit), gaps, budget)) ??
    (await byContent(right, changes.net, touched, facts.head, gaps, budget)) ??
    (await byAuthorship(sides, right, touched, budget));
  return { found, gaps };
}

/** Oldest first, those with the same authorship before the others. */
function preferred(commits: readonly ListedCommit[], like: ListedCommit): ListedCommit[] {
  const oldest = [...commits].reverse();
  const same = oldest.filter((each) => each.authored === like.authored);
  return [...same, ...oldest.filter((each) => each.authored !== like.authored)];
}

function covers(touched: Change | undefined, change: Change): boolean {
  return touched !== undefined && change.size > 0 && [...change.keys()].every((path) => touched.has(path));
}

/** What each of the commits makes of these paths. */
async function touchedPaths(
  commits: readonly ListedCommit[],
  paths: readonly string[],
  gaps: Gaps,
  budget: Budget,
): Promise<Map<string, Change>> {
  const input = commits.filter((each) => each.parents.length < 2).map((each) => `${each.oid}\n`);
  const answer = await budget.ask(
    [...LITERAL, "diff-tree", "--stdin", "--root", "-r", "--raw", "-z", ...DIFF, ...limitTo(paths)],
    input.join(""),
  );
  if (answer.code !== 0) gaps.contents = true;
  const wanted = new Set(paths);
  const touched = new Map<string, Change>();
  for (const { head, change } of parseRaw(answer.stdout.toString("latin1"))) {
    const some = new Map([...change].filter(([path]) => wanted.has(path)));
    if (some.size > 0) touched.set(head, some);
  }
  return touched;
}

/** A path is a name here, never a pattern. */
const LITERAL = ["--literal-pathspecs"];

function limitTo(paths: readonly string[]): string[] {
  if (paths.length > MAX_PATHS) return [];
  // Paths were read byte for byte; a name that is not UTF-8 cannot be given on a command line.
  const names = paths.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  return names.some((name) => name.includes("\ufffd")) ? [] : ["--", ...names];
}

const LIKENESS_NOTES: Record<Likeness, string | null> = {
  exact: null,
  context: null,
  whitespace: "differs in white space",
  contained: "as a part of a larger change",
};

async function byPatch(
  changes: Changes,
  commits: readonly ListedCommit[],
  gaps: Gaps,
  budget: Budget,
): Promise<Comparison | null> {
  if (commits.length === 0) return null;
  const candidates = commits.slice(0, MAX_CANDIDATES);
  if (candidates.length < commits.length) gaps.bounds = true;
  const input = [...changes.asked, ...candidates.map((each) => each.oid)];
  const answer = await budget.ask(
    [
      ...LITERAL,
      "diff-tree",
      "--stdin",
      "--always",
      "--root",
      "-r",
      "-p",
      ...DIFF,
      ...limitTo(changes.paths),
    ],
    `${input.join("\n")}\n`,
  );
  if (answer.code !== 0) {
    gaps.contents = true;
    return null;
  }
  const patches = parsePatches(answer.stdout.toString("latin1"));
  const wanted = patches.slice(0, changes.asked.length).map(({ patch }) => patch);
  for (const like of ["exact", "context", "whitespace", "contained"] as const) {
    for (const patch of wanted) {
      const found = patches
        .slice(changes.asked.length)
        .find((other) => likeness(patch, other.patch) === like);
      if (found) return { ancestry: "rewritten", as: found.head, note: LIKENESS_NOTES[like] };
    }
  }
  return null;
}

/**
 * The first commit in HEAD's history at which every path is as the commit left it, each made so by one of
 * HEAD's own commits: a squash of many, a fixup, a split, a new order.
 */
async function byContent(
  right: readonly ListedCommit[],
  net: Change,
  touched: ReadonlyMap<string, Change>,
  head: string,
  gaps: Gaps,
  budget: Budget,
): Promise<Comparison | null> {
  if (net.size === 0) return null;
  const agrees = (oid: string, path: string): boolean => {
    const [made, wanted] = [touched.get(oid)?.get(path), net.get(path)];
    return made !== undefined && made.oid === wanted?.oid && made.mode === wanted.mode;
  };
  const oldest = [...right].reverse();
  const paths = [...net.keys()];
  if (!paths.every((path) => oldest.some(({ oid }) => agrees(oid, path)))) return null;
  const whole = oldest.find(({ oid }) => paths.every((path) => agrees(oid, path)));
  if (whole) return { ancestry: "rewritten", as: whole.oid, note: null };
  const complete = oldest.filter(
    ({ oid, parents }) => parents.length > 1 || oid === head || paths.some((path) => agrees(oid, path)),
  );
  const candidates = complete.slice(0, Math.floor(MAX_LOOKUPS / paths.length));
  const names = candidates.flatMap(({ oid }) => paths.map((path) => `${oid}:${path}`));
  if (candidates.length < complete.length) gaps.bounds = true;
  if (candidates.length === 0 || names.some((name) => name.includes("\n"))) return null;
  const answer = await budget.ask(
    ["cat-file", "--batch-check=%(objectname)"],
    Buffer.from(`${names.join("\n")}\n`, "latin1").toString("utf8"),
  );
  if (answer.code !== 0) gaps.contents = true;
  const lines = answer.stdout.toString("latin1").split("\n");
  const found = candidates.find((_, at) =>
    paths.every((path, index) => {
      const line = lines[at * paths.length + index] ?? "";
      const wanted = net.get(path);
      return wanted?.mode === "000000" ? line.endsWith(" missing") : line === wanted?.oid;
    }),
  );
  return found ? { ancestry: "rewritten", as: found.oid, note: null } : null;
}
