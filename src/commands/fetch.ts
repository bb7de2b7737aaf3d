/** `git handoff fetch`: handoffs of every branch from a remote. */
import { fetchHandoffs } from "../sync/fetch.js";
import { chooseRemote } from "../sync/remote.js";
import { openRepository, type Run, writeJson } from "./context.js";
import { jsonOf, networkOf, reportFetched } from "./transfer.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const named = typeof args.remote === "string" ? args.remote : null;
  const remote = await chooseRemote(repository, { named, direction: "fetch" });
  const fetched = await fetchHandoffs(repository, remote, networkOf(context));
  if (args.json === true) writeJson(context, jsonOf({ fetched }));
  else reportFetched(fetched, context);
  return 0;
};
