/** `git handoff check [<branch>]`: the read flow, quiet but for findings. */
import { oneLine } from "../document/strip.js";
import { readBranch } from "../read/flow.js";
import { findingsOf } from "../surface/findings.js";
import { textOf } from "./arguments.js";
import { openRepository, type Run, warn } from "./context.js";
import { writeReportJson } from "./report.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const report = await readBranch(repository, {
    branch: textOf(args.branch) ?? undefined,
    now: context.now(),
  });
  const findings = findingsOf(report);
  if (args.json === true) writeReportJson(context, report);
  else {
    warn(context, report.warnings.map(oneLine));
    for (const finding of findings) context.stdout.write(`${finding}\n`);
  }
  return findings.length > 0 ? 1 : 0;
};
