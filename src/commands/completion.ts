/** `git handoff completion <shell>`: prints the completion script. */
import { UsageError } from "../errors.js";
import type { Run } from "./context.js";
import { bashCompletion } from "./usage/bash.js";
import { SHELLS } from "./usage/complete.js";
import { fishCompletion } from "./usage/fish.js";
import { zshCompletion } from "./usage/zsh.js";

const SCRIPTS = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

export const run: Run = async (args, context) => {
  const script = SCRIPTS.get(String(args.shell));
  if (!script)
    throw new UsageError(`no completion for \`${args.shell}'; there is one for ${SHELLS.join(", ")}`);
  context.stdout.write(script());
  return 0;
};
