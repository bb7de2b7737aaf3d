/** `git handoff reopen <id>`: folders never go back, so the content is written again as a new document. */
import { reopenItem } from "../store/events.js";
import { findItem } from "../store/find.js";
import { openRepository, type Run, writeJson } from "./context.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const branch = await repository.branch();
  const port = repository.port();
  const item = await findItem(port, String(args.id), { branch, pruned: true });
  const { id, handle, ref, path, commit } = await reopenItem(port, { item, now: context.now() });
  if (args.json === true) writeJson(context, { id, handle, ref, path, commit, warnings: [] });
  else context.stdout.write(`Handoff reopened: ${ref} ${handle}\n`);
  return 0;
};
