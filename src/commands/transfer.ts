/** What push, fetch and sync have in common. */
import { oneLine } from "../document/strip.js";
import type { Repository } from "../git/repository.js";
import { handoffFolder } from "../install/git-hook.js";
import { readRecord } from "../install/record.js";
import type { Fetched } from "../sync/fetch.js";
import { NETWORK_DEADLINE, type Network } from "../sync/network.js";
import { isPolicy, type PushedRef } from "../sync/porcelain.js";
import type { Pushed } from "../sync/push.js";
import { refspecProblems } from "../sync/refspec.js";
import { renderFetched, renderPushed } from "../sync/render.js";
import { type Args, type Context, warn, writeJson } from "./context.js";

export function networkOf(context: Context): Network {
  return {
    deadline: Date.now() + NETWORK_DEADLINE,
    terminal: context.stdin.isTTY === true && context.stderr.isTTY === true,
  };
}

/** What the configured refspecs do wrong, for who fetches: one line each. */
export async function refspecWarnings(repository: Repository): Promise<string[]> {
  const config = await repository.config();
  const remotes = (await repository.remotes()).map(({ name }) => name);
  const { config: added } = readRecord(handoffFolder(repository));
  return refspecProblems(config, remotes, added).map(({ message, remedy }) => `${message}: ${remedy}`);
}

/** What a push or a fetch did. */
export interface Transfer {
  pushed: Pushed | null;
  fetched: Fetched | null;
  warnings: readonly string[];
}

/** Prints a transfer. The exit code: 1 when a ref was refused, as git push does. */
export function report(transfer: Transfer, args: Args, context: Context): number {
  const { pushed, fetched, warnings } = transfer;
  const refused = pushed?.refs.filter(({ status }) => status === "rejected") ?? [];
  if (args.json === true) writeJson(context, jsonOf(transfer));
  else {
    warn(context, warnings);
    if (fetched) context.stdout.write(renderFetched(fetched));
    if (pushed) reportPushed(pushed, refused, context);
  }
  return refused.length > 0 ? 1 : 0;
}

function reportPushed(pushed: Pushed, refused: readonly PushedRef[], context: Context): void {
  for (const line of pushed.said) context.stderr.write(`remote: ${oneLine(line)}\n`);
  if (pushed.newWriter) context.stderr.write(`${newWriterNotice(pushed)}\n`);
  if (pushed.refs.length === 0) context.stdout.write("Nothing to push.\n");
  else context.stdout.write(renderPushed(pushed) || "Everything up-to-date; nothing to push.\n");
  const all = pushed.refs.length;
  const [policy, others] = [refused.filter(isPolicy), refused.filter((ref) => !isPolicy(ref))];
  const name = oneLine(pushed.remote);
  if (policy.length > 0)
    context.stderr.write(
      `error: ${policy.length} of ${all} refs refused by policy of '${name}': ${why(policy)}\n`,
    );
  if (others.length > 0)
    context.stderr.write(`error: ${others.length} of ${all} refs not pushed to '${name}': ${why(others)}\n`);
}

function why(refused: readonly PushedRef[]): string {
  return oneLine([...new Set(refused.map(({ reason, summary }) => reason ?? summary))].join("; "));
}

function newWriterNotice({ newWriter }: Pushed): string {
  return `Another clone writes as ${newWriter?.old} too (a copied folder?); this one now writes as ${newWriter?.writer}.`;
}

function jsonOf({ pushed, fetched, warnings }: Transfer): Record<string, unknown> {
  return {
    remote: pushed?.remote ?? fetched?.remote ?? null,
    fetched: fetched?.refs ?? null,
    pushed: pushed?.refs ?? null,
    new_writer: pushed?.newWriter?.writer ?? null,
    warnings: [...warnings, ...(pushed?.said.map((line) => `remote: ${line}`) ?? [])],
  };
}
