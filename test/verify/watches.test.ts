import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { checkWatches } from "../../src/verify/watches.js";
import { commit, git, makeRepo, tempDir } from "../support/repo.js";
import { factsOf } from "./corpus/facts.js";

afterEach(() => vi.unstubAllEnvs());

/** A `gh` that prints `output` and notes its arguments. */
function fakeGh(output: string, code = 0): string {
  const dir = tempDir("gh");
  writeFileSync(join(dir, "gh"), `#!/bin/sh\necho "$*" >>'${dir}/asked'\necho '${output}'\nexit ${code}\n`);
  chmodSync(join(dir, "gh"), 0o755);
  return dir;
}

test.each([
  ["2026-04-30", true],
  ["2026-05-01", false],
  ["2026-05-02", false],
  ["2026-05-01T11:59:00Z", true],
  ["2026-05-01T14:30:00+02:00", false],
  ["soon", null],
])("until %s", async (until, due) => {
  const [report] = await checkWatches([{ until }], await factsOf(makeRepo()));
  expect(report).toMatchObject({ until, due });
  if (due === null) expect(report?.note).toBeTruthy();
});

test("refs: due when moved, one process for all, null for what is not here", async () => {
  const repo = makeRepo();
  const at = git(repo, "rev-parse", "HEAD");
  git(repo, "branch", "still");
  git(repo, "tag", "-a", "-m", "v1", "v1");
  const now = commit(repo, { a: "a\n" });
  const facts = await factsOf(repo);
  const reports = await checkWatches(
    [
      { ref: "refs/heads/main", at, note: "the fix lands" },
      { ref: "main", at: now },
      { ref: "still", at: at.slice(0, 9) },
      { ref: "v1", at },
      { ref: "refs/remotes/origin/main", at },
      { ref: "main" },
      { ref: "--all", at },
      { ref: ":/first", at },
      { ref: "main@{1}", at },
    ],
    facts,
  );
  expect(reports.map(({ due }) => due)).toEqual([true, false, false, false, null, null, null, null, null]);
  expect(reports[0]?.note).toBe(`the fix lands; refs/heads/main is now ${now.slice(0, 12)}`);
  expect(reports[4]?.note).toContain("not here");
  expect(facts.calls).toHaveLength(1);
});

test("a pull request is due when its state is another", async () => {
  const repo = makeRepo();
  vi.stubEnv("PATH", `${fakeGh('{"state":"MERGED"}')}:${process.env.PATH}`);
  const reports = await checkWatches(
    [{ pr: 7, state: "OPEN" }, { pr: 7, state: "merged" }, { pr: 7 }],
    await factsOf(repo, { predicateTimeout: 20_000 }),
  );
  expect(reports.map(({ due }) => due)).toEqual([true, false, null]);
  expect(reports[0]?.note).toBe("pull request is MERGED");
});

test("a pull request is not asked in a hook, and unknown where gh cannot answer", async () => {
  const repo = makeRepo();
  const watches = [{ pr: 7, state: "OPEN" }];
  vi.stubEnv("PATH", `${fakeGh('{"state":"MERGED"}')}:${process.env.PATH}`);
  const [hook] = await checkWatches(watches, await factsOf(repo, { hook: true }));
  expect(hook).toMatchObject({ due: null, note: expect.stringContaining("hook") });
  for (const [output, code] of [
    ["", 1],
    ["no json", 0],
    ["[]", 0],
    ["{}", 0],
  ] as const) {
    vi.stubEnv("PATH", `${fakeGh(output, code)}:${process.env.PATH}`);
    const [report] = await checkWatches(watches, await factsOf(repo, { predicateTimeout: 20_000 }));
    expect(report).toMatchObject({ due: null, note: "gh could not answer" });
  }
});

test("a watch that says nothing is null, and its own words stay", async () => {
  const [report] = await checkWatches([{ note: "keep an eye on it", extra: 1 }], await factsOf(makeRepo()));
  expect(report).toMatchObject({ due: null, extra: 1, note: expect.stringContaining("keep an eye on it") });
});
