/** `gh … view`: existence, or one plain comparison of a field. The only predicate that uses the network. */
import { CannotEvaluate, REASONS } from "./cannot-evaluate.js";
import { findProgram, runProgram } from "./program.js";
import type { Answer, Session } from "./session.js";
import type { GhPredicate } from "./types.js";

/** The reader's own login, but no prompt, pager, colour or other repository. */
export function ghEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([key]) =>
      !key.startsWith("GIT_") &&
      !/^(GH_REPO|GH_FORCE_TTY|GH_DEBUG|DEBUG|CLICOLOR_FORCE|FORCE_COLOR)$/.test(key),
  );
  return {
    ...Object.fromEntries(kept),
    GH_PROMPT_DISABLED: "1",
    GH_NO_UPDATE_NOTIFIER: "1",
    GH_PAGER: "cat",
    NO_COLOR: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

/** The fixed form in which a question is put to gh. */
export function ghArguments(predicate: GhPredicate): string[] {
  const { subject, name, fields, query } = predicate;
  const field = subject === "release" ? "tagName" : subject === "run" ? "databaseId" : "number";
  const json = fields.length > 0 ? fields : [field];
  return [
    subject,
    "view",
    `--json=${json.join(",")}`,
    ...(query === null ? [] : [`--jq=${query}`]),
    "--",
    name,
  ];
}

/** Throws CannotEvaluate: always inside a git hook, and for every failure, being offline above all. */
export async function askGh(predicate: GhPredicate, session: Session): Promise<Answer> {
  if (session.facts.hook) throw new CannotEvaluate(REASONS.network);
  const file = findProgram("gh");
  if (file === null) throw new CannotEvaluate("gh is not installed");
  const { workTree, gitDir } = session.facts.repository;
  const result = await session.budget.process((timeout) =>
    runProgram(file, ghArguments(predicate), { cwd: workTree ?? gitDir, env: ghEnvironment(), timeout }),
  );
  if (result.timedOut) throw session.budget.stopped();
  if (result.code !== 0) throw new CannotEvaluate("gh could not answer");
  const name = `${predicate.subject} ${predicate.name}`;
  if (predicate.query === null) return { value: true, found: `${name} exists` };
  const printed = result.stdout.trim();
  if (printed === "true") return { value: true, found: `${name}: ${predicate.query}` };
  if (printed === "false" || printed === "null" || printed === "") {
    return { value: false, found: `${name}: not ${predicate.query}` };
  }
  throw new CannotEvaluate("gh printed neither true nor false");
}
