/** What the man page tells beside the commands: settings, surroundings, places, exit codes, examples. */

export interface Entry {
  term: string;
  text: string;
}

export const CONFIG_KEYS: readonly Entry[] = [
  {
    term: "handoff.remote",
    text: "The remote that push, fetch and sync use when none is named. Default: the branch's own remote, else the only one, else origin.",
  },
  { term: "handoff.maxAge", text: "Days after which a handoff counts as stale. Default: 7." },
  { term: "handoff.predicateTimeout", text: "Seconds that one predicate may take. Default: 2." },
  {
    term: "handoff.surface",
    text: "What checkout and session start show: full, brief or off. Default: full.",
  },
  { term: "handoff.harness", text: "What a handoff names as its harness, instead of what is detected." },
  {
    term: "handoff.lessons",
    text: "The file that lessons go to. Default: handoff/lessons.md in the git directory that all worktrees share.",
  },
  {
    term: "handoff.writer",
    text: "This clone's writer id; made by the first write, read from the repository's own config only.",
  },
  {
    term: "handoff.repo.<name>.url",
    text: "Gives a repository a name, for send and for the origin of what is received.",
  },
  {
    term: "handoff.repo.<name>.relation",
    text: "Why that repository talks to this one; shown with what it sends.",
  },
  { term: "color.handoff", text: "Whether to colour: always, never, auto. Default: the value of color.ui." },
  { term: "pager.handoff", text: "Whether to page, or the pager to use, as for git's own commands." },
];

export const ENVIRONMENT: readonly Entry[] = [
  { term: "GIT_HANDOFF", text: "0 turns the hooks off." },
  { term: "GIT_HANDOFF_DEBUG", text: "1 shows where an error comes from." },
  { term: "GIT_EDITOR, GIT_PAGER, GIT_DIR, GIT_WORK_TREE", text: "As for git itself." },
  { term: "NO_COLOR", text: "Any value turns colour off." },
  {
    term: "XDG_STATE_HOME",
    text: "Where drafts and what a session has been shown are kept, in the folder git-handoff. Default: ~/.local/state.",
  },
];

export const EXIT_CODES: readonly Entry[] = [
  { term: "0", text: "Done. Also read, list and inbox with nothing to show." },
  {
    term: "1",
    text: "A negative answer: show, close or ack with nothing to act on, check with findings, doctor with errors, write where a handoff is open.",
  },
  { term: "128", text: "A fatal error." },
  { term: "129", text: "Wrong usage, or -h." },
  { term: "130", text: "Interrupted." },
];

export const FILES: readonly Entry[] = [
  {
    term: "refs/handoff/<branch>/<writer>",
    text: "What this clone wrote for a branch; HEAD stands for the repository as a whole.",
  },
  { term: "refs/handoff/<branch>/<writer>-<handle>", text: "A handoff that another repository sent." },
  { term: "refs/handoff-remotes/<branch>/<writer>/<remote>", text: "What a fetch brought." },
];

export const EXAMPLES: readonly Entry[] = [
  { term: "git handoff", text: "Show and check what is open for the current branch." },
  {
    term: "git handoff write -m 'Split the parser' --next 'Move the lexer out' --done 'src/parse.ts=the parser reads comments'",
    text: "Write a handoff without being asked anything.",
  },
  {
    term: "git handoff write --from - <notes.yaml",
    text: "Write one from a file with the document's own keys.",
  },
  { term: "git handoff sync", text: "Exchange handoffs with teammates." },
  {
    term: "git handoff send ../billing --breaking --impact 'Rename amount to amountCents' -m 'Amounts are in cents now'",
    text: "Leave a handoff in another repository's inbox.",
  },
  { term: "git handoff close -m 'merged'", text: "Close what is open for the current branch." },
  {
    term: "git handoff completion bash >~/.local/share/bash-completion/completions/git-handoff",
    text: "Complete commands, options, branches and handles in bash.",
  },
];
