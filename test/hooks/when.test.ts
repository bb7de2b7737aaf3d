import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakePackage, gitRun, installHook, openHandoff } from "../support/hook.js";
import { commit, git, makeRepo, put, tempDir } from "../support/repo.js";

const fake = fakePackage();

/** `main` and `other` with a common root and one commit more each, both with an open handoff; on `main`. */
function twoBranches(): string {
  const dir = makeRepo("when");
  git(dir, "switch", "-q", "-c", "other");
  commit(dir, { "other.txt": "other\n" });
  git(dir, "switch", "-q", "main");
  commit(dir, { "main.txt": "main\n" });
  for (const branch of ["main", "other", "new"]) openHandoff(dir, branch);
  installHook(dir, fake);
  return dir;
}

/** A clone of it whose `main` is one commit behind. */
function clonedBehind(): string {
  const dir = join(tempDir("clone"), "clone");
  const upstream = twoBranches();
  gitRun(upstream, ["clone", "-q", upstream, dir]);
  commit(upstream, { "later.txt": "later\n" });
  openHandoff(dir, "main");
  openHandoff(dir, "other");
  installHook(dir, fake);
  return dir;
}

/** How often the handoff was shown while these ran; what they exit with does not matter here. */
function shown(dir: string, ...calls: string[][]): number {
  return calls.map((args) => gitRun(dir, args).stderr.split("SHOWN").length - 1).reduce((a, b) => a + b, 0);
}

const words = (call: string): string[] => call.split(" ");

describe("commands that end on a branch show its handoff", () => {
  it.each([
    "checkout other",
    "switch other",
    "checkout main",
    "checkout -b new",
    "switch -c new",
    "checkout -B new",
    "switch --orphan new",
    "checkout --orphan new",
    "checkout -m other",
    "checkout -f other",
    "worktree add ../linked other",
    "worktree add -b new ../linked",
    "rebase main main",
  ])("git %s", (call) => {
    expect(shown(twoBranches(), words(call))).toBe(1);
  });

  it("git checkout -", () => {
    expect(shown(twoBranches(), ["checkout", "other"], ["checkout", "-"])).toBe(2);
  });

  it("leaving an unborn branch", () => {
    expect(shown(twoBranches(), words("switch --orphan nothing"), words("switch -f main"))).toBe(1);
  });

  it("git stash branch, and the stash is applied", () => {
    const dir = twoBranches();
    put(dir, "README.md", "changed\n");
    git(dir, "stash");
    expect(shown(dir, words("stash branch new"))).toBe(1);
    expect(git(dir, "status", "--porcelain")).toContain("README.md");
  });

  it("a branch made from a remote one, named or guessed", () => {
    expect(shown(clonedBehind(), words("checkout --track origin/other"))).toBe(1);
    expect(shown(clonedBehind(), words("switch other"))).toBe(1);
  });
});

describe("commands that are no sitting down to work on a branch stay silent", () => {
  it.each([
    "switch --detach other",
    "checkout other~0",
    "checkout -- README.md",
    "checkout other -- other.txt",
    "checkout .",
    "restore README.md",
    "checkout nowhere",
    "worktree add --detach ../linked",
    "worktree add --no-checkout ../linked other",
    "rebase other",
    "rebase --apply other",
    "rebase main",
    "merge other",
    "reset --hard HEAD~1",
    "cherry-pick other",
    "revert --no-edit HEAD",
    "commit --allow-empty -m x",
    "commit --amend --no-edit",
    "branch -m renamed",
    "branch -D other",
    "symbolic-ref HEAD refs/heads/other",
    "read-tree -u -m other",
    "checkout-index -a -f",
    "update-ref refs/heads/extra HEAD",
    "fetch . other:extra",
  ])("git %s", (call) => {
    expect(shown(twoBranches(), words(call))).toBe(0);
  });

  it("a rebase that stops, goes on, or is aborted", () => {
    const dir = twoBranches();
    git(dir, "switch", "-q", "other");
    commit(dir, { "main.txt": "conflict\n" });
    expect(shown(dir, ["rebase", "main"], ["rebase", "--abort"])).toBe(0);
    expect(git(dir, "symbolic-ref", "--short", "HEAD")).toBe("other");
    expect(shown(dir, ["rebase", "main"])).toBe(0);
    put(dir, "main.txt", "resolved\n");
    git(dir, "add", "-A");
    expect(shown(dir, ["-c", "core.editor=true", "rebase", "--continue"])).toBe(0);
    expect(git(dir, "symbolic-ref", "--short", "HEAD")).toBe("other");
  });

  it("a checkout in the middle of a rebase", () => {
    const dir = twoBranches();
    git(dir, "switch", "-q", "other");
    commit(dir, { "main.txt": "conflict\n" });
    gitRun(dir, ["rebase", "main"]);
    expect(shown(dir, ["checkout", "-f", "main"])).toBe(0);
  });

  it("a bisect from start to reset", () => {
    const dir = twoBranches();
    for (const n of [1, 2, 3, 4]) commit(dir, { "n.txt": `${n}\n` });
    const calls = ["start", "bad", "good HEAD~4", "good", "reset"];
    expect(shown(dir, ...calls.map((call) => ["bisect", ...words(call)]))).toBe(0);
    expect(git(dir, "symbolic-ref", "--short", "HEAD")).toBe("main");
  });

  it("git stash and stash pop", () => {
    const dir = twoBranches();
    put(dir, "README.md", "changed\n");
    expect(shown(dir, ["stash"], ["stash", "pop"])).toBe(0);
  });

  it.each(["pull", "pull --ff-only", "pull --rebase"])("git %s", (call) => {
    expect(shown(clonedBehind(), words(call))).toBe(0);
  });

  it("git pull --rebase that has something to rebase", () => {
    const dir = clonedBehind();
    commit(dir, { "mine.txt": "mine\n" });
    expect(shown(dir, ["pull", "--rebase"])).toBe(0);
    expect(git(dir, "log", "-1", "--format=%s")).toBe("change");
  });

  it("git clone, in which no handoffs are there yet", () => {
    const template = tempDir("template");
    mkdirSync(join(template, "hooks"));
    const upstream = twoBranches();
    gitRun(upstream, ["clone", "-q", upstream, join(template, "x")]);
    const hooks = join(template, "x");
    installHook(hooks, fake);
    const from = join(hooks, ".git");
    for (const extra of [[], ["-n"], ["--bare"], ["-b", "other"]]) {
      const target = join(tempDir("clone"), "c");
      expect(shown(upstream, ["clone", "-q", `--template=${from}`, ...extra, upstream, target])).toBe(0);
    }
  });

  it("the superproject's submodules", () => {
    const dir = twoBranches();
    const library = makeRepo("library");
    expect(shown(dir, ["submodule", "add", library, "library"], ["submodule", "update"])).toBe(0);
  });
});

describe("settings", () => {
  it("GIT_HANDOFF=0 turns it off", () => {
    const dir = twoBranches();
    expect(gitRun(dir, ["switch", "other"], { GIT_HANDOFF: "0" }).stderr).not.toContain("SHOWN");
    expect(gitRun(dir, ["switch", "main"], { GIT_HANDOFF: "1" }).stderr).toContain("SHOWN");
  });
});
