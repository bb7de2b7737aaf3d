/** What push, fetch and sync have in common. */
import { oneLine } from "../document/strip.js";
import type { Fetched } from "../sync/fetch.js";
import { NETWORK_DEADLINE, type Network } from "../sync/network.js";
import type { Pushed } from "../sync/push.js";
import { renderFetched, renderPushed } from "../sync/render.js";
import type { Context } from "./context.js";

export function networkOf(context: Context): Network {
  return {
    deadline: Date.now() + NETWORK_DEADLINE,
    terminal: context.stdin.isTTY === true && context.stderr.isTTY === true,
  };
}

/** Prints what came. */
export function reportFetched(fetched: Fetched, context: Context): void {
  for (const warning of fetched.warnings) context.stderr.write(`warning: ${oneLine(warning)}\n`);
  context.stdout.write(renderFetched(fetched));
}

/** Prints what was sent and refused; the exit code: 1 when anything was refused, as git push does. */
export function reportPushed(pushed: Pushed, context: Context): number {
  for (const warning of pushed.warnings) context.stderr.write(`warning: ${oneLine(warning)}\n`);
  if (pushed.newWriter) context.stderr.write(`${newWriterNotice(pushed)}\n`);
  const refused = pushed.refs.filter(({ status }) => status === "rejected");
  if (pushed.refs.length === 0) context.stdout.write("Nothing to push.\n");
  else context.stdout.write(renderPushed(pushed) || "Everything up-to-date\n");
  if (refused.length === 0) return 0;
  const reasons = [...new Set(refused.map(({ reason, summary }) => reason ?? summary))];
  context.stderr.write(
    `error: '${oneLine(pushed.remote)}' refused ${refused.length} of ${pushed.refs.length} refs: ${oneLine(reasons.join("; "))}\n`,
  );
  return 1;
}

function newWriterNotice({ newWriter }: Pushed): string {
  return `Another clone writes as ${newWriter?.old} too (a copied folder?); this one now writes as ${newWriter?.writer}.`;
}

export function jsonOf(parts: { pushed?: Pushed; fetched?: Fetched }): Record<string, unknown> {
  const { pushed, fetched } = parts;
  return {
    remote: pushed?.remote ?? fetched?.remote ?? null,
    fetched: fetched?.refs ?? null,
    pushed: pushed?.refs ?? null,
    new_writer: pushed?.newWriter?.writer ?? null,
    warnings: [...(fetched?.warnings ?? []), ...(pushed?.warnings ?? [])],
  };
}
