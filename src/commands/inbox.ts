/** `git handoff inbox [<branch>]`: unread inbox handoffs, breaking first. */
import { readBranch } from "../read/flow.js";
import { textOf } from "./arguments.js";
import { openRepository, type Run } from "./context.js";
import { writeReportJson, writeSurface } from "./report.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const report = await readBranch(repository, {
    branch: textOf(args.branch) ?? undefined,
    now: context.now(),
    only: "inbox",
  });
  if (args.json === true) writeReportJson(context, report);
  else {
    const after = report.inbox.length === 0 ? "No unread handoffs in this repo's inbox.\n" : "";
    // This is where a cut surface block sends its reader, so nothing is cut here.
    await writeSurface(context, report, { after, whole: true });
  }
  return 0;
};
