/** Which harness and session this is. Unknown stays `unknown`; nothing is invented. */
import { determineAgent } from "@vercel/detect-agent";
import type { Session } from "../document/types.js";

export interface Detected {
  harness: string;
  session: Session;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The library's names where they differ from ours. */
const NAMES: Readonly<Record<string, string>> = {
  claude: "claude-code",
  "cursor-cli": "cursor",
  "github-copilot": "copilot",
  "github-copilot-cli": "copilot",
};

/** Where each harness documents its session's id for the commands it runs. */
const SESSION_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["CLAUDE_CODE_SESSION_ID"],
  codex: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
  gemini: ["GEMINI_SESSION_ID"],
  pi: ["PI_SESSION_ID"],
};

/** `configured` (handoff.harness) wins; a person at a terminal is `human`. */
export async function detectHarness(
  env: Environment,
  options: { configured: string | null; terminal: boolean },
): Promise<Detected> {
  const detected = await agentOf(env);
  const harness = options.configured || detected || (options.terminal ? "human" : "unknown");
  // A session's id belongs to the harness that gave it, not to a name from the configuration.
  const id = detected === null ? null : sessionId(detected, env);
  return {
    harness,
    session: { runtime: detected ?? "unknown", id: id ?? "unknown", context: "unknown" },
  };
}

/**
 * Marks that decide nothing: of a whole editor or machine, where another agent or a person may be at work, and a
 * user's own settings, which stand in every shell of theirs.
 */
const NO_MARKS = ["CURSOR_TRACE_ID", "REPL_ID", "COPILOT_MODEL", "COPILOT_ALLOW_ALL", "COPILOT_GITHUB_TOKEN"];

/** The agent whose command this is. */
async function agentOf(env: Environment): Promise<string | null> {
  const own = Object.fromEntries(Object.entries(env).filter(([key]) => !NO_MARKS.includes(key)));
  const name = await askLibrary(own);
  if (name !== null) return NAMES[name] ?? name;
  return env.COPILOT_CLI ? "copilot" : null;
}

/** The library reads the process's own environment, and all of it before it first waits. */
async function askLibrary(env: Environment): Promise<string | null> {
  const own = process.env;
  let answer: ReturnType<typeof determineAgent>;
  try {
    process.env = { ...env };
    answer = determineAgent();
  } finally {
    process.env = own;
  }
  const { isAgent, agent } = await answer;
  return isAgent && agent ? agent.name : null;
}

function sessionId(harness: string, env: Environment): string | null {
  return SESSION_VARIABLES[harness]?.map((name) => env[name]).find((value) => value) ?? null;
}
