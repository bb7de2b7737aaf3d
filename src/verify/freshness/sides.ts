/** What a commit and HEAD have apart from each other, from one `rev-list`. */
import type { Budget } from "../budget.js";

export interface ListedCommit {
  oid: string;
  parents: string[];
  tree: string;
  /** Author with address and the time of authorship: kept by amend, rebase and cherry-pick. */
  authored: string;
  /** Committed at another time than it was authored, as what was made from another commit is. */
  recommitted: boolean;
  subject: string;
  /** git found the same patch on the other side. */
  marked: boolean;
}

export interface Sides {
  commit: ListedCommit;
  /** Only in the commit's history, the commit itself included; newest first. */
  left: ListedCommit[];
  /** Only in HEAD's history; newest first. */
  right: ListedCommit[];
  /** Commits next to them that both have. */
  shared: ListedCommit[];
  /** Patches could not be compared: their content is not here (partial clone). */
  unmarked: boolean;
}

/** Null where git cannot list them. One process; in a partial clone perhaps two. */
export async function listSides(oid: string, head: string, budget: Budget): Promise<Sides | null> {
  const list = (marks: readonly string[]) =>
    budget.ask([
      "rev-list",
      "--topo-order",
      "--boundary",
      "--left-right",
      ...marks,
      "--no-commit-header",
      "--format=%m%x09%H%x09%P%x09%T%x09%an <%ae>%x09%at%x09%ct%x09%s",
      `${oid}...${head}`,
    ]);
  let answer = await list(["--cherry-mark"]);
  const unmarked = answer.code !== 0;
  if (unmarked) answer = await list([]);
  if (answer.code !== 0) return null;
  return divide(answer.stdout.toString("latin1"), oid, unmarked);
}

function divide(output: string, oid: string, unmarked: boolean): Sides | null {
  const listed = new Map<string, ListedCommit>();
  const shared: ListedCommit[] = [];
  for (const line of output.split("\n")) {
    const [mark, name, parents = "", tree = "", author = "", at = "", committed = "", ...subject] =
      line.split("\t");
    if (!name) continue;
    const commit: ListedCommit = {
      oid: name,
      parents: parents.split(" ").filter(Boolean),
      tree,
      authored: `${author} ${at}`,
      recommitted: committed !== at,
      subject: subject.join("\t"),
      marked: mark === "=",
    };
    if (mark === "-") shared.push(commit);
    else listed.set(name, commit);
  }
  const commit = listed.get(oid);
  if (!commit) return null;
  // `=` hides the side: what the commit reaches within the listing is its own.
  const own = new Set<string>([oid]);
  for (const name of own) {
    for (const parent of listed.get(name)?.parents ?? []) if (listed.has(parent)) own.add(parent);
  }
  const all = [...listed.values()];
  return {
    commit,
    left: all.filter((each) => own.has(each.oid)),
    right: all.filter((each) => !own.has(each.oid)),
    shared,
    unmarked,
  };
}

/** The commit both go back to: null when there is none, or none that is best. */
export async function mergeBase(sides: Sides, head: string, budget: Budget): Promise<string | null> {
  const own = new Set(sides.left.map((each) => each.oid));
  const bases = new Set(sides.left.flatMap((each) => each.parents).filter((parent) => !own.has(parent)));
  if (bases.size < 2) return [...bases][0] ?? null;
  const answer = await budget.ask(["merge-base", sides.commit.oid, head]);
  return answer.stdout.toString("latin1").trim() || null;
}
