/** `git handoff sync`: fetch, then push. */
import { fetchHandoffs } from "../sync/fetch.js";
import { pushHandoffs } from "../sync/push.js";
import { chooseRemote } from "../sync/remote.js";
import { openRepository, type Run, writeJson } from "./context.js";
import { jsonOf, networkOf, reportFetched, reportPushed } from "./transfer.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const named = typeof args.remote === "string" ? args.remote : null;
  const from = await chooseRemote(repository, { named, direction: "fetch" });
  const to = await chooseRemote(repository, { named, direction: "push" });
  const network = networkOf(context);
  const fetched = await fetchHandoffs(repository, from, network);
  if (args.json !== true) reportFetched(fetched, context);
  const pushed = await pushHandoffs(repository, to, { all: args.all === true, network });
  if (args.json !== true) return reportPushed(pushed, context);
  writeJson(context, jsonOf({ pushed, fetched }));
  return pushed.refs.some(({ status }) => status === "rejected") ? 1 : 0;
};
