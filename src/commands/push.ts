/** `git handoff push`: this clone's handoffs to a remote. */
import { pushHandoffs } from "../sync/push.js";
import { chooseRemote } from "../sync/remote.js";
import { openRepository, type Run, writeJson } from "./context.js";
import { jsonOf, networkOf, reportPushed } from "./transfer.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const named = typeof args.remote === "string" ? args.remote : null;
  const remote = await chooseRemote(repository, { named, direction: "push" });
  const pushed = await pushHandoffs(repository, remote, {
    all: args.all === true,
    network: networkOf(context),
  });
  if (args.json !== true) return reportPushed(pushed, context);
  writeJson(context, jsonOf({ pushed }));
  return pushed.refs.some(({ status }) => status === "rejected") ? 1 : 0;
};
