import type { Args, Context } from "../context.js";
import { oneLine } from "../document/strip.js";
import type { RunGit } from "../git/process.js";
import { Repository } from "../git/repository.js";
import { spawnGit } from "../git/spawn.js";

export type { Args, Context };

/** Every file in commands/ that is a verb exports this; it resolves to the exit code. */
export type Run = (args: Args, context: Context) => Promise<number>;

/**
 * The repository the command was called in. Throws FatalError where there is none. Its git is run without a library:
 * loading execa takes as long as all git calls of a short command together.
 */
export function openRepository(context: Context): Promise<Repository> {
  return openWith(spawnGit(), context);
}

/** The same for commands that may use the network, whose git runs long and asks people: through execa. */
export async function openForNetwork(context: Context): Promise<Repository> {
  const { execaGit } = await import("../git/run.js");
  return openWith(execaGit(), context);
}

function openWith(run: RunGit, context: Context): Promise<Repository> {
  return Repository.open(context.cwd, context.env, run, (text) => warn(context, [text]));
}

// JSON may hold these as they are; a terminal would obey them, or not show them.
const OBEYED = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The one object that `--json` puts on stdout: the very text of others, with nothing in it a terminal obeys. */
export function writeJson(context: Context, value: object): void {
  context.stdout.write(`${JSON.stringify(value, null, 2).replace(OBEYED, escaped)}\n`);
}

/** A character beyond the first plane is two units. */
function escaped(character: string): string {
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}

/** Warnings for people go to stderr, so that stdout stays what was asked for. */
export function warn(context: Context, warnings: readonly string[]): void {
  for (const warning of warnings) context.stderr.write(`warning: ${oneLine(warning)}\n`);
}
