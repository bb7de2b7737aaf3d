import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import type { PredicateResult } from "../../../src/verify/predicate/check.js";
import { git } from "../../support/repo.js";
import { askAll, factsOf } from "./ask.js";
import { GONE_ROWS, GREP_ROWS, OTHER_ROWS, REFUSED_ROWS, type Row, tableRepo } from "./table.js";

const ROWS: readonly Row[] = [...GREP_ROWS, ...GONE_ROWS, ...OTHER_ROWS, ...REFUSED_ROWS];

let dir: string;
/** One row at a time: the table asks more processes than one document may. */
const answers = new Map<string, PredicateResult>();

beforeAll(async () => {
  dir = tableRepo();
  const facts = await factsOf(dir);
  for (const [predicate] of ROWS) {
    const [answer] = await askAll([predicate], facts);
    if (answer) answers.set(predicate, answer);
  }
});

describe("predicates", () => {
  it.each(ROWS.map((row) => [...row] as [string, string, string | undefined]))(
    "%s",
    (predicate, verdict, note) => {
      const answer = answers.get(predicate);
      expect(answer).toMatchObject({ verdict: verdict === "?" ? "cannot-evaluate" : verdict });
      if (verdict === "holds") expect(answer?.note).toBeNull();
      else expect(answer?.note).toContain(note ?? "");
      expect(answer?.note ?? "x").not.toBe("");
    },
  );

  it("has as many refusals as answers", () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(ROWS.map(([predicate]) => predicate)).size).toBe(ROWS.length);
    const refused = ROWS.filter(([, verdict]) => verdict === "?").length;
    expect(refused / ROWS.length).toBeGreaterThan(0.45);
  });
});

describe("the same question in a shell", () => {
  it.each(GREP_ROWS.map(([predicate, verdict]) => [predicate, verdict] as const))(
    "%s",
    (predicate, verdict) => {
      const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
      // The folder's own answer would read big.txt and wait for the FIFO; only the table's paths are asked.
      const { status } = spawnSync("sh", ["-c", predicate], { cwd: dir, env, timeout: 10_000 });
      expect(status).toBe(verdict === "holds" ? 0 : 1);
    },
  );

  const same = OTHER_ROWS.filter(([predicate]) => !/^!? ?git diff|^true$|^:$/.test(predicate));
  it.each(same.map(([predicate, verdict]) => [predicate, verdict] as const))("%s", (predicate, verdict) => {
    const { status } = spawnSync("sh", ["-c", predicate], { cwd: dir, timeout: 10_000 });
    // `rev-parse --verify` takes any 40 hex digits for an object.
    if (/rev-parse --verify 1{40}/.test(predicate)) return expect(verdict).toBe("fails");
    expect(status === 0).toBe(verdict === "holds");
  });
});

describe("a branch that is not checked out", () => {
  it("asks its commit", async () => {
    git(dir, "branch", "-f", "other", "HEAD~1");
    const facts = await factsOf(dir, { commit: git(dir, "rev-parse", "other") });
    const rows: Row[] = [
      ["grep -q 'final class Parser' src/parser.ts", "holds"],
      ["grep -q third src/third.ts", "fails", "no longer exists"],
      ["grep -rq needle src", "holds"],
      ["grep -rq untracked .", "fails"],
      ["test -e src/third.ts", "fails"],
      ["test -x run.sh", "fails"],
      ["test -x words.txt", "fails"],
      ["test -d src/deep", "holds"],
      ["test -s empty.txt", "fails"],
      ["test -e untracked.txt", "fails"],
      ["git grep -q needle -- src", "holds"],
      ["git grep -q third -- src", "fails"],
      ["git ls-files --error-unmatch src/deep/inner.ts", "holds"],
      ["git ls-files --error-unmatch src/third.ts", "fails"],
      ["git cat-file -e HEAD:src/third.ts", "fails"],
      ["git cat-file -e HEAD:src/parser.ts", "holds"],
      ["git merge-base --is-ancestor main HEAD", "fails"],
      ["git diff --quiet -- words.txt", "holds"],
      ["git diff --quiet HEAD -- src/third.ts", "fails", "no longer exists"],
      ["git diff --quiet main -- .gitignore", "fails"],
      ["grep -q x ../x", "?", "outside the repository"],
      ["grep -q x /etc/passwd", "?", "outside the repository"],
    ];
    const given = await askAll(
      rows.map(([predicate]) => predicate),
      facts,
    );
    expect(rows.map(([predicate], at) => [predicate, given[at]?.verdict])).toEqual(
      rows.map(([predicate, verdict]) => [predicate, verdict === "?" ? "cannot-evaluate" : verdict]),
    );
    const own = await factsOf(dir, { commit: git(dir, "rev-parse", "main") });
    expect((await askAll(["test -x run.sh"], own))[0]?.verdict).toBe("holds");
    for (const [at, [, , note]] of rows.entries()) expect(given[at]?.note ?? "").toContain(note ?? "");
  });
});
