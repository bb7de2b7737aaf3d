/**
 * `git diff --quiet`, answered without it: it writes the index, runs filters and textconv, and reads outside
 * the repository. Trees are compared by diff-tree, one file by object ids.
 */
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import { absent, gonePath, sortOperands } from "./git-operands.js";
import type { TreeEntry } from "./git-questions.js";
import { type Answer, MAX_FILE, type Session } from "./session.js";
import type { GitDiffPredicate } from "./types.js";

/** True: no difference. Throws CannotEvaluate. */
export async function askDiff(predicate: GitDiffPredicate, session: Session): Promise<Answer> {
  const { revisions, path } = await sortOperands(predicate.operands, session);
  const [first, second] = revisions;
  if (revisions.length > 2 || (predicate.cached && second !== undefined))
    throw new CannotEvaluate(REASONS.files);
  if (first !== undefined && second !== undefined) {
    return compareTrees(first, second, path, session);
  }
  if (path === null || path === "") {
    throw new CannotEvaluate("git diff is asked of two revisions, or of one file");
  }
  return compareFile(predicate.cached, first?.tree ?? null, path, session);
}

async function compareTrees(
  one: { name: string; tree: string },
  other: { name: string; tree: string },
  path: string | null,
  session: Session,
): Promise<Answer> {
  if (path !== null && path !== "") {
    const here = await Promise.all([one, other].map(({ tree }) => session.git.object(`${tree}:${path}`)));
    if (here.every((oid) => oid === null)) {
      if (session.git.incomplete) throw new CannotEvaluate(absent(quoted(path), session));
      return gonePath(path);
    }
  }
  const value = await session.git.sameTrees(one.tree, other.tree, path);
  const where = path === null || path === "" ? "" : ` in ${quoted(path)}`;
  return {
    value,
    found: `${quoted(one.name)} and ${quoted(other.name)} ${value ? "are the same" : "differ"}${where}`,
  };
}

async function compareFile(
  cached: boolean,
  tree: string | null,
  path: string,
  session: Session,
): Promise<Answer> {
  const { commit } = session.facts;
  if (commit !== null) return compareWithCommit(cached, tree, commit, path, session);
  const entries = await session.git.indexEntries(path);
  const fact = await session.facts.tree.stat(path);
  if (fact.kind === "folder")
    throw new CannotEvaluate("a folder: git diff is asked of two revisions, or of one file");
  const [entry] = entries ?? [];
  const left =
    tree !== null
      ? await session.git.treeEntry(tree, path)
      : cached
        ? await headEntry(path, session)
        : (entry ?? null);
  const index = entry ?? null;
  if (left === null && index === null) {
    if (fact.kind === "missing") return gonePath(path);
    throw new CannotEvaluate(`${quoted(path)} is not tracked by git`);
  }
  const answer = (value: boolean, found: string): Answer => ({ value, found: `${quoted(path)} ${found}` });
  if (left === null || index === null) return answer(false, "is on one side only");
  if (entries?.some((one) => one.unmerged)) return answer(false, "is in a merge");
  if (cached || index.frozen) {
    const same = left.oid === index.oid && left.mode === index.mode;
    return answer(same, same ? "is unchanged" : "has changed");
  }
  if (fact.kind === "missing") return answer(false, "no longer exists");
  return compareContent(left, path, session, answer);
}

async function compareContent(
  left: TreeEntry,
  path: string,
  session: Session,
  answer: (value: boolean, found: string) => Answer,
): Promise<Answer> {
  const fact = await session.facts.tree.stat(path);
  // A link is compared by its target, a submodule by its commit: neither is a file's content.
  if (left.mode === "120000" || left.mode === "160000") throw new CannotEvaluate(REASONS.special);
  if (fact.kind === "outside") throw new CannotEvaluate(REASONS.outside);
  if (fact.kind === "special") throw new CannotEvaluate(REASONS.special);
  if (fact.resolved !== path) return answer(false, "is a symbolic link now");
  if (fact.size > MAX_FILE) throw new CannotEvaluate(REASONS.fileSize);
  const { bytes } = await session.content(path, fact.size);
  const oid = await session.git.blobOf(path, bytes);
  if (oid !== left.oid) return answer(false, "has changed");
  const sameMode = (left.mode === "100755") === fact.executable || !(await session.git.fileModeCounts());
  return answer(sameMode, sameMode ? "is unchanged" : "has another mode");
}

async function headEntry(path: string, session: Session): Promise<TreeEntry | null> {
  const head = await session.git.object("HEAD^{tree}");
  return head === null ? null : session.git.treeEntry(head, path);
}

/** A branch that is not checked out has neither index nor changed files: all three are its commit's tree. */
async function compareWithCommit(
  cached: boolean,
  tree: string | null,
  commit: string,
  path: string,
  session: Session,
): Promise<Answer> {
  const own = await session.git.object(`${commit}^{tree}`);
  if (own === null) throw new CannotEvaluate(absent("the branch's commit", session));
  const name = { name: "the branch", tree: own };
  const other = tree === null ? name : { name: cached ? "its index" : "the revision", tree };
  return compareTrees(other, name, path, session);
}
