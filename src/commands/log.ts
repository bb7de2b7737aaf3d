/** `git handoff log [<branch>]`: what happened, newest first, from all writers. */
import { oneLine } from "../document/strip.js";
import { readLog } from "../store/history.js";
import { REPOSITORY_BRANCH } from "../store/names.js";
import type { LogEvent } from "../store/types.js";
import { paint, wantsColor } from "../terminal/color.js";
import { writePaged } from "../terminal/pager.js";
import { openRepository, type Run, writeJson } from "./context.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const named = typeof args.branch === "string" ? args.branch : (await repository.head()).branch;
  const branch = named ?? REPOSITORY_BRANCH;
  const events = await readLog(repository.port(), branch);
  if (args.json === true) {
    writeJson(context, { format: 1, branch, events });
    return 0;
  }
  if (events.length === 0) context.stderr.write(`Nothing was recorded for ${oneLine(branch)}.\n`);
  const color = await wantsColor(context);
  await writePaged(events.map((event) => draw(event, color)).join("\n"), context);
  return 0;
};

/** Laid out as `git log` does it: what, who, when, then the words. */
function draw(event: LogEvent, color: boolean): string {
  const reason = event.reason ? [`    reason: ${oneLine(event.reason)}`] : [];
  const replaced =
    event.supersedes.length > 0 ? [`    supersedes ${event.supersedes.map(oneLine).join(", ")}`] : [];
  return `${[
    `${paint(`${event.event} ${event.ids.map(oneLine).join(" ")}`.trimEnd(), "yellow", color)}`,
    `Author: ${oneLine(event.author)} (${event.writer})`,
    `Date:   ${oneLine(event.date)}`,
    `Commit: ${event.commit}`,
    "",
    `    ${oneLine(event.subject)}`,
    ...reason,
    ...replaced,
  ].join("\n")}\n`;
}
