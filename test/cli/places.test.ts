// Every command where git can be called from: an answer or git's own kind of error, and nothing else changed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/commands/spec.js";
import { commit, git, handoff, makeRepo, tempDir } from "../support/repo.js";

const PLACES: Record<string, () => string> = {
  "a subfolder": () => join(makeRepo("sub"), "src"),
  "a linked worktree": () => {
    const repo = makeRepo("main");
    const linked = join(tempDir("linked"), "linked");
    git(repo, "worktree", "add", "-q", "-b", "side", linked);
    return linked;
  },
  "a submodule": () => {
    const repo = makeRepo("super");
    git(repo, "submodule", "--quiet", "add", makeRepo("inner"), "inner");
    return join(repo, "inner");
  },
  "a bare repository": () => {
    const bare = join(tempDir("bare"), "bare.git");
    git(tempDir(), "clone", "-q", "--bare", makeRepo("source"), bare);
    return bare;
  },
  "a shallow clone": () => {
    const source = makeRepo("deep");
    commit(source, { a: "1" });
    commit(source, { a: "2" });
    const shallow = join(tempDir("shallow"), "shallow");
    git(tempDir(), "clone", "-q", "--depth=1", `file://${source}`, shallow);
    return shallow;
  },
  "a repository without commits": () => {
    const dir = tempDir("unborn");
    git(dir, "init", "-q");
    return dir;
  },
  "a detached HEAD": () => {
    const repo = makeRepo("detached");
    git(repo, "switch", "-q", "--detach");
    return repo;
  },
  "a repository with sha256": () => makeRepo("sha256", ["--object-format=sha256"]),
  "a folder inside .git": () => join(makeRepo("inside"), ".git/hooks"),
  "a branch with a difficult name": () => {
    const repo = makeRepo("names");
    git(repo, "switch", "-q", "-c", "feat/日本語;a$b's");
    return repo;
  },
};

const WORDS: Record<string, string[]> = {
  ack: ["0000000"],
  reopen: ["0000000"],
  redact: ["0000000", "--yes"],
  show: ["0000000"],
  export: ["0000000", "--format", "park"],
  mv: ["main", "other"],
  send: ["/nowhere/at/all", "-m", "x", "--no-breaking", "--impact", "x"],
  import: ["nowhere.md"],
  lesson: ["ask before installing"],
  completion: ["bash"],
  write: ["-m", "go on"],
};

/** What no command may touch: the files, and all refs but its own. */
function outside(dir: string): string {
  const bare = git(dir, "rev-parse", "--is-inside-work-tree") === "false";
  return [
    bare ? "" : git(dir, "status", "--porcelain"),
    git(dir, "for-each-ref", "refs/heads", "refs/tags", "refs/remotes", "refs/stash"),
    readFileSync(join(git(dir, "rev-parse", "--absolute-git-dir"), "HEAD"), "utf8"),
  ].join("\n");
}

describe.each(Object.keys(PLACES))("in %s", (place) => {
  it("every command answers", () => {
    const dir = PLACES[place]?.() ?? "";
    const before = outside(dir);
    for (const { name } of COMMANDS.filter(
      (command) => !["session-start", "install", "uninstall"].includes(command.name),
    )) {
      const { code, stdout, stderr } = handoff(dir, [name, ...(WORDS[name] ?? [])]);
      const said = { place, name, stdout, stderr };
      expect([0, 1, 128], JSON.stringify(said)).toContain(code);
      expect(stderr, JSON.stringify(said)).not.toMatch(
        /^\s+at |TypeError|ReferenceError|ENOENT|undefined|\[object/m,
      );
      if (code === 128) expect(stderr, JSON.stringify(said)).toMatch(/^fatal: |\nfatal: /);
    }
    expect(outside(dir)).toBe(before);
  });
});

it("works without a name or an address", () => {
  const repo = makeRepo("nobody");
  const home = tempDir("nobody-home");
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tuseConfigOnly = true\n");
  const env = { HOME: home, XDG_STATE_HOME: undefined, EMAIL: undefined };
  expect(handoff(repo, ["write", "-m", "go on"], { env })).toMatchObject({ code: 0 });
  expect(handoff(repo, ["list"], { env }).stdout).toContain("go on");
  expect(handoff(repo, ["close"], { env })).toMatchObject({ code: 0 });
});

it("works where the home folder cannot be written or is not there", () => {
  const repo = makeRepo("homeless");
  const env = { HOME: "/nonexistent/home", XDG_STATE_HOME: undefined };
  expect(handoff(repo, ["write", "-m", "go on"], { env })).toMatchObject({ code: 0 });
  expect(handoff(repo, [], { env })).toMatchObject({ code: 0 });
});

it("takes the repository that git was told", () => {
  const repo = makeRepo("told");
  const elsewhere = tempDir("elsewhere");
  mkdirSync(join(elsewhere, "deep"));
  const env = { GIT_DIR: join(repo, ".git"), GIT_WORK_TREE: repo };
  expect(handoff(elsewhere, ["write", "-m", "go on"], { env })).toMatchObject({ code: 0 });
  expect(handoff(repo, ["list"]).stdout).toContain("go on");
});
