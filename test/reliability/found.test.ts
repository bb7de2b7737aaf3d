// Faults that the long runs found, each on its own.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CliResult, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { run } from "./program.js";

test("closing what was imported without a branch makes no log for a branch named unknown", () => {
  const dir = makeRepo("imported");
  put(dir, "note.md", "---\nintent: taken in\n---\n\nSome text.\n");
  expect(handoff(dir, ["import", "note.md"])).toMatchObject({ code: 0 });
  expect(handoff(dir, ["close"])).toMatchObject({ code: 0 });
  const refs = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/");
  expect(refs).toMatch(/^refs\/handoff\/HEAD\/[^/\n]+\nrefs\/handoff\/main\/[^/\n]+$/);
  expect(handoff(dir, ["list"]).stdout).toBe("");
});

test("several prunes at once delete the refs of a gone branch without tripping over each other", async () => {
  const hub = join(tempDir("hub"), "hub.git");
  git(tempDir(), "init", "-q", "--bare", hub);
  const dir = makeRepo("pruned");
  git(dir, "remote", "add", "origin", hub);
  git(dir, "push", "-q", "origin", "main");
  for (const branch of ["a", "b", "c"]) {
    git(dir, "switch", "-q", "-c", branch);
    expect(handoff(dir, ["write", "-m", branch])).toMatchObject({ code: 0 });
    expect(handoff(dir, ["close"])).toMatchObject({ code: 0 });
    git(dir, "switch", "-q", "main");
    git(dir, "branch", "-q", "-D", branch);
  }
  expect(handoff(dir, ["sync", "--all"])).toMatchObject({ code: 0 });
  const prunes = Array.from({ length: 5 }, () => run(dir, ["prune", "--force", "--older-than", "0"]));
  for (const { code, stderr } of await Promise.all(prunes))
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const repository of [dir, hub]) expect(git(repository, "for-each-ref", "refs/handoff*")).toBe("");
});

test("an agent's folder that cannot be looked into keeps nobody from writing", () => {
  const dir = makeRepo("unreadable");
  const home = tempDir("home");
  for (const name of [".pi", ".claude", ".codex", ".cursor", ".gemini", ".copilot"])
    symlinkSync(name, join(home, name));
  const env = { HOME: home };
  expect(handoff(dir, ["write", "-m", "go on"], { env })).toMatchObject({ code: 0 });
  expect(handoff(dir, ["doctor"], { env }).stderr).toBe("");
});

test.skipIf(process.platform !== "linux")(
  "a copied directory that is killed while it takes a new writer id still gets everything to the remote",
  { timeout: 120_000 },
  () => {
    const hub = join(tempDir("hub"), "hub.git");
    git(tempDir(), "init", "-q", "--bare", hub);
    const dir = makeRepo("first");
    git(dir, "remote", "add", "origin", hub);
    expect(handoff(dir, ["write", "-m", "both have this"])).toMatchObject({ code: 0 });
    const copy = join(tempDir("copy"), "copy");
    cpSync(dir, copy, { recursive: true });
    expect(handoff(copy, ["write", "--append", "-m", "the copy's own"])).toMatchObject({ code: 0 });
    expect(handoff(dir, ["write", "--append", "-m", "the first one's own"])).toMatchObject({ code: 0 });
    expect(handoff(dir, ["push"])).toMatchObject({ code: 0 });
    // Everything dies where the new logs are about to be made.
    const hook = join(copy, ".git/hooks/reference-transaction");
    const old = git(copy, "config", "handoff.writer");
    put(
      copy,
      ".git/hooks/reference-transaction",
      `#!/bin/sh
[ "$1" = prepared ] && grep refs/handoff/ | grep -v '${old}$' >/dev/null || exit 0
kill -9 "$(cut -d" " -f4 /proc/$PPID/stat)" $PPID
`,
    );
    chmodSync(hook, 0o755);
    expect(handoff(copy, ["push"]).code).toBe(null);
    rmSync(hook);
    expect(handoff(copy, ["push"])).toMatchObject({ code: 0 });
    const fresh = join(tempDir("fresh"), "fresh");
    git(tempDir(), "clone", "-q", hub, fresh);
    expect(handoff(fresh, ["fetch"])).toMatchObject({ code: 0 });
    const { stdout } = handoff(fresh, ["list", "--all"]);
    expect(stdout).toContain("the copy's own");
    expect(stdout).toContain("the first one's own");
  },
);

/** A fetch through a git that does this first; `script` is told the folder that git is in. */
function fetchWith(dir: string, script: (folder: string) => string): CliResult {
  const shim = tempDir("shim");
  const real = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
  put(shim, "git", `#!/bin/sh\n${script(shim)}exec '${real}' "$@"\n`);
  chmodSync(join(shim, "git"), 0o755);
  return handoff(dir, ["fetch"], { env: { PATH: `${shim}:${process.env.PATH}` } });
}

test("a fetch that another one overtakes is made again", () => {
  const hub = makeRepo("hub");
  const dir = makeRepo("overtaken");
  git(dir, "remote", "add", "origin", hub);
  expect(handoff(hub, ["write", "-m", "go on"])).toMatchObject({ code: 0 });
  const fetched = fetchWith(
    dir,
    (shim) => `if [ "$1" = fetch ] && mkdir "${shim}/once" 2>/dev/null; then
  echo "error: cannot lock ref 'refs/handoff-remotes/main/x/origin': is at 1 but expected 2" >&2
  exit 1
fi
`,
  );
  expect(fetched).toMatchObject({ code: 0, stderr: "" });
  expect(handoff(dir, ["list"]).stdout).toContain("go on");
});

test("what a file system that ignores case cannot keep is not taken for an unreachable remote", () => {
  const dir = makeRepo("caseless");
  git(dir, "remote", "add", "origin", makeRepo("hub"));
  // The words of git 2.55, which go on for three lines.
  const fetched = fetchWith(
    dir,
    () => `if [ "$1" = fetch ]; then
  echo "error: You're on a case-insensitive filesystem, and the remote you are" >&2
  echo "trying to fetch from has references that only differ in casing." >&2
  exit 1
fi
`,
  );
  expect(fetched).toEqual({
    code: 128,
    stdout: "",
    stderr:
      "fatal: cannot record all of what 'origin' has: this file system ignores case, in which alone some of its refs differ\n",
  });
});
