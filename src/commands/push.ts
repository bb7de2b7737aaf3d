/** `git handoff push`: this clone's handoffs to a remote. */
import { pushHandoffs } from "../sync/push.js";
import { chooseRemote } from "../sync/remote.js";
import { textOf } from "./arguments.js";
import { openForNetwork, type Run } from "./context.js";
import { networkOf, report } from "./transfer.js";

export const run: Run = async (args, context) => {
  const repository = await openForNetwork(context);
  const remote = await chooseRemote(repository, { named: textOf(args.remote), direction: "push" });
  const network = networkOf(context);
  const pushed = await pushHandoffs(repository, remote, { all: args.all === true, network });
  return report({ pushed, fetched: null, warnings: [] }, args, context);
};
