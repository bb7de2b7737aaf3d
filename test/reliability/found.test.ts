// Faults that the long runs found, each on its own.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { run } from "./program.js";

test("closing what was imported without a branch makes no log for a branch named unknown", () => {
  const dir = makeRepo("imported");
  put(dir, "note.md", "---\nintent: taken in\n---\n\nSome text.\n");
  expect(handoff(dir, ["import", "note.md"])).toMatchObject({ code: 0 });
  expect(handoff(dir, ["close"])).toMatchObject({ code: 0 });
  const refs = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/");
  expect(refs).toMatch(/^refs\/handoff\/main\/[^/\n]+$/);
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
