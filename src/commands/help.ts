/** `git handoff help [<command>]`: what `-h` says, as an answer instead of an error. */
import { UsageError } from "../errors.js";
import type { Run } from "./context.js";
import { findCommand } from "./spec.js";
import { commandUsage, programUsage } from "./usage/text.js";

export const run: Run = async (args, context) => {
  const word = args.command;
  if (typeof word !== "string") {
    context.stdout.write(programUsage());
    return 0;
  }
  const command = findCommand(word);
  if (!command) throw new UsageError(`\`${word}' is not a git handoff command`);
  context.stdout.write(commandUsage(command));
  return 0;
};
