// Each agent's documented input, replayed to the program as its hook would; the output checked against what the
// agent documents. Codex publishes a schema that allows no further key.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { git, handoff, makeRepo, root, tempDir } from "../support/repo.js";

const folder = join(root, "test/fixtures/session-start");

const nested = z.strictObject({
  hookSpecificOutput: z.strictObject({
    hookEventName: z.literal("SessionStart"),
    // Claude Code and Cursor cap at 10,000 characters, Codex at 2,500 tokens.
    additionalContext: z.string().min(1).max(8_000),
  }),
});
const OUTPUTS: Record<string, z.ZodType> = {
  "claude-code": nested,
  codex: nested,
  gemini: nested,
  cursor: z.strictObject({ additional_context: z.string().min(1).max(8_000) }),
  copilot: z.strictObject({ additionalContext: z.string().min(1).max(8_000) }),
  "copilot-pascal": z.strictObject({ additionalContext: z.string().min(1).max(8_000) }),
};
const ENVIRONMENTS: Record<string, Record<string, string>> = {
  cursor: { CURSOR_VERSION: "3.20.17" },
  copilot: { COPILOT_CLI: "1" },
  "copilot-pascal": { COPILOT_CLI: "1" },
  gemini: { GEMINI_SESSION_ID: "gemini-6" },
};

/** A repository with one open handoff and an unread inbox item. */
function parked(): string {
  const dir = makeRepo();
  expect(handoff(dir, ["write", "-m", "carry comments through the printer"]).code).toBe(0);
  return dir;
}

function leaveNote(dir: string): void {
  const flags = ["--inbox", "--no-breaking", "--impact", "the cache is cold", "--state", "s"];
  expect(handoff(dir, ["write", "-m", "warm the cache", ...flags]).code).toBe(0);
}

function input(name: string, cwd: string, changes: object = {}): string {
  const text = readFileSync(join(folder, `${name}.json`), "utf8").replaceAll("{cwd}", cwd);
  return JSON.stringify({ ...(JSON.parse(text) as object), ...changes });
}

const state = () => ({ XDG_STATE_HOME: tempDir("state") });

describe("session-start", () => {
  it("has an input for every output", () => {
    expect(readdirSync(folder).sort()).toEqual(
      Object.keys(OUTPUTS)
        .map((name) => `${name}.json`)
        .sort(),
    );
  });

  it.each(Object.keys(OUTPUTS))("%s: its input in, its output out, from anywhere", (name) => {
    const dir = parked();
    const env = { ...ENVIRONMENTS[name], ...state() };
    const elsewhere = tempDir("elsewhere");
    const result = handoff(elsewhere, ["session-start"], { input: input(name, dir), env });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(OUTPUTS[name]?.safeParse(JSON.parse(result.stdout)).error).toBeUndefined();
    expect(result.stdout).toContain("carry comments through the printer");
  });

  it.each(Object.keys(OUTPUTS))("%s: nothing at all without a repository, or with nothing open", (name) => {
    const env = { ...ENVIRONMENTS[name], ...state() };
    for (const cwd of [tempDir("none"), makeRepo(), "/no/such/folder"]) {
      const result = handoff(tempDir(), ["session-start"], { input: input(name, cwd), env });
      expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
    }
  });

  it("nothing after a compaction", () => {
    const dir = parked();
    const compact = input("claude-code", dir, { source: "compact" });
    expect(handoff(dir, ["session-start"], { input: compact, env: state() })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("every startup, resume and clear surfaces; the same start by two hosts' settings once", () => {
    const dir = parked();
    const env = state();
    for (const source of ["startup", "resume", "clear"]) {
      const call = () =>
        handoff(dir, ["session-start"], { input: input("claude-code", dir, { source }), env }).stdout;
      expect(call()).toContain("carry comments");
      expect(call()).toBe("");
    }
    const other = input("claude-code", dir, { session_id: "another" });
    expect(handoff(dir, ["session-start"], { input: other, env }).stdout).toContain("carry comments");
  });

  it("unread inbox items surface each time", () => {
    const dir = parked();
    leaveNote(dir);
    const env = state();
    const call = () => handoff(dir, ["session-start"], { input: input("codex", dir), env }).stdout;
    expect(call()).toContain("carry comments");
    const second = call();
    expect(second).toContain("warm the cache");
    expect(second).not.toContain("carry comments");
  });

  it("no input, no JSON, a plugin of ours: plain text", () => {
    const dir = parked();
    for (const [args, text] of [
      [["session-start"], ""],
      [["session-start"], "not json"],
      [["session-start", "--agent", "pi"], JSON.stringify({ cwd: dir, source: "startup" })],
    ] as const) {
      const result = handoff(dir, [...args], { input: text, env: state() });
      expect(result.code).toBe(0);
      expect(result.stdout).toMatch(/^Open handoff detected for main/);
    }
  });

  it("an open handoff of the branch that cwd is on, in a linked worktree too", () => {
    const dir = parked();
    const tree = join(tempDir("trees"), "linked");
    git(dir, "worktree", "add", "-q", "-b", "feat", tree);
    handoff(tree, ["write", "-m", "only for feat"]);
    const result = handoff(dir, ["session-start"], { input: input("codex", tree), env: state() });
    expect(result.stdout).toContain("only for feat");
    expect(result.stdout).not.toContain("carry comments");
  });
});
