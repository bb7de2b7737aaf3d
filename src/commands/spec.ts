/**
 * Every command with its arguments, as data: the command line, `-h`, the man page and the completions are
 * all made from this.
 */

export interface OptionSpec {
  name: string;
  alias?: string;
  type: "boolean" | "string" | "number" | "list";
  /** What stands after the option in help, e.g. `<text>`. */
  argument?: string;
  describe: string;
  /** Has a `--no-` form. */
  negatable?: boolean;
  choices?: readonly string[];
  /** Other words for some of `choices`. */
  synonyms?: Readonly<Record<string, string>>;
  /** More of `choices` may follow the first. */
  several?: boolean;
  /** What a shell completes its value with, where `choices` does not say. */
  complete?: "file" | "branch" | "handle" | "remote";
}

export interface PositionalSpec {
  name: string;
  describe: string;
  required?: boolean;
  variadic?: boolean;
  complete?: "file" | "branch" | "handle" | "remote" | "branch-or-handle" | "shell" | "command";
}

export interface CommandSpec {
  name: string;
  aliases?: readonly string[];
  describe: string;
  positionals?: readonly PositionalSpec[];
  options?: readonly OptionSpec[];
  /** Called by hooks; left out of the short help. */
  hidden?: boolean;
}

const json: OptionSpec = { name: "json", type: "boolean", describe: "print one JSON object" };
const reason: OptionSpec = {
  name: "reason",
  alias: "m",
  type: "string",
  argument: "<reason>",
  describe: "say why, in one line",
};
const branchArg: PositionalSpec = {
  name: "branch",
  describe: "a branch; the current one by default",
  complete: "branch",
};
const remoteArg: PositionalSpec = { name: "remote", describe: "a remote's name", complete: "remote" };
const allBranches: OptionSpec = {
  name: "all",
  type: "boolean",
  describe: "every branch, not only the current one and HEAD",
};
const dryRun: OptionSpec = {
  name: "dry-run",
  alias: "n",
  type: "boolean",
  describe: "show what would be done, change nothing",
};

/** What a document is made of; shared by write and send. */
const content: readonly OptionSpec[] = [
  {
    name: "from",
    type: "string",
    argument: "<file|->",
    describe: "take the document from a file or stdin (YAML, JSON or Markdown)",
    complete: "file",
  },
  {
    name: "intent",
    alias: "m",
    type: "string",
    argument: "<text>",
    describe: "the immediate next intent, one short statement",
  },
  { name: "goal", type: "string", argument: "<text>", describe: "the active goal" },
  { name: "summary", type: "string", argument: "<text>", describe: "what this session came to" },
  { name: "state", type: "string", argument: "<text>", describe: "what is done, in flight, decided" },
  { name: "next", type: "list", argument: "<step>", describe: "a next step; repeat in order" },
  { name: "pointer", type: "list", argument: "<path|url>", describe: "where to look; repeat" },
  {
    name: "done",
    type: "list",
    argument: "<evidence>=<claim>",
    describe: "work done, with the place that proves it; repeat",
  },
  {
    name: "unresolved",
    type: "list",
    argument: "[<kind>:]<text>",
    describe: "what is open (acceptance, finding, uncertainty, risk, gap); repeat",
  },
  { name: "edit", alias: "e", type: "boolean", describe: "open the editor on the document" },
  {
    name: "redact",
    type: "boolean",
    negatable: true,
    describe: "--no-redact keeps what looks like a secret",
  },
  dryRun,
  json,
];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "read",
    aliases: ["resume"],
    describe: "check the open handoff and show what holds, what shifted and what cannot be told",
    positionals: [
      {
        name: "target",
        describe: "a branch or a handoff; the current branch by default",
        complete: "branch-or-handle",
      },
    ],
    options: [json],
  },
  {
    name: "check",
    describe: "the read flow, quiet but for findings; exit 1 when there are any",
    positionals: [branchArg],
    options: [json],
  },
  {
    name: "write",
    describe: "write a handoff for the current branch",
    options: [
      ...content,
      { name: "append", type: "boolean", describe: "go on from the open handoff" },
      { name: "overwrite", type: "boolean", describe: "replace the open handoff" },
      { name: "inbox", type: "boolean", describe: "leave it in this repository's own inbox" },
      {
        name: "impact",
        type: "string",
        argument: "<text>",
        describe: "what it means for the destination (inbox)",
      },
      {
        name: "breaking",
        type: "boolean",
        negatable: true,
        describe: "does the destination have to change something? (inbox)",
      },
      {
        name: "branch",
        type: "string",
        argument: "<name>",
        describe: "for this branch instead of the repository as a whole (inbox)",
        complete: "branch",
      },
      {
        name: "output",
        type: "string",
        argument: "<path>",
        describe: "write to a file instead of the repository",
        complete: "file",
      },
    ],
  },
  {
    name: "send",
    describe: "write a handoff into another repository's inbox",
    positionals: [
      {
        name: "repository",
        describe: "a path, a URL, a remote or a configured name",
        required: true,
        complete: "remote",
      },
    ],
    options: [
      ...content,
      {
        name: "impact",
        type: "string",
        argument: "<text>",
        describe: "what it means there, in that repository's terms",
      },
      {
        name: "breaking",
        type: "boolean",
        negatable: true,
        describe: "does it have to change something there? (one of the two is required)",
      },
      {
        name: "branch",
        type: "string",
        argument: "<name>",
        describe: "for this branch of it instead of the repository as a whole",
      },
    ],
  },
  {
    name: "inbox",
    describe: "unread inbox handoffs, breaking first",
    positionals: [branchArg],
    options: [json],
  },
  {
    name: "list",
    describe: "handoffs with state, branch, age, author and intent",
    options: [
      { name: "all", alias: "a", type: "boolean", describe: "of every branch" },
      { name: "closed", type: "boolean", describe: "closed and acknowledged ones too" },
      json,
    ],
  },
  {
    name: "show",
    describe: "one whole document and its verdicts",
    positionals: [
      {
        name: "id",
        describe: "a handle, an id or a unique prefix; the open one by default",
        complete: "handle",
      },
    ],
    options: [{ name: "raw", type: "boolean", describe: "the stored bytes" }, json],
  },
  {
    name: "log",
    describe: "what happened, newest first, from all writers",
    positionals: [branchArg],
    options: [json],
  },
  {
    name: "ack",
    describe: "acknowledge inbox handoffs",
    positionals: [
      {
        name: "id",
        describe: "a handle, an id or a unique prefix",
        required: true,
        variadic: true,
        complete: "handle",
      },
    ],
    options: [
      { name: "decline", type: "boolean", describe: "acknowledge without acting on it" },
      reason,
      json,
    ],
  },
  {
    name: "close",
    describe: "close journal handoffs",
    positionals: [
      {
        name: "id",
        describe: "handles or ids; all open ones of the branch by default",
        variadic: true,
        complete: "handle",
      },
    ],
    options: [reason, json],
  },
  {
    name: "reopen",
    describe: "write a closed handoff again as a new one",
    positionals: [
      { name: "id", describe: "a handle, an id or a unique prefix", required: true, complete: "handle" },
    ],
    options: [json],
  },
  {
    name: "push",
    describe: "send this clone's handoffs to a remote",
    positionals: [remoteArg],
    options: [allBranches, json],
  },
  {
    name: "fetch",
    describe: "bring handoffs from a remote",
    positionals: [remoteArg],
    options: [allBranches, json],
  },
  { name: "sync", describe: "fetch, then push", positionals: [remoteArg], options: [allBranches, json] },
  {
    name: "mv",
    describe: "carry a renamed branch's open handoffs over",
    positionals: [
      { name: "old", describe: "the branch's old name", required: true, complete: "branch" },
      { name: "new", describe: "its new name", required: true, complete: "branch" },
    ],
    options: [json],
  },
  {
    name: "prune",
    describe:
      "drop the text of old closed and acknowledged handoffs from the tips (a dry run unless --force)",
    options: [
      {
        name: "older-than",
        type: "number",
        argument: "<days>",
        describe: "closed or acknowledged longer ago than this (90)",
      },
      { name: "force", alias: "f", type: "boolean", describe: "do it" },
      dryRun,
      json,
    ],
  },
  {
    name: "redact",
    describe: "take a handoff out of this writer's history, here and on the remote",
    positionals: [
      { name: "id", describe: "a handle, an id or a unique prefix", required: true, complete: "handle" },
    ],
    options: [
      { name: "yes", alias: "y", type: "boolean", describe: "do not ask" },
      {
        name: "remote",
        type: "string",
        argument: "<name>",
        describe: "the remote to replace it on",
        complete: "remote",
      },
      dryRun,
      json,
    ],
  },
  {
    name: "install",
    describe: "show handoffs after checkout, fetch them with git fetch, or set up an agent",
    options: [
      {
        name: "agent",
        type: "list",
        argument: "<name>...",
        describe: "set up an agent: claude-code, codex, cursor, copilot, gemini, opencode, pi",
        choices: ["claude-code", "codex", "cursor", "copilot", "gemini", "opencode", "pi"],
        synonyms: { claude: "claude-code", "copilot-cli": "copilot", "gemini-cli": "gemini" },
        several: true,
      },
      { name: "project", type: "boolean", describe: "in this repository's settings of that agent" },
      { name: "user", type: "boolean", describe: "in the user's settings of that agent" },
      { name: "print", type: "boolean", describe: "only show what would be written" },
      { name: "remove", type: "boolean", describe: "take an agent's setting out again" },
      { name: "global", type: "boolean", describe: "the hook for all repositories (git 2.54 or newer)" },
      {
        name: "fetch",
        type: "boolean",
        negatable: true,
        describe: "--no-fetch leaves the remotes' refspecs alone",
      },
      json,
    ],
  },
  {
    name: "uninstall",
    describe: "take out what install put in",
    options: [{ name: "global", type: "boolean", describe: "the hook for all repositories" }, json],
  },
  {
    name: "doctor",
    describe: "say what is installed, whether git runs it, what looks wrong; exit 1 on errors",
    options: [json],
  },
  {
    name: "import",
    describe: "take in handoffs of other tools",
    positionals: [
      { name: "path", describe: "a file or a folder", required: true, variadic: true, complete: "file" },
    ],
    options: [
      { name: "branch", type: "string", argument: "<name>", describe: "for this branch", complete: "branch" },
      {
        name: "redact",
        type: "boolean",
        negatable: true,
        describe: "--no-redact keeps what looks like a secret",
      },
      dryRun,
      json,
    ],
  },
  {
    name: "export",
    describe: "write a handoff in another tool's format",
    positionals: [
      { name: "id", describe: "a handle, an id or a unique prefix", required: true, complete: "handle" },
    ],
    options: [
      {
        name: "format",
        type: "string",
        argument: "<format>",
        describe: "park, evidence or inbox",
        choices: ["park", "evidence", "inbox"],
      },
      {
        name: "output",
        type: "string",
        argument: "<path>",
        describe: "to a file or folder instead of stdout",
        complete: "file",
      },
    ],
  },
  { name: "schema", describe: "JSON Schema of the document and of the --json report" },
  {
    name: "lesson",
    describe: "note a lesson about how to work, apart from any handoff",
    positionals: [{ name: "text", describe: "the lesson", required: true, variadic: true }],
    options: [
      {
        name: "redact",
        type: "boolean",
        negatable: true,
        describe: "--no-redact keeps what looks like a secret",
      },
    ],
  },
  {
    name: "session-start",
    describe: "what an agent's session-start hook calls: its JSON in, its JSON or nothing out",
    options: [
      {
        name: "agent",
        type: "string",
        argument: "<name>",
        describe: "the agent, where its input does not tell",
      },
    ],
    hidden: true,
  },
  {
    name: "completion",
    describe: "print the completion script for bash, zsh or fish",
    positionals: [{ name: "shell", describe: "bash, zsh or fish", required: true, complete: "shell" }],
  },
  {
    name: "complete-handles",
    describe: "live handles and what they are about, for completion",
    hidden: true,
  },
  {
    name: "help",
    describe: "show help for a command",
    positionals: [{ name: "command", describe: "a command", complete: "command" }],
  },
];

/** What `git handoff` alone, or with a branch or a handle, does. */
export const DEFAULT_COMMAND: CommandSpec = COMMANDS[0] ?? { name: "read", describe: "" };

/** The command of this name or alias. */
export function findCommand(word: string): CommandSpec | undefined {
  return COMMANDS.find(({ name, aliases }) => name === word || aliases?.includes(word));
}
