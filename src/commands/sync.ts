/** `git handoff sync`: fetch, then push. */
import { FatalError } from "../errors.js";
import { type Fetched, fetchHandoffs } from "../sync/fetch.js";
import { pushHandoffs } from "../sync/push.js";
import { chooseRemote } from "../sync/remote.js";
import { textOf } from "./arguments.js";
import { openForNetwork, type Run } from "./context.js";
import { networkOf, refspecWarnings, report } from "./transfer.js";

export const run: Run = async (args, context) => {
  const repository = await openForNetwork(context);
  const named = textOf(args.remote);
  const from = await chooseRemote(repository, { named, direction: "fetch" });
  const to = await chooseRemote(repository, { named, direction: "push" });
  const network = networkOf(context);
  const fetched = await fetchHandoffs(repository, from, network).catch(failure);
  // A remote that does not answer must not keep from another what is to go there.
  if (fetched instanceof FatalError && from === to) throw fetched;
  const pushed = await pushHandoffs(repository, to, { all: args.all === true, network });
  const failed = fetched instanceof FatalError;
  const warnings = await refspecWarnings(repository);
  const code = report({ pushed, fetched: failed ? null : fetched, warnings }, args, context);
  if (failed) throw fetched;
  return code;
};

function failure(error: unknown): Fetched | FatalError {
  if (error instanceof FatalError) return error;
  throw error;
}
