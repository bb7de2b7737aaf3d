/** `git handoff mv <old> <new>`: a branch was renamed; its open handoffs go with it. */
import { oneLine } from "../document/strip.js";
import { FatalError, NegativeError } from "../errors.js";
import { moveBranch } from "../store/events.js";
import { isBranchName, REPOSITORY_BRANCH } from "../store/names.js";
import { openRepository, type Run, warn, writeJson } from "./context.js";
import { nameOf, summaryOf } from "./item.js";

export const run: Run = async (args, context) => {
  const [from, to] = [branchNamed(args.old), branchNamed(args.new)];
  if (from === to) throw new FatalError(`'${oneLine(to)}' is both the old and the new branch`);
  const repository = await openRepository(context);
  const done = await moveBranch(repository.port(), { from, to, now: context.now() });
  if (done.changed.length + done.already.length === 0)
    throw new NegativeError(`No open handoff for ${oneLine(from)}.`);
  const known = (await repository.branchOid(to)) !== null;
  const warnings = known ? [] : [`there is no branch '${oneLine(to)}' in this clone`];
  if (args.json === true) {
    const [moved, already] = [
      done.changed.map((item) => summaryOf({ ...item, branch: to })),
      done.already.map(summaryOf),
    ];
    writeJson(context, { from, to, moved, already, commits: done.commits, warnings });
    return 0;
  }
  warn(context, warnings);
  for (const item of done.changed) context.stdout.write(`Moved to ${oneLine(to)}: ${nameOf(item)}\n`);
  for (const item of done.already) context.stdout.write(`Already on ${oneLine(to)}: ${nameOf(item)}\n`);
  return 0;
};

function branchNamed(value: unknown): string {
  const name = String(value);
  if (name === REPOSITORY_BRANCH || !isBranchName(name))
    throw new FatalError(`'${oneLine(name)}' is not a valid branch name`);
  return name;
}
