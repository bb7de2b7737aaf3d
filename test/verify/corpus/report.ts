/**
 * Counts, over the labelled histories, how often a tool tells fresh from stale as the label does, for this
 * project's check and for a plain `git merge-base --is-ancestor`. Run it with `node test/verify/corpus/report.mjs`.
 */
import { spawnSync } from "node:child_process";
import { checkFreshness } from "../../../src/verify/freshness.js";
import type { Ancestry } from "../../../src/verify/verdict.js";
import { factsOf } from "./facts.js";
import { type Asked, History } from "./history.js";
import { corpus } from "./index.js";

type Answer = "fresh" | "stale" | "cannot tell";

const MEANING: Record<Ancestry, Answer> = {
  ancestor: "fresh",
  rewritten: "fresh",
  diverged: "stale",
  unknown: "cannot tell",
  none: "cannot tell",
};

/** Exit 0 is an ancestor, 1 is none, all else is git's own "cannot". */
function isAncestor({ repo, git }: Asked): Answer {
  const commit = git.split(" @ ").at(-1)?.replace(" (dirty)", "") ?? "";
  const { status } = spawnSync("git", ["merge-base", "--is-ancestor", commit, "HEAD"], { cwd: repo.dir });
  return status === 0 ? "fresh" : status === 1 ? "stale" : "cannot tell";
}

async function ours({ repo, git }: Asked): Promise<Answer> {
  const facts = await factsOf(repo.dir);
  const bounds = { commits: 5, each: 30_000, total: 60_000 };
  const [verdict] = await checkFreshness([{ git, written: facts.now.toISOString() }], facts, {}, bounds);
  return MEANING[verdict?.ancestry ?? "unknown"];
}

class Tally {
  right = 0;
  falseStale = 0;
  falseFresh = 0;
  silent = 0;

  add(answer: Answer, label: Answer): void {
    if (answer === label) this.right++;
    else if (answer === "stale") this.falseStale++;
    else if (answer === "fresh") this.falseFresh++;
    else this.silent++;
  }

  toString(): string {
    const { right, falseStale, falseFresh, silent } = this;
    return `${right} of ${corpus.length} right, ${falseStale} false stale, ${falseFresh} false fresh, ${silent} not told`;
  }
}

const [handoff, plain] = [new Tally(), new Tally()];
for (const history of corpus) {
  const asked = history.build(History.fresh());
  const label = MEANING[history.label.ancestry];
  handoff.add(await ours(asked), label);
  plain.add(isAncestor(asked), label);
}
History.removeAll();
console.log(`git handoff:                     ${handoff}`);
console.log(`git merge-base --is-ancestor:    ${plain}`);
