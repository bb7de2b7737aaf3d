// What write prints, where it refuses to write, and where else it can write to.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { writeOutput } from "../../src/write/output.js";
import { commit, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { complaint, handoffRefs, stored, writeJson } from "./store.js";

const NO_BRANCH =
  "fatal: Cannot write a handoff: no git branch resolvable. Run from inside a git repo on a named branch.\n";
const CLEAR =
  "Run `/clear` to start a fresh session — the handoff will surface automatically on the next session for this branch.\n";
const spine = ["--state", "x", "--next", "x", "--pointer", "x"];

let repo: string;
beforeEach(() => {
  repo = makeRepo("said");
});

describe("on success", () => {
  it("prints the summary and the final line, with a warning when nothing would surface it", () => {
    const input = JSON.stringify({
      intent: "x",
      rejections: [1, 2].map((n) => ({ kind: "untyped", claim: `c${n}`, predicate: "p" })),
    });
    const { code, stdout, stderr } = handoff(repo, ["write", "--from", "-", ...spine], { input });
    const [ref, oid] = git(repo, "for-each-ref", "--format=%(refname) %(objectname)", "refs/handoff").split(
      " ",
    );
    const handle = git(repo, "ls-tree", "--object-only", `${oid}:open`).slice(0, 7);
    expect(code).toBe(0);
    expect(stdout).toBe(`Handoff written: ${ref} ${handle} (2 rejections, intent captured).\n${CLEAR}`);
    expect(stderr.split("\n").at(-2)).toBe(
      "warning: nothing is installed here that would surface it; run git handoff install",
    );
  });

  it("warns of nothing when something is installed", () => {
    expect(handoff(repo, ["install", "--no-fetch"]).code).toBe(0);
    expect(handoff(repo, ["write", "-m", "x", ...spine])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Handoff written: .*\(0 rejections, intent captured\)\.\nRun `\/clear`/),
      stderr: "",
    });
  });

  it("says it without /clear where there is none", () => {
    const { stdout } = handoff(repo, ["write", "-m", "x", ...spine], {
      env: { CURSOR_AGENT: "1" },
    });
    expect(stdout.split("\n")[1]).toBe(
      "Start a fresh session — the handoff will surface automatically on the next session for this branch.",
    );
  });

  it("gives one JSON object and nothing else with --json", () => {
    const { code, stdout, stderr } = handoff(repo, ["write", "-m", "x", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual([
      "id",
      "handle",
      "ref",
      "path",
      "commit",
      "warnings",
    ]);
  });

  it("says nothing of a next session for an inbox handoff", () => {
    const { code, stdout } = handoff(repo, [
      ...["write", "--inbox", "-m", "x", "--impact", "y", "--no-breaking"],
      ...spine,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Handoff written: refs\/handoff\/HEAD\/ada-lovelace-\w{6} \w{7} \(0 rejections, intent captured\)\.\n$/,
    );
  });

  it("changes nothing but refs under refs/handoff", () => {
    put(repo, "dirty.txt", "x");
    const look = () => [
      git(repo, "status", "--porcelain"),
      git(repo, "show-ref", "--heads", "--tags"),
      git(repo, "stash", "list"),
    ];
    const before = look();
    writeJson(repo, ["-m", "x"]);
    expect(look()).toEqual(before);
  });
});

describe("--dry-run", () => {
  it("prints the document, and warnings apart from it", () => {
    const { code, stdout, stderr } = handoff(repo, ["write", "-m", "x \u001b[31m", "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^---\nhandoff: 1\n/);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toContain('warning: The body has no "## State" section.\n');
    expect(handoffRefs(repo)).toBe("");
    expect(git(repo, "config", "--get", "--default", "none", "handoff.writer")).toBe("none");
  });

  it("with --json tells the id that would be given, every warning and the document", () => {
    const { stdout } = handoff(repo, ["write", "-m", "x", "--dry-run", "--json"]);
    const shown = JSON.parse(stdout) as Record<string, unknown>;
    expect(shown).toMatchObject({ ref: null, path: null, commit: null });
    expect(shown.warnings).toHaveLength(3);
    const file = join(tempDir(), "d.md");
    writeFileSync(file, String(shown.document));
    expect(git(repo, "hash-object", "--no-filters", file).slice(0, 7)).toBe(shown.handle);
    expect(shown.id).toMatch(new RegExp(`-${shown.handle}$`));
    expect(handoffRefs(repo)).toBe("");
  });
});

describe("without a branch", () => {
  it.each([
    ["on a detached HEAD", () => git(repo, "switch", "-q", "--detach")],
    [
      "during a rebase",
      () => {
        commit(repo, { a: "1" });
        git(repo, "switch", "-qc", "side", "HEAD~1");
        commit(repo, { a: "2" });
        expect(() => git(repo, "rebase", "main")).toThrow();
      },
    ],
  ])("refuses %s, even to show it", (_, detach) => {
    detach();
    for (const more of [[], ["--dry-run"], ["--output", "x.md"], ["--json"], ["--append"]]) {
      expect(handoff(repo, ["write", "-m", "x", ...more])).toEqual({
        code: 128,
        stdout: "",
        stderr: NO_BRANCH,
      });
    }
    expect(handoffRefs(repo)).toBe("");
  });

  it("still writes to the inbox", () => {
    git(repo, "switch", "-q", "--detach");
    const args = ["--inbox", "-m", "x", "--impact", "y", "--breaking"];
    const { meta } = stored(repo, writeJson(repo, args));
    expect(meta).toMatchObject({ task_key: "HEAD", delivery: "pushed", breaking: true });
    expect(meta.git).toBe(`HEAD @ ${git(repo, "rev-parse", "HEAD")}`);
  });

  it("refuses a branch named HEAD", () => {
    git(repo, "update-ref", "refs/heads/HEAD", "HEAD");
    git(repo, "symbolic-ref", "HEAD", "refs/heads/HEAD");
    expect(handoff(repo, ["write", "-m", "x", "--dry-run"])).toEqual({
      code: 128,
      stdout: "",
      stderr: "fatal: Cannot write a handoff for a branch named HEAD: rename the branch\n",
    });
  });

  it("is told the same outside a repository; an inbox note, which needs no branch, is told in git's words", () => {
    const outside = tempDir();
    expect(handoff(outside, ["write", "-m", "x"])).toEqual({ code: 128, stdout: "", stderr: NO_BRANCH });
    const note = ["write", "--inbox", "-m", "x", "--impact", "y", "--no-breaking"];
    expect(handoff(outside, note)).toMatchObject({
      code: 128,
      stderr: expect.stringMatching(/^fatal: not a git repository/),
    });
  });

  it("is told in git's words where git does not trust the owner", () => {
    const { code, stderr } = handoff(repo, ["write", "-m", "x"], {
      env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" },
    });
    expect([code, stderr]).toEqual([128, expect.stringMatching(/^fatal: detected dubious ownership/)]);
  });
});

describe("where", () => {
  it("there is no commit yet: git none", () => {
    const dir = tempDir("unborn");
    git(dir, "init", "-q");
    expect(stored(dir, writeJson(dir, ["-m", "x"])).meta).toMatchObject({ task_key: "main", git: "none" });
  });

  it("the repository is bare", () => {
    const bare = join(tempDir(), "b.git");
    git(repo, "clone", "-q", "--bare", repo, bare);
    const { meta } = stored(bare, writeJson(bare, ["-m", "x", "--done", "README.md=told"]));
    expect(meta).toMatchObject({
      project: "b",
      git: `main @ ${git(repo, "rev-parse", "HEAD")}`,
      artifacts: [{ oid: git(repo, "rev-parse", "HEAD:README.md") }],
    });
  });

  it("the repository is of sha256", () => {
    const dir = makeRepo("sha256", ["--object-format=sha256"]);
    const written = writeJson(dir, ["-m", "x"]);
    expect(git(dir, "rev-parse", `${written.ref}:${written.path}`)).toHaveLength(64);
  });

  it("it is a linked work tree, a subfolder or a submodule", () => {
    const tree = join(tempDir(), "tree");
    git(repo, "worktree", "add", "-qb", "feat/ü", tree);
    expect(stored(repo, writeJson(tree, ["-m", "x"])).meta).toMatchObject({
      task_key: "feat/ü",
      project: "said",
    });
    expect(
      stored(repo, writeJson(join(repo, "src"), ["-m", "x", "--done", "README.md=x"])).meta,
    ).toMatchObject({
      artifacts: [{ evidence: "README.md" }],
    });
    const outer = makeRepo("outer");
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo, "inner");
    const { ref } = writeJson(join(outer, "inner"), ["-m", "x"]);
    expect(git(join(outer, "inner"), "show-ref", "--verify", ref)).toContain(ref);
    expect(handoffRefs(outer)).toBe("");
  });

  it("there is nobody's name", () => {
    const env = { GIT_CONFIG_GLOBAL: "/dev/null", EMAIL: undefined };
    expect(stored(repo, writeJson(repo, ["-m", "x"], { env })).meta.author).toMatch(/^.+ <.+@.+>$/);
  });
});

describe("--inbox", () => {
  const write = (...args: string[]) => handoff(repo, ["write", "--inbox", "-m", "x", ...args]);

  it.each([
    [["--impact", "y"], "say --breaking or --no-breaking"],
    [["--no-breaking"], "no impact: give --impact <text>"],
    [["--no-breaking", "--impact", " "], "no impact: give --impact <text>"],
    [["--no-breaking", "--impact", "y", "--branch", "a..b"], "'a..b' is not a valid branch name"],
  ])("refuses %j", (args, message) => {
    const result = write(...args);
    expect(result.code).toBe(129);
    expect(complaint(result)).toContain(`error: ${message}`);
    expect(handoffRefs(repo)).toBe("");
  });

  it("stands beside an open journal handoff, for a branch too", () => {
    writeJson(repo, ["-m", "journal"]);
    const args = ["--inbox", "-m", "x", "--impact", "y", "--no-breaking", "--branch", "feat/x"];
    const written = writeJson(repo, args);
    expect(written.ref).toMatch(/^refs\/handoff\/feat\/x\//);
    expect(written.path).toMatch(/^inbox\//);
    expect(stored(repo, written).meta).toMatchObject({ breaking: false, task_key: "feat/x" });
  });
});

describe("--output", () => {
  it("writes the file instead of a ref, and says so", () => {
    const file = join(tempDir(), "h.md");
    const { code, stdout, stderr } = handoff(repo, ["write", "-m", "x", ...spine, "--output", file]);
    expect([code, stderr]).toEqual([0, ""]);
    const handle = git(repo, "hash-object", "--no-filters", file).slice(0, 7);
    expect(stdout).toBe(`Handoff written: ${file} ${handle} (0 rejections, intent captured).\n`);
    expect(handoffRefs(repo)).toBe("");
    expect(readFileSync(file, "utf8")).toMatch(/^---\nhandoff: 1\n[\s\S]*## Pointers\n\n- x\n$/);
  });

  it("is relative to where it is called, replaces a file, and gives JSON", () => {
    put(repo, "src/h.md", "before");
    const { stdout } = handoff(join(repo, "src"), ["write", "-m", "x", "--json", "--output", "h.md"]);
    expect(JSON.parse(stdout)).toMatchObject({ ref: null, commit: null, path: join(repo, "src/h.md") });
    expect(readdirSync(join(repo, "src")).sort()).toEqual(["h.md", "parser.ts"]);
  });

  it.each([
    ["a folder", "src", "is a folder"],
    ["a folder that is not there", "gone/h.md", "no such folder"],
    ["below a file", "README.md/h.md", "no such folder"],
  ])("fails on %s and writes nothing anywhere else", (_, path, why) => {
    expect(handoff(repo, ["write", "-m", "x", ...spine, "--output", path])).toEqual({
      code: 128,
      stdout: "",
      stderr: `fatal: cannot write '${path}': ${why}\n`,
    });
    expect([handoffRefs(repo), git(repo, "status", "--porcelain")]).toEqual(["", ""]);
  });

  it("leaves a device or a pipe in its place", () => {
    const pipe = join(tempDir(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const { code, stderr } = handoff(repo, ["write", "-m", "x", ...spine, "--output", pipe]);
    expect([code, stderr]).toEqual([128, `fatal: cannot write '${pipe}': is no regular file\n`]);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it("reads back and compares", async () => {
    const dir = tempDir();
    const damaged = async () => Buffer.from("other");
    await expect(writeOutput("h.md", Buffer.from("text"), dir, damaged)).rejects.toThrow(
      "cannot write 'h.md': read back differently than it was written",
    );
    await expect(writeOutput("h.md", Buffer.from("text"), dir)).resolves.toBe(join(dir, "h.md"));
  });

  it.skipIf(process.getuid?.() === 0)("fails where it may not write", () => {
    const dir = tempDir();
    mkdirSync(join(dir, "locked"));
    chmodSync(join(dir, "locked"), 0o555);
    const { code, stderr } = handoff(repo, ["write", "-m", "x", "--output", join(dir, "locked/h.md")]);
    expect([code, stderr]).toEqual([128, expect.stringContaining("permission denied")]);
    expect(existsSync(join(dir, "locked/h.md"))).toBe(false);
  });
});
