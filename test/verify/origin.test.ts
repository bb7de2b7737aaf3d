import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnGit } from "../../src/git/spawn.js";
import { checkDestination, checkOrigin, openOrigin } from "../../src/verify/origin.js";
import { commit, git, makeRepo, tempDir } from "../support/repo.js";
import { factsOf } from "./corpus/facts.js";

const limits = () => ({
  hook: false,
  now: new Date("2026-05-01T12:00:00Z"),
  maxAge: 7,
  predicateTimeout: 2000,
  deadline: Date.now() + 60_000,
});
const open = (project: string | undefined, env: NodeJS.ProcessEnv = process.env) =>
  openOrigin(
    { repo: "origin", git: "unknown", ...(project === undefined ? {} : { project }) },
    spawnGit(),
    env,
    limits(),
  );
const check = async (project: string, text: string) =>
  checkOrigin({ repo: "origin", project, git: text }, await open(project));

test("its HEAD is the main line where no remote is known", async () => {
  const dir = makeRepo();
  const old = git(dir, "rev-parse", "HEAD");
  commit(dir, { a: "a\n" });
  git(dir, "checkout", "-q", "-b", "gone");
  const dropped = commit(dir, { b: "b\n" });
  git(dir, "checkout", "-q", "main");
  expect(await check(dir, `main @ ${old}`)).toEqual({ ancestry: "ancestor", note: null });
  expect(await check(dir, `gone @ ${dropped}`)).toEqual({
    ancestry: "diverged",
    note: "not in the origin's HEAD",
  });
  expect(await check(dir, `main @ ${"3".repeat(40)}`)).toMatchObject({ ancestry: "unknown" });
});

test("its remote's default branch is the main line where that is known", async () => {
  const hub = makeRepo();
  const dir = join(tempDir("origin"), "clone");
  git(hub, "clone", "-q", hub, dir);
  const pushed = git(dir, "rev-parse", "HEAD");
  git(dir, "checkout", "-q", "-b", "feature");
  const local = commit(dir, { a: "a\n" });
  expect(await check(dir, `feature @ ${local}`)).toEqual({
    ancestry: "diverged",
    note: "in the origin's HEAD, not in origin/main yet",
  });
  expect(await check(dir, `main @ ${pushed}`)).toEqual({ ancestry: "ancestor", note: null });
  git(hub, "fetch", "-q", dir, "feature");
  git(hub, "merge", "-q", "--squash", "FETCH_HEAD");
  const as = commit(hub, {}, "squashed");
  git(dir, "fetch", "-q");
  expect(await check(dir, `feature @ ${local}`)).toEqual({
    ancestry: "rewritten",
    note: `now ${as.slice(0, 12)}`,
  });
});

test("a bare origin, a linked worktree and an unborn one", async () => {
  const dir = makeRepo();
  const oid = git(dir, "rev-parse", "HEAD");
  const bare = join(tempDir("bare"), "origin.git");
  git(dir, "clone", "-q", "--bare", dir, bare);
  expect(await check(bare, `main @ ${oid}`)).toEqual({ ancestry: "ancestor", note: null });
  const linked = join(tempDir("linked"), "tree");
  git(dir, "worktree", "add", "-q", "-b", "side", linked);
  expect(await check(linked, `main @ ${oid}`)).toEqual({ ancestry: "ancestor", note: null });
  const unborn = tempDir("unborn");
  git(unborn, "init", "-q");
  expect(await check(unborn, "none")).toEqual({ ancestry: "none", note: null });
});

test("what is no repository on this machine is unchecked", async () => {
  const dir = makeRepo();
  mkdirSync(join(dir, "inside"));
  const fifo = join(tempDir("fifo"), "fifo");
  execFileSync("mkfifo", [fifo]);
  for (const project of [
    undefined,
    "relative/path",
    "https://example.com/x.git",
    "//host/share",
    "\\\\host\\share",
    "/dev/fd/0",
    "/proc/self/cwd",
    "/tmp/../dev",
    fifo,
    join(dir, "README.md"),
    join(dir, "inside"),
    join(dir, "nowhere"),
    tempDir("plain"),
    "/\0",
  ]) {
    const opened = await open(project);
    expect(opened, String(project)).toEqual({ facts: null, note: expect.stringMatching(/\S/) });
    expect(await checkOrigin({ repo: "o", git: "none" }, opened)).toEqual({
      ancestry: "unchecked",
      note: opened.note,
    });
  }
});

test("an origin whose work tree is elsewhere is not followed there", async () => {
  const dir = makeRepo();
  git(dir, "config", "core.worktree", tempDir("elsewhere"));
  expect((await open(dir)).facts).toBeNull();
});

test("nothing of this repository's environment reaches the origin, and nothing is run there", async () => {
  const dir = makeRepo();
  const other = makeRepo("other");
  const ran = join(tempDir("ran"), "ran");
  git(dir, "config", "core.fsmonitor", `touch ${ran}`);
  const opened = await open(dir, { ...process.env, GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other });
  expect(opened.facts?.repository.workTree).toBe(dir);
  await checkOrigin({ repo: "o", git: `main @ ${git(dir, "rev-parse", "HEAD")}` }, opened);
  expect(existsSync(ran)).toBe(false);
});

test("the origin's commit is looked up in the origin alone, though it is here too", async () => {
  const here = makeRepo();
  git(here, "checkout", "-q", "-b", "topic");
  const oid = commit(here, { a: "a\n" });
  const origin = join(tempDir("origin"), "clone");
  git(here, "clone", "-q", here, origin);
  git(here, "checkout", "-q", "main");
  expect(await check(origin, `topic @ ${oid}`)).toMatchObject({ ancestry: "ancestor" });
  expect(await checkDestination([{ git: `topic @ ${oid}` }], await factsOf(here))).toMatchObject([
    { ancestry: "ancestor" },
  ]);
});

test("destination: the branch it names where that is here, else HEAD; one process for the branches", async () => {
  const dir = makeRepo();
  const first = git(dir, "rev-parse", "HEAD");
  const main = commit(dir, { m: "m\n" }, "main goes on");
  git(dir, "checkout", "-q", "-b", "old/branch", first);
  const old = commit(dir, { o: "o\n" }, "old branch");
  git(dir, "checkout", "-q", "-b", "topic", main);
  const tip = commit(dir, { t: "t\n" }, "topic");
  const facts = await factsOf(dir);
  const items = [
    { git: `main @ ${main}` },
    { git: `old/branch @ ${old}` },
    { git: `not-here @ ${old}` },
    { git: `not-here @ ${tip}` },
    { git: `old @ ${first}` },
    { git: "none" },
    { git: "unknown" },
  ];
  expect((await checkDestination(items, facts)).map(({ ancestry }) => ancestry)).toEqual([
    "ancestor",
    "ancestor",
    "diverged",
    "ancestor",
    "ancestor",
    "none",
    "unknown",
  ]);
  const branches = facts.calls.filter(([command]) => command === "for-each-ref");
  expect(branches).toHaveLength(1);
  const many = await factsOf(dir);
  await checkDestination(
    [...items, ...items, ...items].concat(new Array(50).fill({ git: `main @ ${first}` })),
    many,
  );
  expect(many.calls.length).toBeLessThanOrEqual(facts.calls.length + 4);
});
