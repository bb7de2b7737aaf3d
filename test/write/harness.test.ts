import { describe, expect, it } from "vitest";
import { detectHarness } from "../../src/write/harness.js";

const detect = (env: Record<string, string>, configured: string | null = null, terminal = false) =>
  detectHarness(env, { configured, terminal });

describe("detectHarness", () => {
  it.each<[string, Record<string, string>, string, string]>([
    ["nothing", {}, "unknown", "unknown"],
    ["Claude Code", { CLAUDECODE: "1" }, "claude-code", "unknown"],
    ["Claude Code with its session", { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "c1" }, "claude-code", "c1"],
    ["Codex", { CODEX_THREAD_ID: "t1" }, "codex", "t1"],
    ["Codex in its sandbox", { CODEX_SANDBOX: "seatbelt", CODEX_SESSION_ID: "s1" }, "codex", "s1"],
    ["Gemini", { GEMINI_CLI: "1" }, "gemini", "unknown"],
    ["Cursor's agent", { CURSOR_AGENT: "1" }, "cursor", "unknown"],
    ["a terminal in Cursor", { CURSOR_TRACE_ID: "x" }, "unknown", "unknown"],
    [
      "Claude Code in a terminal in Cursor",
      { CURSOR_TRACE_ID: "x", CLAUDECODE: "1" },
      "claude-code",
      "unknown",
    ],
    ["Copilot", { COPILOT_CLI: "1" }, "copilot", "unknown"],
    [
      "a user's own settings for Copilot",
      { COPILOT_GITHUB_TOKEN: "t", COPILOT_MODEL: "m", COPILOT_ALLOW_ALL: "1" },
      "unknown",
      "unknown",
    ],
    ["pi", { AI_AGENT: "pi", PI_SESSION_ID: "p1" }, "pi", "p1"],
    ["OpenCode", { OPENCODE: "1" }, "opencode", "unknown"],
    ["an agent that names itself", { AI_AGENT: "newcomer" }, "newcomer", "unknown"],
  ])("%s", async (_name, env, harness, id) => {
    expect(await detect(env)).toEqual({
      harness,
      session: { runtime: harness, id, context: "unknown" },
    });
  });

  it("a person at a terminal", async () => {
    expect(await detect({}, null, true)).toEqual({
      harness: "human",
      session: { runtime: "unknown", id: "unknown", context: "unknown" },
    });
  });

  it("the configuration names the harness, and invents no session for it", async () => {
    expect(await detect({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "c1" }, "mine")).toEqual({
      harness: "mine",
      session: { runtime: "claude-code", id: "c1", context: "unknown" },
    });
  });

  it("leaves the process's environment as it was", async () => {
    const before = { ...process.env };
    await detect({ CLAUDECODE: "1" });
    expect({ ...process.env }).toEqual(before);
    expect(process.env.CLAUDECODE).toBeUndefined();
  });
});
