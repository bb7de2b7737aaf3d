/** What an agent's session-start hook asks for. Pure; on the hot path. */
import { detectHarness, type Harness, type HookInput, isHarness } from "./envelope.js";

export interface SessionStartRequest {
  /** Where the session works; null: the input does not say, use the process's own folder. */
  cwd: string | null;
  harness: Harness;
  /** `startup`, `resume`, `clear`, … as the host says it; `unknown` where it does not. */
  source: string;
  /** null: not given, so that nothing can be told about repeats. */
  sessionId: string | null;
  /** True where nothing may be printed: the model still has its context, or it is no start at all. */
  silent: boolean;
}

/**
 * Reads the JSON a host gives on stdin. Never throws: what is no JSON object counts as no input.
 * `agent` is what `--agent` says; it counts only where the input itself does not tell. JSON that tells nothing
 * is answered in the form that most hosts read.
 */
export function sessionStartRequest(
  stdinText: string,
  env: Readonly<NodeJS.ProcessEnv>,
  agent?: string,
): SessionStartRequest {
  const input = parseInput(stdinText);
  const detected = detectHarness(input, env);
  const event = text(input?.hook_event_name);
  const source = text(input?.source) ?? "unknown";
  return {
    cwd: text(input?.cwd) ?? firstText(input?.workspace_roots) ?? text(env.CURSOR_PROJECT_DIR),
    harness: detected !== "unknown" ? detected : isHarness(agent) ? agent : input ? "claude-code" : "unknown",
    source,
    sessionId: text(input?.session_id) ?? text(input?.sessionId) ?? text(input?.conversation_id),
    silent: source === "compact" || (event !== null && event.toLowerCase() !== "sessionstart"),
  };
}

function parseInput(stdinText: string): HookInput | null {
  try {
    const value: unknown = JSON.parse(stdinText.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as HookInput) : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function firstText(value: unknown): string | null {
  return Array.isArray(value) ? text(value[0]) : null;
}
