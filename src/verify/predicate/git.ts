/** `git …` predicates: what each form asks, and what counts as yes, no and no answer. */
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import { askDiff } from "./git-diff.js";
import { absent, gonePath, refusePattern, sortOperands } from "./git-operands.js";
import { compileSearch, plainPattern } from "./pattern/matcher.js";
import { grepArguments } from "./real-grep.js";
import { type Answer, MAX_FILE, type Session } from "./session.js";
import type { GitGrepPredicate, GitPredicate, Search } from "./types.js";

/** Throws CannotEvaluate. */
export async function askGit(predicate: GitPredicate, session: Session): Promise<Answer> {
  const git = session.git;
  switch (predicate.form) {
    case "git object": {
      const name = quoted(predicate.revision);
      const here = (await git.object(predicate.revision)) !== null;
      if (!here && git.incomplete) throw new CannotEvaluate(absent(name, session));
      return { value: here, found: `${name} ${here ? "exists" : "does not exist"}` };
    }
    case "git ancestor": {
      const [ancestor, descendant] = await Promise.all(
        [predicate.ancestor, predicate.descendant].map(async (revision) => {
          const oid = await git.object(`${revision}^{commit}`);
          if (oid === null) throw new CannotEvaluate(absent(quoted(revision), session));
          return oid;
        }),
      );
      if (ancestor === undefined || descendant === undefined) throw new CannotEvaluate(REASONS.noFile);
      const value = ancestor === descendant || (await git.isAncestor(ancestor, descendant));
      if (!value && session.facts.repository.shallow) {
        throw new CannotEvaluate("the clone is shallow: its history ends before an answer");
      }
      const is = value ? "is" : "is not";
      return {
        value,
        found: `${quoted(predicate.ancestor)} ${is} an ancestor of ${quoted(predicate.descendant)}`,
      };
    }
    case "git ref": {
      const value = await git.refExists(predicate.ref);
      return { value, found: `${quoted(predicate.ref)} ${value ? "exists" : "does not exist"}` };
    }
    case "git tracked": {
      const { commit } = session.facts;
      const value =
        commit === null
          ? (await git.indexEntries(predicate.path)) !== null
          : (await git.object(predicate.path === "" ? `${commit}^{tree}` : `${commit}:${predicate.path}`)) !==
            null;
      if (!value) refusePattern(predicate.path);
      if (!value && commit !== null && session.facts.repository.partial) {
        throw new CannotEvaluate(absent(quoted(predicate.path), session));
      }
      return { value, found: `${quoted(predicate.path)} is ${value ? "" : "not "}tracked` };
    }
    case "git grep":
      return askGitGrep(predicate, session);
    case "git diff":
      return askDiff(predicate, session);
  }
}

async function askGitGrep(predicate: GitGrepPredicate, session: Session): Promise<Answer> {
  // For its refusals: git itself reads patterns.
  compileSearch(predicate.search);
  const { revisions, path } = await sortOperands(predicate.operands, session);
  if (revisions.length > 1) throw new CannotEvaluate(REASONS.files);
  const { commit } = session.facts;
  const given = revisions[0];
  const searched = given?.tree ?? (commit === null ? null : await session.git.object(`${commit}^{tree}`));
  if (given === undefined && commit !== null && searched === null) {
    throw new CannotEvaluate(absent("the branch's commit", session));
  }
  if (searched === null) {
    if ((await placeInWorkTree(path, session)) === "missing") return gonePath(path ?? "");
  } else if (path !== null && path !== "" && (await session.git.object(`${searched}:${path}`)) === null) {
    if (session.git.incomplete) throw new CannotEvaluate(absent(quoted(path), session));
    return gonePath(path);
  }
  const plain =
    given === undefined && path !== null ? await searchPlain(predicate.search, path, session) : null;
  const place = path === null || path === "" ? "the repository" : quoted(path);
  const answer = (value: boolean): Answer => ({
    value,
    found: `pattern ${value ? "found" : "not found"} in ${place}`,
  });
  if (plain !== null) return answer(plain);
  // The silent flags stand in the fixed form already, and -x is not one of git's.
  const [, , ...search] = grepArguments(predicate.search);
  const where = path === null || path === "" ? [] : [path];
  return answer(
    await session.git.grep([...search, ...(searched === null ? [] : [searched]), "--", ...where]),
  );
}

/** Plain text in one tracked file is looked for here, without a process for each; null: not that simple. */
async function searchPlain(search: Search, path: string, session: Session): Promise<boolean | null> {
  const text = plainPattern(search);
  if (text === null) return null;
  const { tree, commit } = session.facts;
  const fact = await tree.stat(path);
  if (fact.kind !== "file" || fact.resolved !== path || fact.size > MAX_FILE) return null;
  if (commit === null) {
    const [entry, ...stages] = (await session.git.indexEntries(path)) ?? [];
    // git grep sees tracked files only.
    if (entry === undefined) return false;
    if (stages.length > 0 || entry.frozen || !entry.mode.startsWith("100")) return null;
  }
  return (await session.content(path, fact.size)).includes(Buffer.from(text));
}

/** Folders looked at before a search through all of them. */
const MAX_FOLDERS = 20_000;

/** git grep reads through a folder that has become a link, wherever that leads: such a search is refused. */
async function placeInWorkTree(path: string | null, session: Session): Promise<"missing" | "here"> {
  const { tree } = session.facts;
  if (path !== null && path !== "") {
    const fact = await tree.stat(path);
    if (fact.kind === "missing") return "missing";
    if (fact.kind === "special") throw new CannotEvaluate(REASONS.special);
    if (fact.kind === "outside" || fact.resolved !== path) throw new CannotEvaluate(REASONS.outside);
    if (fact.kind === "file") return "here";
  }
  const folders = await session.git.trackedFolders(path);
  if (folders.length > MAX_FOLDERS)
    throw new CannotEvaluate(`out-of-budget: more than ${MAX_FOLDERS} folders`);
  for (const folder of folders) {
    const fact = await tree.stat(folder);
    if (fact.kind !== "missing" && fact.resolved !== folder) throw new CannotEvaluate(REASONS.outside);
  }
  return "here";
}
