/**
 * Random branches and what may happen to them. Every edit has words of its own, so that what was never taken
 * over cannot be found, and what was taken over without a conflict must be. SEED=<n> repeats a run.
 */
import { afterAll, expect, test } from "vitest";
import { checkFreshness } from "../../src/verify/freshness.js";
import type { Ancestry } from "../../src/verify/verdict.js";
import { factsOf } from "./corpus/facts.js";
import { History, text } from "./corpus/history.js";

const SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.RUNS ?? 25);
const AMPLE = { commits: 5, each: 30_000, total: 60_000 };

afterAll(() => History.removeAll());

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

type Edits = Record<string, Record<number, string>>;

class Side {
  constructor(
    private readonly repo: History,
    private readonly random: (below: number) => number,
    private readonly name: string,
    private readonly edits: Edits = { app: {}, lib: {}, guide: {} },
  ) {}

  commit(): string {
    const file = ["app", "lib", "guide"][this.random(3)] ?? "app";
    const line = this.random(3) * 10 + 1 + this.random(6);
    const edits = { ...this.edits[file], [line]: `${this.name} wrote ${this.random(1e6)} here` };
    this.edits[file] = edits;
    // Commits of one author, second and subject on one file cannot be told apart once their content changes.
    const wip = this.random(2) === 0 && !this.repo.frozen;
    const subject = wip ? "wip" : `${this.name} ${this.random(1e6)}`;
    return this.repo.commit({ [`${file}.txt`]: text(file, edits) }, subject);
  }
}

/** What happens to the branch; the verdicts that are right for its recorded commit. Throws on a conflict. */
function happen(
  repo: History,
  how: number,
  commits: string[],
  recorded: string,
  untouched: boolean,
): Ancestry[] {
  switch (how) {
    case 0:
      return ["diverged"];
    case 1:
      repo.on("topic").git("rebase", "-q", "main");
      return [untouched ? "ancestor" : "rewritten"];
    case 2:
      repo.git("merge", "-q", "--squash", "topic");
      repo.git("commit", "-q", "-m", "squash");
      // Later edits of the branch may have gone over those of an earlier commit.
      return recorded === commits.at(-1) ? ["rewritten"] : ["rewritten", "diverged"];
    case 3:
      repo.git("cherry-pick", recorded);
      return untouched && recorded === commits[0] ? ["ancestor", "rewritten"] : ["rewritten"];
    default: {
      const other = commits.find((oid) => oid !== recorded);
      if (other !== undefined) repo.git("cherry-pick", other);
      return ["diverged"];
    }
  }
}

test(`${RUNS} random histories from seed ${SEED}`, { timeout: RUNS * 5_000 }, async () => {
  const random = randomFrom(SEED);
  for (let run = 0; run < RUNS; run++) {
    const repo = History.fresh();
    repo.commit({ "app.txt": text("app"), "lib.txt": text("lib"), "guide.txt": text("guide") }, "base");
    repo.frozen = random(3) === 0;
    const topic = new Side(repo.branch("topic"), random, "topic");
    const commits = Array.from({ length: 1 + random(3) }, () => topic.commit());
    const recorded = commits[random(commits.length)] ?? "";
    const main = new Side(repo.on("main"), random, "main");
    const ahead = random(4);
    for (let at = 0; at < ahead; at++) main.commit();
    const how = random(5);
    let right: Ancestry[];
    try {
      right = happen(repo, how, commits, recorded, ahead === 0);
    } catch {
      for (const command of ["rebase", "cherry-pick"]) repo.tryGit(command, "--abort");
      repo.git("reset", "-q", "--hard");
      repo.on("main");
      right = ["diverged"];
    }
    const facts = await factsOf(repo.dir);
    const written = facts.now.toISOString();
    const [verdict] = await checkFreshness([{ git: `topic @ ${recorded}`, written }], facts, {}, AMPLE);
    expect(right, `seed ${SEED}, run ${run}, case ${how}: ${JSON.stringify(verdict)}`).toContain(
      verdict?.ancestry,
    );
  }
});
