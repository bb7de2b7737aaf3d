/** `grep` and `test`, answered from the files themselves. */
import type { PathFact } from "../facts.js";
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import { absent } from "./git-operands.js";
import { compileGlob } from "./pattern/glob.js";
import { compileSearch, type Matcher } from "./pattern/matcher.js";
import { askRealGrep } from "./real-grep.js";
import { type Answer, gone, MAX_FILE, type Session } from "./session.js";
import type { GrepPredicate, TestPredicate } from "./types.js";

/** Files and bytes of one search through a folder. */
const MAX_FILES = 5_000;
const MAX_BYTES = 64 << 20;
/** Files of one folder that only the real grep can read. */
const MAX_REAL = 8;

async function place(path: string, session: Session): Promise<PathFact> {
  const fact = await session.facts.tree.stat(path);
  if (fact.kind === "outside") throw new CannotEvaluate(REASONS.outside);
  if (fact.kind === "special") {
    const { commit, repository } = session.facts;
    // In a tree only what was not downloaded is neither file nor folder.
    throw new CannotEvaluate(
      commit !== null && repository.partial ? absent(quoted(path), session) : REASONS.special,
    );
  }
  return fact;
}

/** Throws CannotEvaluate. */
export async function askGrep(predicate: GrepPredicate, session: Session): Promise<Answer> {
  const matcher = compileSearch(predicate.search);
  const include = predicate.include.map(compileGlob);
  const fact = await place(predicate.path, session);
  if (fact.kind === "missing") return gone(predicate.path);
  const found = (value: boolean): Answer => ({
    value,
    found: `pattern ${value ? "found" : "not found"} in ${quoted(predicate.path)}`,
  });
  if (fact.kind === "file") {
    const named = include.length === 0 || include.some((glob) => matchesTail(glob, predicate.path));
    return found(named && (await search(predicate, matcher, predicate.path, fact.size, session)));
  }
  if (!predicate.recursive) throw new CannotEvaluate("a folder: grep needs -r");
  return found(await searchFolder(predicate, matcher, include, session));
}

/** A file named on the command line is included by its path or by any tail of it. */
function matchesTail(glob: (name: string) => boolean, path: string): boolean {
  for (let tail = path; ; ) {
    if (glob(tail)) return true;
    const slash = tail.indexOf("/");
    if (slash < 0) return false;
    tail = tail.slice(slash + 1);
  }
}

async function search(
  predicate: GrepPredicate,
  matcher: Matcher,
  path: string,
  size: number,
  session: Session,
): Promise<boolean> {
  const content = await session.content(path, size);
  const answer = matcher(content, session.budget.until());
  if (answer !== null) return answer;
  const without = content.text() === null ? REASONS.encoding : "only GNU grep can tell, and it is not here";
  return askRealGrep(predicate.search, content.bytes, session.budget, without);
}

async function searchFolder(
  predicate: GrepPredicate,
  matcher: Matcher,
  include: readonly ((name: string) => boolean)[],
  session: Session,
): Promise<boolean> {
  const until = session.budget.until();
  const { files, complete } = await session.facts.tree.walk(predicate.path, MAX_FILES);
  const base = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const wanted = files.filter((path) => include.length === 0 || include.some((glob) => glob(base(path))));
  /** Why the answer cannot be no. */
  let doubt: CannotEvaluate | null = complete
    ? null
    : new CannotEvaluate(`out-of-budget: more than ${MAX_FILES} files, or not all can be read`);
  let bytes = 0;
  const real: Uint8Array[] = [];
  for (let at = 0; at < wanted.length; at += 64) {
    const some = wanted.slice(at, at + 64);
    const facts = await Promise.all(
      some.map(async (path) => ({ path, ...(await session.facts.tree.stat(path)) })),
    );
    const read = await Promise.all(
      facts.map(async (one) => {
        bytes += one.size;
        if (one.size > MAX_FILE) doubt ??= new CannotEvaluate(REASONS.fileSize);
        if (bytes > MAX_BYTES) doubt ??= new CannotEvaluate("out-of-budget: more than 64 MiB to search");
        if (one.kind !== "file" || one.size > MAX_FILE || bytes > MAX_BYTES) return null;
        return session.content(one.path, one.size).catch((error: unknown) => {
          if (!(error instanceof CannotEvaluate)) throw error;
          doubt ??= error;
          return null;
        });
      }),
    );
    for (const content of read) {
      if (content === null) continue;
      if (Date.now() > until) throw session.budget.stopped();
      const answer = matcher(content, until);
      if (answer === true) return true;
      if (answer === null) real.push(content.bytes);
    }
    if (bytes > MAX_BYTES) break;
  }
  for (const content of real.slice(0, MAX_REAL)) {
    if (await askRealGrep(predicate.search, content, session.budget, REASONS.encoding)) return true;
  }
  if (real.length > MAX_REAL)
    doubt ??= new CannotEvaluate(`out-of-budget: more than ${MAX_REAL} files of another encoding`);
  if (doubt !== null) throw doubt;
  return false;
}

/** Absence is the answer here, not an error. Throws CannotEvaluate. */
export async function askTest(predicate: TestPredicate, session: Session): Promise<Answer> {
  const fact = await place(predicate.path, session);
  const path = quoted(predicate.path);
  if (fact.kind === "missing") return { value: false, found: `${path} does not exist` };
  const folder = fact.kind === "folder";
  switch (predicate.operator) {
    case "e":
      return { value: true, found: `${path} exists` };
    case "f":
      return { value: !folder, found: `${path} is a ${fact.kind}` };
    case "d":
      return { value: folder, found: `${path} is a ${fact.kind}` };
    case "s": {
      const value = folder || fact.size > 0;
      return { value, found: `${path} is ${value ? "not " : ""}empty` };
    }
    case "x":
      return { value: fact.executable, found: `${path} is ${fact.executable ? "" : "not "}executable` };
  }
}
