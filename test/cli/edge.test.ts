// How the program ends: in git's manner, whatever happens.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/commands/spec.js";
import { git, handoff, makeRepo, program, root, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";

describe("help", () => {
  it("-h is wrong usage as in git, on stdout", () => {
    const { code, stdout, stderr } = handoff(tempDir(), ["-h"]);
    expect({ code, stderr }).toEqual({ code: 129, stderr: "" });
    expect(stdout).toMatch(/^usage: git handoff \[read\]/);
  });

  it.each([["--help"], ["help"]])("%s is an answer", (word) => {
    expect(handoff(tempDir(), [word])).toMatchObject({ code: 0, stderr: "" });
  });

  it("is there for each command, also after other words", () => {
    const help = handoff(tempDir(), ["help", "close"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^usage: git handoff close \[<options>\] \[<id>\.\.\.\]\n/);
    expect(handoff(tempDir(), ["close", "abc", "--json", "-h"])).toEqual({ ...help, code: 129 });
    expect(handoff(tempDir(), ["close", "--help"])).toEqual(help);
  });

  it("knows no other command", () => {
    expect(handoff(tempDir(), ["help", "nope"])).toMatchObject({ code: 129, stdout: "" });
    expect(handoff(tempDir(), ["completion", "tcsh"])).toMatchObject({ code: 129, stdout: "" });
  });
});

describe("wrong usage", () => {
  it.each([
    [["list", "--zzz"], "error: unknown option `zzz'", "usage: git handoff list"],
    [["list", "-z"], "error: unknown switch `z'", "usage: git handoff list"],
    [["--zzz"], "error: unknown option `zzz'", "usage: git handoff [read]"],
    [["pussh", "origin"], "error: `pussh' is not a git handoff command", "usage: git handoff [read]"],
    [["ack"], "error: ack needs <id>", "usage: git handoff ack"],
    [["schema", "x"], "error: unexpected argument `x'", "usage: git handoff schema"],
  ])("%j is one line and the usage, and 129", (argv, first, second) => {
    const { code, stdout, stderr } = handoff(tempDir(), argv);
    expect({ code, stdout }).toEqual({ code: 129, stdout: "" });
    const lines = stderr.split("\n");
    expect(lines[0]).toBe(first);
    expect(lines[1]?.startsWith(second)).toBe(true);
  });

  it("shows no escape sequence that was typed", () => {
    const { stderr } = handoff(tempDir(), ["list", "--\u001b[31mx"]);
    expect(stderr).not.toContain("\u001b");
  });
});

describe("an error that was not foreseen", () => {
  it("is one line, with its origin only when asked", () => {
    const dir = tempDir();
    mkdirSync(join(dir, ".git"));
    writeFileSync(join(dir, ".git/HEAD"), "ref: refs/heads/main\n");
    const empty = { PATH: "/nowhere" };
    const { code, stdout, stderr } = handoff(dir, ["list", "--json"], { env: empty });
    expect({ code, stdout }).toEqual({ code: 128, stdout: "" });
    expect(stderr).toMatch(/^fatal: .+\n$/);
    const traced = handoff(dir, ["list"], { env: { ...empty, GIT_HANDOFF_DEBUG: "1" } });
    expect(traced.stderr).toMatch(/\n {4}at /);
  });
});

describe("a reader that goes away", () => {
  it("is no error", async () => {
    const repo = makeRepo("pipe");
    // More than a pipe holds.
    await seed(repo, { meta: { intent: "x".repeat(200_000) } });
    const { stdout, stderr } = spawnSync(
      "bash",
      [
        "-c",
        `set -o pipefail; "${process.execPath}" "${program}" list --json | head -c 10; echo "\${PIPESTATUS[0]}"`,
      ],
      { cwd: repo, encoding: "utf8" },
    );
    expect(stderr).toBe("");
    expect(stdout.slice(10).trim()).toBe("141");
  });
});

describe("an interrupt", () => {
  it("ends with 130", async () => {
    const repo = makeRepo("interrupt");
    // A git that does not come back.
    const bin = tempDir("bin");
    const called = join(bin, "called");
    writeFileSync(join(bin, "git"), `#!/bin/sh\n: >'${called}'\nexec sleep 60\n`, { mode: 0o755 });
    const child = spawn(process.execPath, [program, "list"], {
      cwd: repo,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    while (!existsSync(called)) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
  });
});

describe("every command", () => {
  const words = new Map<string, string[]>([
    ["ack", ["0000000"]],
    ["reopen", ["0000000"]],
    ["redact", ["0000000", "--yes"]],
    ["show", ["0000000"]],
    ["export", ["0000000", "--format", "park"]],
    ["mv", ["main", "other"]],
    ["send", ["../nowhere", "-m", "x", "--no-breaking", "--impact", "x"]],
    ["import", ["nowhere.md"]],
    ["lesson", ["text"]],
    ["completion", ["bash"]],
    ["write", ["-m", "go on"]],
  ]);

  it.each(COMMANDS.map(({ name }) => name))("%s never waits for input that is not a terminal", (name) => {
    const repo = makeRepo("waits");
    const before = [git(repo, "status", "--porcelain"), git(repo, "for-each-ref", "refs/heads", "refs/tags")];
    const { code, stderr } = handoff(repo, [name, ...(words.get(name) ?? [])]);
    expect(code, stderr).not.toBe(null);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect([
      git(repo, "status", "--porcelain"),
      git(repo, "for-each-ref", "refs/heads", "refs/tags"),
    ]).toEqual(before);
  });
});

it("says its version", () => {
  expect(handoff(tempDir(), ["--version"])).toMatchObject({ code: 0, stderr: "" });
  expect(handoff(tempDir(), ["--version"]).stdout).toMatch(/^git-handoff version \d+\.\d+\.\d+\n$/);
});

it("brings no translations for the argument library to look for", () => {
  expect(readFileSync(join(root, "dist/cli-main.cjs"), "utf8")).not.toContain("locales");
});
