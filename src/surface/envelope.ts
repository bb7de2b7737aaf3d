/** The text of a report in the form each agent's session-start hook hands to its model. Pure; on the hot path. */

/** Agents that call `git handoff session-start`. `unknown` gets plain text, as a person or a plugin reads it. */
export const HARNESSES = [
  "claude-code",
  "codex",
  "cursor",
  "copilot",
  "gemini",
  "opencode",
  "pi",
  "unknown",
] as const;
export type Harness = (typeof HARNESSES)[number];

export function isHarness(name: unknown): name is Harness {
  return typeof name === "string" && (HARNESSES as readonly string[]).includes(name);
}

/**
 * What to print for this harness: one JSON object, or plain text where the caller is a plugin of ours or not
 * known; `""` when there is no text, because some hosts take even `{}` for output.
 */
export function envelope(harness: Harness, text: string): string {
  if (text === "") return "";
  switch (harness) {
    // These three read the same nested form; Codex refuses any further key.
    case "claude-code":
    case "codex":
    case "gemini":
      return JSON.stringify({
        hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text },
      });
    case "cursor":
      return JSON.stringify({ additional_context: text });
    case "copilot":
      return JSON.stringify({ additionalContext: text });
    default:
      return text;
  }
}

/** What a hook was given, as far as it is an object. */
export type HookInput = Readonly<Record<string, unknown>>;

/**
 * Which agent is calling. The input says more than the environment, because an agent started from another
 * agent's shell inherits that one's variables. Hosts that read another host's settings (Cursor and Copilot read
 * Claude Code's) are told by what they alone set.
 */
export function detectHarness(input: HookInput | null, env: Readonly<NodeJS.ProcessEnv>): Harness {
  if (input === null) return "unknown";
  const transcript = typeof input.transcript_path === "string" ? input.transcript_path : "";
  if (typeof input.cursor_version === "string" || input.hook_event_name === "sessionStart") return "cursor";
  if (input.hook_event_name === undefined && typeof input.sessionId === "string") return "copilot";
  if (/[\\/]\.codex[\\/]/.test(transcript)) return "codex";
  if (/[\\/]\.gemini[\\/]/.test(transcript)) return "gemini";
  if (/[\\/]\.claude[\\/]/.test(transcript)) return "claude-code";
  if (env.CURSOR_VERSION) return "cursor";
  if (env.COPILOT_CLI) return "copilot";
  if (env.GEMINI_SESSION_ID || env.GEMINI_PROJECT_DIR) return "gemini";
  // Codex and Claude Code take the same form, so that telling them apart here would change nothing.
  return input.hook_event_name === undefined ? "unknown" : "claude-code";
}
