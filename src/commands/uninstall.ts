import { userEnvironment } from "../git/environment.js";
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import { uninstall } from "../install/git-unhook.js";
import { uninstallGlobalHook } from "../install/global-hook.js";
import { goOn } from "../install/steps.js";
import type { Context, Run } from "./context.js";

export const run: Run = async (args, context) => {
  if (args.global) return uninstallForAll(Boolean(args.json), context);
  const repository = await Repository.open(context.cwd, context.env, execaGit());
  const { removed, notes, stillRuns } = await uninstall(repository, goOn);
  if (args.json) context.stdout.write(`${JSON.stringify({ removed, notes, runs: stillRuns })}\n`);
  else {
    for (const line of removed) context.stdout.write(`removed: ${line}\n`);
    if (removed.length === 0) context.stdout.write("nothing was installed here\n");
    context.stdout.write(
      stillRuns
        ? "checked: git still runs a git handoff hook here (installed for all repositories?)\n"
        : "checked: git was asked to run the hook, and does not reach it any more\n",
    );
  }
  for (const note of notes) context.stderr.write(`warning: ${note}\n`);
  return 0;
};

async function uninstallForAll(json: boolean, context: Context): Promise<number> {
  const git = execaGit();
  const env = userEnvironment(context.env);
  const removed = await uninstallGlobalHook(
    (args, options) => git(args, { env, cwd: context.cwd, ...options }),
    context.env,
    goOn,
  );
  if (json) context.stdout.write(`${JSON.stringify({ removed })}\n`);
  else {
    for (const line of removed) context.stdout.write(`removed: ${line}\n`);
    if (removed.length === 0) context.stdout.write("nothing was installed for all repositories\n");
  }
  return 0;
}
