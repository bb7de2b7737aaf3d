import { describe, expect, it } from "vitest";
import { detectHarness, envelope, HARNESSES, isHarness } from "../../src/surface/envelope.js";
import { sessionStartRequest } from "../../src/surface/session-start.js";

describe("envelope", () => {
  it("is nothing for every harness when there is no text", () => {
    expect(HARNESSES.map((harness) => envelope(harness, ""))).toEqual(HARNESSES.map(() => ""));
  });

  it("carries the text unchanged, whatever is in it", () => {
    const text = 'a "quoted"\n\\line\u2028 \u0007 { } 日本語';
    for (const harness of HARNESSES) {
      const out = envelope(harness, text);
      if (["opencode", "pi", "unknown"].includes(harness)) expect(out).toBe(text);
      else expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(text));
    }
  });

  it("has exactly the keys that the host documents", () => {
    const nested = { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "x" } };
    expect(JSON.parse(envelope("claude-code", "x"))).toEqual(nested);
    expect(JSON.parse(envelope("codex", "x"))).toEqual(nested);
    expect(JSON.parse(envelope("gemini", "x"))).toEqual(nested);
    expect(JSON.parse(envelope("cursor", "x"))).toEqual({ additional_context: "x" });
    expect(JSON.parse(envelope("copilot", "x"))).toEqual({ additionalContext: "x" });
  });
});

describe("detectHarness", () => {
  const claude = {
    hook_event_name: "SessionStart",
    session_id: "s",
    transcript_path: "/home/a/.claude/projects/p/s.jsonl",
  };

  it.each([
    ["no input", null, {}, "unknown"],
    ["no evidence", {}, {}, "unknown"],
    ["Claude Code", claude, {}, "claude-code"],
    ["Claude Code started from Copilot's shell", claude, { COPILOT_CLI: "1" }, "claude-code"],
    [
      "Claude Code's hooks run by Cursor",
      { ...claude, transcript_path: null },
      { CURSOR_VERSION: "3" },
      "cursor",
    ],
    ["the same, told by its input", { ...claude, cursor_version: "3" }, {}, "cursor"],
    [
      "Claude Code's hooks run by Copilot",
      { hook_event_name: "SessionStart" },
      { COPILOT_CLI: "1" },
      "copilot",
    ],
    ["Copilot", { sessionId: "s", timestamp: 1 }, {}, "copilot"],
    ["Gemini by its variables", { hook_event_name: "SessionStart" }, { GEMINI_SESSION_ID: "s" }, "gemini"],
    ["Codex", { ...claude, transcript_path: "/home/a/.codex/sessions/r.jsonl" }, {}, "codex"],
  ])("%s", (_name, input, env, harness) => {
    expect(detectHarness(input, env)).toBe(harness);
  });

  it("knows its own names", () => {
    expect(isHarness("cursor")).toBe(true);
    expect(isHarness("clippy")).toBe(false);
    expect(isHarness(1)).toBe(false);
  });
});

describe("sessionStartRequest", () => {
  it.each([
    ["nothing", ""],
    ["no JSON", "hello"],
    ["half of it", '{"cwd": "/a'],
    ["a list", "[1]"],
    ["null", "null"],
  ])("takes %s for no input", (_name, text) => {
    expect(sessionStartRequest(text, {})).toEqual({
      cwd: null,
      harness: "unknown",
      source: "unknown",
      sessionId: null,
      silent: false,
    });
  });

  it("is silent after a compaction and for other events", () => {
    const silent = (input: object) => sessionStartRequest(JSON.stringify(input), {}).silent;
    expect(silent({ hook_event_name: "SessionStart", source: "compact" })).toBe(true);
    expect(silent({ hook_event_name: "SessionEnd" })).toBe(true);
    for (const source of ["startup", "resume", "clear", "new", "fork"]) {
      expect(silent({ hook_event_name: "SessionStart", source })).toBe(false);
    }
  });

  it("lets --agent decide only where the input does not tell", () => {
    expect(sessionStartRequest('{"cwd": "/a"}', {}, "pi").harness).toBe("pi");
    expect(sessionStartRequest('{"cwd": "/a"}', {}).harness).toBe("claude-code");
    expect(sessionStartRequest('{"sessionId": "s"}', {}, "codex").harness).toBe("copilot");
    expect(sessionStartRequest("", {}, "opencode").harness).toBe("opencode");
    expect(sessionStartRequest("", {}, "clippy").harness).toBe("unknown");
  });

  it("ignores values of the wrong type", () => {
    expect(sessionStartRequest('{"cwd": 1, "session_id": {}, "source": []}', {})).toMatchObject({
      cwd: null,
      sessionId: null,
      source: "unknown",
    });
  });
});
