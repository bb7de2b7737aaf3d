// What git's other commands do to handoffs, and handoffs to them: what the README says under "With the rest of git".
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { commit, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { expectWhole } from "./program.js";

let hub: string;
let ada: string;
let bob: string;

function ok(dir: string, ...args: string[]): string {
  const { code, stdout, stderr } = handoff(dir, args);
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

/** Every document and where it stands, as a clone sees it. */
function view(dir: string): string[] {
  const { handoffs } = JSON.parse(ok(dir, "list", "--all", "--closed", "--json"));
  return handoffs.map(({ id, state, branch }: Record<string, string>) => `${branch} ${id} ${state}`).sort();
}

function refs(dir: string, ...prefixes: string[]): string[] {
  const names = git(dir, "for-each-ref", "--format=%(refname)", ...prefixes);
  return names.split("\n").filter(Boolean);
}

/** What git says of the code alone. */
function code(dir: string): string[] {
  const asked = [
    ["log", "--oneline", "--branches", "--tags", "--remotes"],
    ["describe", "--tags"],
    ["describe", "--all"],
    ["describe", "--contains", "HEAD"],
    ["branch", "-a"],
    ["status", "-sb"],
    ["name-rev", "HEAD"],
  ];
  return asked.map((args) => git(dir, ...args));
}

beforeEach(() => {
  hub = join(tempDir("hub"), "hub.git");
  git(tempDir(), "init", "-q", "--bare", hub);
  ada = makeRepo("ada");
  git(ada, "tag", "-a", "v1", "-m", "v1");
  git(ada, "remote", "add", "origin", hub);
  git(ada, "push", "-q", "-u", "origin", "main", "v1");
  bob = join(tempDir("bob"), "bob");
  git(tempDir(), "clone", "-q", hub, bob);
  ok(ada, "write", "-m", "Ada's first");
  ok(ada, "write", "--append", "-m", "Ada's second");
});

describe("looking", () => {
  test("log of branches, describe, branch and status are as without handoffs; log --all shows them, unless told not to", () => {
    ok(ada, "install");
    ok(ada, "sync");
    ok(bob, "install");
    git(bob, "fetch", "-q");
    for (const dir of [ada, bob]) {
      const bare = join(tempDir("plain"), "plain");
      git(tempDir(), "clone", "-q", hub, bare);
      if (dir === bob) expect(code(bob)).toEqual(code(bare));
      expect(code(dir).join("\n")).not.toContain("Ada's");
      expect(git(dir, "log", "--oneline", "--all")).toContain("Ada's first");
      expect(git(dir, "log", "--oneline", "--exclude=refs/handoff*", "--all")).not.toContain("Ada's first");
    }
  });
});

describe("sending", () => {
  test("push, push --all, push --tags and push --follow-tags leave handoffs at home", () => {
    for (const args of [[], ["--all"], ["--tags"], ["--follow-tags"]]) git(ada, "push", "-q", ...args);
    expect(refs(hub, "refs/handoff", "refs/handoff-remotes")).toEqual([]);
  });

  test("push --mirror takes them along, and deletes there what this clone does not have; its owner's next push brings it back", () => {
    ok(ada, "push");
    ok(bob, "write", "-m", "Bob's");
    git(bob, "push", "-q", "--mirror", "origin");
    expect(refs(hub, "refs/handoff")).toEqual([`refs/handoff/main/${git(bob, "config", "handoff.writer")}`]);
    // It is at Ada's still, and nobody takes the absence for a deletion.
    ok(ada, "fetch");
    expect(view(ada)).toHaveLength(3);
    ok(ada, "push");
    ok(bob, "fetch");
    expect(view(bob)).toEqual(view(ada));
  });

  test("a mirror remote is warned of", () => {
    git(ada, "remote", "add", "--mirror=push", "copy", hub);
    const { stdout, stderr } = handoff(ada, ["doctor"]);
    expect(`${stdout}${stderr}`).toMatch(/mirror/);
  });
});

describe("fetching and cloning", () => {
  test("fetch --prune and remote prune take copies away that the remote has no more, never what was written here", () => {
    ok(bob, "install");
    ok(ada, "push");
    git(bob, "fetch", "-q");
    ok(bob, "write", "--append", "-m", "Bob's");
    const own = refs(bob, "refs/handoff");
    git(hub, "update-ref", "-d", refs(hub, "refs/handoff")[0] ?? "");
    git(bob, "config", "fetch.prune", "true");
    git(bob, "fetch", "-q", "--prune");
    git(bob, "remote", "prune", "origin");
    git(bob, "pull", "-q", "--prune");
    expect(refs(bob, "refs/handoff")).toEqual(own);
    expect(ok(bob)).toContain("Bob's");
    // What was closed by the append stays so, whatever copy of it comes back.
    ok(ada, "push");
    git(bob, "fetch", "-q");
    expect(view(bob).filter((line) => line.endsWith(" open"))).toHaveLength(1);
  });

  test("in a clone --mirror a fetch --prune deletes what was written there: told of by doctor and fetch", () => {
    ok(ada, "push");
    const mirror = join(tempDir("mirror"), "mirror.git");
    git(tempDir(), "clone", "-q", "--mirror", hub, mirror);
    const written = handoff(mirror, ["write", "--append", "-m", "written in the mirror"]);
    expect(written).toMatchObject({ code: 0 });
    const [own = ""] = refs(mirror, "refs/handoff").filter(
      (name) => !refs(hub, "refs/handoff").includes(name),
    );
    expect(own).not.toBe("");
    for (const verb of ["doctor", "fetch"]) {
      const { stdout, stderr } = handoff(mirror, [verb]);
      expect(`${stdout}${stderr}`, verb).toMatch(
        /'\+refs\/\*:refs\/\*' writes onto refs\/handoff\/.*--prune deletes/,
      );
    }
    expect(refs(mirror, "refs/handoff")).toContain(own);
    git(mirror, "fetch", "-q", "--prune");
    expect(refs(mirror, "refs/handoff")).not.toContain(own);
  });

  test("a clone has none until it fetches them; clone --mirror has all", () => {
    ok(ada, "push");
    const clone = join(tempDir("clone"), "clone");
    git(tempDir(), "clone", "-q", hub, clone);
    expect(refs(clone, "refs/handoff", "refs/handoff-remotes")).toEqual([]);
    expect(ok(clone, "list", "--all")).toBe("");
    ok(clone, "fetch");
    expect(view(clone)).toEqual(view(ada));
    const mirror = join(tempDir("mirror"), "mirror.git");
    git(tempDir(), "clone", "-q", "--mirror", hub, mirror);
    expect(view(mirror)).toEqual(view(ada));
  });

  test("a bundle of everything carries them, one of branches does not", () => {
    const all = join(tempDir("bundle"), "all.bundle");
    git(ada, "bundle", "create", "-q", all, "--all");
    git(bob, "remote", "add", "post", all);
    ok(bob, "fetch", "post");
    expect(view(bob)).toEqual(view(ada));
    const branches = join(tempDir("bundle"), "branches.bundle");
    git(ada, "bundle", "create", "-q", branches, "--branches", "--tags");
    expect(git(ada, "bundle", "list-heads", branches)).not.toContain("refs/handoff");
  });
});

describe("tidying up", () => {
  test("gc --prune=now, repack, pack-refs, reflog expire and fsck on a quiet repository change nothing that is shown", () => {
    ok(ada, "write", "--inbox", "--breaking", "--impact", "x", "-m", "note");
    ok(ada, "close");
    const before = view(ada);
    const shown = before.map((line) => ok(ada, "show", line.split(" ")[1] ?? "", "--raw"));
    git(ada, "reflog", "expire", "--expire=now", "--all");
    git(ada, "pack-refs", "--all", "--prune");
    git(ada, "repack", "-adfq");
    git(ada, "gc", "-q", "--prune=now");
    expectWhole(ada);
    expect(view(ada)).toEqual(before);
    expect(before.map((line) => ok(ada, "show", line.split(" ")[1] ?? "", "--raw"))).toEqual(shown);
    ok(ada, "write", "-m", "and on");
    ok(ada, "push");
  });

  test("a worktree that is removed or pruned leaves what was written in it", () => {
    const tree = join(tempDir("tree"), "tree");
    git(ada, "worktree", "add", "-q", "-b", "side", tree);
    ok(tree, "write", "-m", "from the worktree");
    rmSync(tree, { recursive: true });
    git(ada, "worktree", "prune");
    expect(ok(ada, "read", "side")).toContain("from the worktree");
    git(ada, "branch", "-q", "-D", "side");
    expect(ok(ada, "list", "--all")).toContain("from the worktree");
    const { stdout, stderr } = handoff(ada, ["doctor"]);
    expect(`${stdout}${stderr}`).toMatch(/side/);
  });

  test("stash, rebase, reset --hard, clean and rm -r . leave them where they are", () => {
    const before = view(ada);
    commit(ada, { "src/parser.ts": "changed\n" });
    put(ada, "new.txt", "x");
    git(ada, "stash", "-q", "-u");
    git(ada, "rebase", "-q", "--root");
    git(ada, "reset", "-q", "--hard", "v1");
    git(ada, "clean", "-fdxq");
    git(ada, "rm", "-rq", ".");
    expect(view(ada)).toEqual(before);
  });
});

const hasFilterRepo = spawnSync("git", ["filter-repo", "--version"], { stdio: "ignore" }).status === 0;
if (!hasFilterRepo) console.warn("NOT RUN: git filter-repo (not installed)");

describe.skipIf(!hasFilterRepo)("git filter-repo", () => {
  test("rewrites handoffs with everything else, unless it is given the refs of the code", () => {
    const before = view(ada);
    const copy = join(tempDir("copy"), "copy");
    git(tempDir(), "clone", "-q", "--mirror", ada, copy);
    // Only a subfolder: documents are not in it.
    git(
      copy,
      "filter-repo",
      "--quiet",
      "--force",
      "--path",
      "src",
      "--refs",
      ...refs(copy, "refs/heads", "refs/tags"),
    );
    expect(view(copy)).toEqual(before);
    git(copy, "filter-repo", "--quiet", "--force", "--path", "src");
    expect(refs(copy, "refs/handoff")).toEqual([]);
  });

  test("a text replaced in a document is warned of, as the handle is not its content's any more", () => {
    const copy = join(tempDir("copy"), "copy");
    git(tempDir(), "clone", "-q", "--mirror", ada, copy);
    put(copy, "replace.txt", "second==>REMOVED\n");
    git(copy, "filter-repo", "--quiet", "--force", "--replace-text", "replace.txt");
    const { code: exit, stdout, stderr } = handoff(copy, ["read", "main"]);
    expect(exit).toBe(0);
    expect(`${stdout}${stderr}`).toContain("Ada's REMOVED");
    expect(`${stdout}${stderr}`).toMatch(/name/);
  });
});
