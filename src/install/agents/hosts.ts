/** The agents we set up: where each keeps its settings and what an entry looks like there. */
import { join } from "node:path";
import type { Environment } from "../../git/environment.js";
import type { Entry } from "./settings.js";

/** The one command every agent calls. Codex trusts a hook by its exact text, so this never changes. */
export const COMMAND = "git handoff session-start";
/** Seconds; the block is drawn within four. */
const TIMEOUT = 5;
/** After a compaction the model still has what it was told; so that is left out. */
const MATCHER = "startup|resume|clear";

export type Scope = "project" | "user";

/** Folders that settings are found from. */
export interface Places {
  /** Top of the work tree; null outside one. */
  project: string | null;
  home: string;
  env: Environment;
}

export interface Host {
  name: string;
  /** The file of settings; null: this agent takes no command there, and gets the skill alone. */
  settings: ((scope: Scope, places: Places) => string) | null;
  entry: Entry | null;
  /** A file of our own for an agent that is extended by code. */
  extension: ((scope: Scope, places: Places) => string) | null;
  /** The folder of the skill. */
  skills(scope: Scope, places: Places): string;
  /** Said after installing. */
  notes: readonly string[];
}

const group = { matcher: MATCHER, hooks: [{ type: "command", command: COMMAND, timeout: TIMEOUT }] };

/** Read by every agent here but Claude Code. */
const sharedSkills = (scope: Scope, places: Places): string =>
  join(base(scope, places), ".agents", "skills", "handoff");

export const HOSTS: readonly Host[] = [
  {
    name: "claude-code",
    settings: (scope, places) =>
      scope === "project"
        ? join(base(scope, places), ".claude", "settings.json")
        : join(claudeHome(places), "settings.json"),
    entry: { list: ["hooks", "SessionStart"], value: group, skeleton: {}, command: COMMAND },
    extension: null,
    skills: (scope, places) =>
      scope === "project"
        ? join(base(scope, places), ".claude", "skills", "handoff")
        : join(claudeHome(places), "skills", "handoff"),
    notes: [],
  },
  {
    name: "codex",
    settings: (scope, places) =>
      scope === "project"
        ? join(base(scope, places), ".codex", "hooks.json")
        : join(places.env.CODEX_HOME || join(places.home, ".codex"), "hooks.json"),
    entry: { list: ["hooks", "SessionStart"], value: group, skeleton: {}, command: COMMAND },
    extension: null,
    skills: sharedSkills,
    notes: ["Codex runs a new hook only after you trust it: type /hooks in Codex"],
  },
  {
    name: "cursor",
    settings: (scope, places) => join(base(scope, places), ".cursor", "hooks.json"),
    entry: {
      list: ["hooks", "sessionStart"],
      value: { command: COMMAND, timeout: TIMEOUT },
      skeleton: { version: 1 },
      command: COMMAND,
    },
    extension: null,
    skills: sharedSkills,
    notes: [],
  },
  {
    name: "copilot",
    settings: (scope, places) =>
      scope === "project"
        ? join(base(scope, places), ".github", "hooks", "handoff.json")
        : join(places.env.COPILOT_HOME || join(places.home, ".copilot"), "hooks", "handoff.json"),
    entry: {
      list: ["hooks", "sessionStart"],
      value: { type: "command", bash: COMMAND, powershell: COMMAND, timeoutSec: TIMEOUT },
      skeleton: { version: 1 },
      command: COMMAND,
    },
    extension: null,
    skills: sharedSkills,
    notes: [],
  },
  {
    name: "gemini",
    settings: (scope, places) => join(base(scope, places), ".gemini", "settings.json"),
    entry: {
      list: ["hooks", "SessionStart"],
      // A matcher is one exact word here, and there is no start after a compaction; the time is in milliseconds.
      value: {
        matcher: "*",
        hooks: [{ name: "git-handoff", type: "command", command: COMMAND, timeout: TIMEOUT * 1000 }],
      },
      skeleton: {},
      command: COMMAND,
    },
    extension: null,
    skills: sharedSkills,
    notes: [],
  },
  {
    name: "opencode",
    settings: null,
    entry: null,
    extension: null,
    skills: sharedSkills,
    notes: ["OpenCode has no stable way to add text at the start of a session: the skill alone is installed"],
  },
  {
    name: "pi",
    settings: null,
    entry: null,
    extension: (scope, places) =>
      scope === "project"
        ? join(base(scope, places), ".pi", "extensions", "git-handoff.ts")
        : join(
            places.env.PI_CODING_AGENT_DIR || join(places.home, ".pi", "agent"),
            "extensions",
            "git-handoff.ts",
          ),
    skills: sharedSkills,
    notes: [],
  },
];

export function findHost(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}

function base(scope: Scope, places: Places): string {
  return scope === "project" ? (places.project ?? places.home) : places.home;
}

function claudeHome(places: Places): string {
  return places.env.CLAUDE_CONFIG_DIR || join(places.home, ".claude");
}
