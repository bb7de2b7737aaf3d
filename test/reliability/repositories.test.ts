// A handoff's whole life in every kind of repository that git makes: same results, nothing else touched.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/spec.js";
import { commit, git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { snapshot } from "../support/tree.js";
import { expectTidy, expectWhole } from "./program.js";

interface Kind {
  dir: string;
  /** Options of `git init` that its hub must share. */
  init?: string[];
  env?: Record<string, string>;
  /** What must hold of this kind afterwards. */
  after?(dir: string): void;
}

/** Config that the environment brings, as `git -c` does. */
function configured(key: string, value: string): Record<string, string> {
  return { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value };
}

function bareClone(): string {
  const bare = join(tempDir("bare"), "bare.git");
  git(tempDir(), "clone", "-q", "--bare", makeRepo("source"), bare);
  git(bare, "remote", "remove", "origin");
  return bare;
}

const hasReftable =
  spawnSync("git", ["init", "-q", "--ref-format=reftable", tempDir("probe")], { stdio: "ignore" }).status ===
  0;
if (!hasReftable) console.warn("NOT RUN: reftable (this git has none)");

const KINDS: Record<string, () => Kind> = {
  sha256: () => ({ dir: makeRepo("sha256", ["--object-format=sha256"]), init: ["--object-format=sha256"] }),
  ...(hasReftable
    ? {
        reftable: () => ({ dir: makeRepo("reftable", ["--ref-format=reftable"]) }),
        "reftable with sha256": () => ({
          dir: makeRepo("both", ["--ref-format=reftable", "--object-format=sha256"]),
          init: ["--object-format=sha256"],
        }),
      }
    : {}),
  "where bare repositories must be named": () => ({
    dir: makeRepo("explicit"),
    env: configured("safe.bareRepository", "explicit"),
  }),
  "a bare one, named as it must be": () => {
    const dir = bareClone();
    return { dir, env: { ...configured("safe.bareRepository", "explicit"), GIT_DIR: dir } };
  },
  "with its objects in an alternate": () => {
    const dir = join(tempDir("shared"), "shared");
    git(tempDir(), "clone", "-q", "--shared", makeRepo("lender"), dir);
    git(dir, "remote", "remove", "origin");
    return { dir };
  },
  "shared by a group": () => ({
    dir: makeRepo("group", ["--shared=group"]),
    after: (dir) => {
      const log = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/main/");
      for (const path of [log, `logs/${log}`, "refs/handoff/main", "config"])
        expect(statSync(join(dir, ".git", path)).mode & 0o060, path).toBe(0o060);
      const objects = readdirSync(join(dir, ".git/objects"), { recursive: true, encoding: "utf8" });
      for (const name of objects.filter((each) => /^[0-9a-f]{2}\//.test(each)))
        expect(statSync(join(dir, ".git/objects", name)).mode & 0o040, name).toBe(0o040);
    },
  }),
  "with its git directory elsewhere, under a difficult path": () => {
    const top = join(tempDir("else"), "a b\t'ü$(x)\"");
    mkdirSync(top);
    const dir = join(top, "tree");
    git(top, "init", "-q", "--separate-git-dir", join(top, "git dir"), dir);
    commit(dir, { "README.md": "# fixture\n" });
    return { dir };
  },
  "a linked worktree of a bare one": () => {
    const dir = join(tempDir("linked"), "linked");
    git(bareClone(), "worktree", "add", "-q", "-b", "side", dir);
    return { dir };
  },
  "a shallow one": () => {
    const source = makeRepo("deep");
    commit(source, { "README.md": "# more\n" });
    const dir = join(tempDir("shallow"), "shallow");
    git(tempDir(), "clone", "-q", "--depth=1", `file://${source}`, dir);
    git(dir, "remote", "remove", "origin");
    const before = readFileSync(join(dir, ".git/shallow"), "utf8");
    return { dir, after: () => expect(readFileSync(join(dir, ".git/shallow"), "utf8")).toBe(before) };
  },
  "a submodule": () => {
    const outer = makeRepo("outer");
    git(outer, "submodule", "--quiet", "add", makeRepo("inner"), "inner");
    const dir = join(outer, "inner");
    git(dir, "remote", "remove", "origin");
    return { dir };
  },
  "with per-worktree configuration and no reflogs": () => {
    const dir = makeRepo("worktree-config");
    git(dir, "config", "extensions.worktreeConfig", "true");
    git(dir, "config", "core.logAllRefUpdates", "false");
    git(dir, "config", "--worktree", "handoff.writer", "other-000000");
    return {
      dir,
      after: (at) => expect(git(at, "for-each-ref", "refs/handoff/")).not.toContain("other-000000"),
    };
  },
  "without a commit": () => {
    const dir = tempDir("unborn");
    git(dir, "init", "-q");
    return { dir };
  },
};

describe.each(Object.keys(KINDS))("a repository %s", (name) => {
  test("takes a handoff from its writing to the end", { timeout: 120_000 }, () => {
    const { dir, init = [], env = {}, after } = KINDS[name]?.() ?? { dir: "" };
    const plain = { ...process.env, ...env };
    const asGit = (...args: string[]) =>
      spawnSync("git", args, { cwd: dir, encoding: "utf8", env: plain }).stdout;
    const outside = () =>
      [
        ["status", "--porcelain"],
        ["for-each-ref", "refs/heads", "refs/tags", "refs/remotes"],
        ["symbolic-ref", "HEAD"],
      ]
        .map((args) => asGit(...args))
        .join("\n");
    const before = outside();
    const say = (...args: string[]): string => {
      const answer = handoff(dir, args, { env });
      expectTidy(answer, args);
      expect({ args, code: answer.code, stderr: answer.code === 0 ? "" : answer.stderr }).toEqual({
        args,
        code: 0,
        stderr: "",
      });
      expect(outside(), args.join(" ")).toBe(before);
      return answer.stdout;
    };
    const written = JSON.parse(say("write", "-m", "go on", "--state", "Half done.", "--json"));
    expect(asGit("show", `${written.ref}:${written.path}`)).toContain("Half done.");
    expect(say()).toContain("go on");
    const appended = JSON.parse(say("write", "--append", "-m", "go further", "--json"));
    const report = JSON.parse(say("read", "--json"));
    expect(report.handoffs.map(({ id }: { id: string }) => id)).toEqual([appended.id]);
    expect(report.handoffs[0].sections.state).toBe("Half done.");
    expect(say("log").match(/write|append/g)?.length).toBeGreaterThanOrEqual(2);
    const note = JSON.parse(say("write", "--inbox", "--breaking", "--impact", "x", "-m", "a note", "--json"));
    expect(say("inbox")).toContain("!! BREAKING");
    say("ack", note.id);
    say("close");
    expect(say("list", "--all")).toBe("");

    const hub = join(tempDir("hub"), "hub.git");
    git(tempDir(), "init", "-q", "--bare", ...init, hub);
    // Without a branch in it git 2.39 clones a sha256 repository as a sha1 one.
    asGit("push", "-q", hub, "HEAD:refs/heads/main");
    asGit("remote", "add", "origin", hub);
    say("push");
    const clone = join(tempDir("clone"), "clone");
    git(tempDir(), "clone", "-q", hub, clone);
    expect(handoff(clone, ["fetch"])).toMatchObject({ code: 0 });
    const states = (at: string, using: Record<string, string>) =>
      JSON.parse(handoff(at, ["list", "--all", "--closed", "--json"], { env: using }).stdout)
        .handoffs.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`)
        .sort();
    expect(states(clone, {})).toEqual(states(dir, env));
    expect(states(clone, {})).toHaveLength(3);
    say("prune", "--force", "--older-than", "0");
    expect(say("show", appended.id, "--raw")).toContain("go further");
    expect(asGit("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
    expectWhole(hub);
    after?.(dir);
  });
});

describe("a partial clone", () => {
  test("reads without a download, and says what is not here", { timeout: 120_000 }, () => {
    const source = makeRepo("source");
    git(source, "config", "uploadpack.allowFilter", "true");
    expect(handoff(source, ["write", "-m", "go on"])).toMatchObject({ code: 0 });
    const dir = join(tempDir("partial"), "partial");
    git(tempDir(), "clone", "-q", "--filter=blob:none", `file://${source}`, dir);
    git(dir, "fetch", "-q", "origin", "+refs/handoff/*:refs/handoff-remotes/*/origin");
    const before = snapshot(join(dir, ".git"));
    for (const args of [["read"], ["list"], ["inbox"], ["log"], ["check"]])
      expectTidy(handoff(dir, args), args);
    const { code, stdout, stderr } = handoff(dir, ["read"]);
    expect({ code, said: `${stdout}${stderr}` }).toEqual({
      code: 0,
      said: expect.stringMatching(/1 handoffs? for main (?:is|are) not downloaded: git handoff fetch/),
    });
    expect(snapshot(join(dir, ".git"))).toEqual(before);
    expect(handoff(dir, ["fetch"])).toMatchObject({ code: 0 });
    renameSync(source, `${source}.away`);
    expect(handoff(dir, ["read"]).stdout).toContain("go on");
    writeFileSync(join(dir, "new.txt"), "");
    expect(handoff(dir, ["write", "--append", "-m", "further"])).toMatchObject({ code: 0 });
    expect(handoff(dir, ["close"])).toMatchObject({ code: 0 });
  });
});

const NO_BRANCH =
  "fatal: Cannot write a handoff: no git branch resolvable. Run from inside a git repo on a named branch.\n";

test("outside a repository every command that needs one says so as git does, and the others answer", {
  timeout: 120_000,
}, () => {
  const dir = tempDir("outside");
  const words: Record<string, string[]> = {
    show: ["0000000"],
    ack: ["0000000"],
    reopen: ["0000000"],
    redact: ["0000000", "--yes"],
    export: ["0000000", "--format", "park"],
    import: ["x.md"],
    mv: ["a", "b"],
    send: [".", "-m", "x", "--no-breaking", "--impact", "x"],
    lesson: ["x"],
    write: ["-m", "x"],
    completion: ["bash"],
  };
  const free = new Set(["schema", "completion", "help", "session-start"]);
  for (const { name } of COMMANDS) {
    const args = [name, ...(words[name] ?? [])];
    const { code, stdout, stderr } = handoff(dir, args);
    const outside = {
      code: 128,
      stdout: "",
      stderr: "fatal: not a git repository (or any of the parent directories): .git\n",
    };
    if (name === "write")
      expect({ code, stdout, stderr }).toEqual({ code: 128, stdout: "", stderr: NO_BRANCH });
    else if (free.has(name)) expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    else expect({ args, code, stdout, stderr }).toEqual({ args, ...outside });
  }
  expect(readdirSync(dir)).toEqual([]);
});

test("on a detached HEAD: silent about the journal, the inbox still shown, and no journal handoff written", () => {
  const dir = makeRepo("detached");
  for (const args of [
    ["write", "-m", "journal"],
    ["write", "--inbox", "--breaking", "--impact", "x", "-m", "a note"],
  ])
    expect(handoff(dir, args)).toMatchObject({ code: 0 });
  git(dir, "switch", "-q", "--detach");
  const read = handoff(dir, ["read"]);
  expect({ code: read.code, journal: read.stdout.includes("journal") }).toEqual({ code: 0, journal: false });
  expect(read.stdout).toContain("a note");
  expect(handoff(dir, ["write", "-m", "x"])).toMatchObject({
    code: 128,
    stdout: "",
    stderr: NO_BRANCH,
  });
  expect(handoff(dir, ["write", "--inbox", "--no-breaking", "--impact", "x", "-m", "another"])).toMatchObject(
    { code: 0 },
  );
});
