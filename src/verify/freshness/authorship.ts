/** Finding what became of a commit whose content was changed on the way: amend, rebase or pick with a conflict. */
import type { Budget } from "../budget.js";
import type { Change } from "./change.js";
import type { Comparison } from "./comparison.js";
import type { ListedCommit, Sides } from "./sides.js";

/** Entries of HEAD's reflog that are read. */
const MAX_ENTRIES = 2000;

interface Reflog {
  /** Commit → the one it was amended into. */
  amended: ReadonlyMap<string, string>;
  /** Commit → what made it, e.g. `commit (amend)`, `rebase (pick)`. */
  made: ReadonlyMap<string, string>;
}

/**
 * Amend, rebase and cherry-pick keep author and author date, and commit at another time; this clone's reflog
 * may know more. A script may give many commits one date: then only the same subject on a common path
 * counts, and only if it names one commit.
 */
export async function byAuthorship(
  sides: Sides,
  right: readonly ListedCommit[],
  touched: ReadonlyMap<string, Change>,
  budget: Budget,
): Promise<Comparison | null> {
  const { commit } = sides;
  if (commit.parents.length > 1) return null;
  const reflog = await readReflog(budget);
  const found = amendedInto(commit.oid, right, reflog) ?? sameAuthorship(sides, right, touched, reflog);
  if (!found) return null;
  return {
    ancestry: "rewritten",
    as: found.oid,
    note: sides.unmarked ? "content not compared" : "content differs",
  };
}

async function readReflog(budget: Budget): Promise<Reflog> {
  // rev-list prints no reflog messages. Without a patch log runs nothing but gpg, which is switched off.
  const answer = await budget.ask([
    ...["log", "--walk-reflogs", `--max-count=${MAX_ENTRIES}`, "--format=%H%x09%gs"],
    ...["--no-patch", "--no-show-signature", "--no-notes", "--no-decorate", "--no-color", "HEAD", "--"],
  ]);
  const amended = new Map<string, string>();
  const made = new Map<string, string>();
  // A bare repository, or a fresh clone, has none.
  const lines = answer.code === 0 ? answer.stdout.toString("latin1").split("\n") : [];
  let rebasing = false;
  lines.forEach((line, index) => {
    const [oid, message] = line.split("\t");
    const action = message?.split(":")[0];
    if (!oid || action === undefined) return;
    // Newest first: what HEAD was before stands below. The oldest entry of a commit is the one that made it.
    const before = lines[index + 1]?.split("\t")[0];
    if (action === "commit (amend)" && before && !amended.has(before)) amended.set(before, oid);
    if (/rebase.*\((?:finish|start)\)$/.test(action)) rebasing = action.endsWith("(finish)");
    made.set(oid, rebasing && action === "commit" ? BY_HAND : action);
  });
  return { amended, made };
}

/** A plain commit in the middle of a rebase, after a conflict: it takes a new author date. */
const BY_HAND = "rebase (commit by hand)";

function amendedInto(oid: string, right: readonly ListedCommit[], { amended }: Reflog): ListedCommit | null {
  const seen = new Set<string>();
  for (let at = amended.get(oid); at !== undefined && !seen.has(at); at = amended.get(at)) {
    const found = right.find((each) => each.oid === at);
    if (found) return found;
    seen.add(at);
  }
  return null;
}

/** `commit (amend)`, `rebase (continue)`, `pull --rebase (pick)`; not `rebase (start)`, which only goes somewhere. */
const MADE_ANEW = /^(?:cherry-pick|am)$|\((?:amend|cherry-pick|pick|continue|reword|edit|fixup|squash)\)$/;

/** These leave the subject as it was. */
const KEEPS_SUBJECT = /^(?:cherry-pick|am)$|\(pick\)$/;

/** Whether a commit was made from another one: by its two dates, or as the reflog says. */
function wasMadeAnew({ oid, recommitted }: ListedCommit, { made }: Reflog): boolean {
  const action = made.get(oid);
  if (action !== undefined && /^commit(?: \(initial\))?$/.test(action)) return false;
  return recommitted || MADE_ANEW.test(action ?? "");
}

function mayBeRetitled({ oid }: ListedCommit, { made }: Reflog): boolean {
  return !KEEPS_SUBJECT.test(made.get(oid) ?? "");
}

function sameAuthorship(
  { commit, left, right: all, shared }: Sides,
  right: readonly ListedCommit[],
  touched: ReadonlyMap<string, Change>,
  reflog: Reflog,
): ListedCommit | null {
  const same = right.filter(
    ({ authored, marked, parents }) => authored === commit.authored && !marked && parents.length < 2,
  );
  const others = [...left, ...all, ...shared].filter(
    (each) => each.authored === commit.authored && each.oid !== commit.oid && !same.includes(each),
  );
  const titled = (each: ListedCommit) => each.subject === commit.subject;
  const onCommonPath = ({ oid }: ListedCommit) => touched.has(oid);
  const anew = same.filter((each) => wasMadeAnew(each, reflog));
  const distinct = same.length === 1 && others.length === 0;
  const byHand = right.filter(
    (each) => reflog.made.get(each.oid) === BY_HAND && titled(each) && onCommonPath(each) && !each.marked,
  );
  if (same.length === 0) return byHand.length === 1 ? (byHand[0] ?? null) : null;
  const candidates = distinct
    ? anew.filter((each) => titled(each) || (onCommonPath(each) && mayBeRetitled(each, reflog)))
    : anew.filter((each) => onCommonPath(each) && titled(each));
  if (candidates.length !== 1 || (!distinct && others.some(titled))) return null;
  return candidates[0] ?? null;
}
