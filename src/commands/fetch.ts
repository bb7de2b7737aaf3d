/** `git handoff fetch`: handoffs of every branch from a remote. */
import { fetchHandoffs } from "../sync/fetch.js";
import { chooseRemote } from "../sync/remote.js";
import { textOf } from "./arguments.js";
import { openForNetwork, type Run } from "./context.js";
import { networkOf, refspecWarnings, report } from "./transfer.js";

export const run: Run = async (args, context) => {
  const repository = await openForNetwork(context);
  const remote = await chooseRemote(repository, { named: textOf(args.remote), direction: "fetch" });
  const fetched = await fetchHandoffs(repository, remote, networkOf(context));
  return report({ pushed: null, fetched, warnings: await refspecWarnings(repository) }, args, context);
};
