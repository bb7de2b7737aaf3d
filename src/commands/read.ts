/** `git handoff [read] [<branch>|<id>]`: what is open, checked. */
import { oneLine } from "../document/strip.js";
import type { Repository } from "../git/repository.js";
import { readBranch, readDocument } from "../read/flow.js";
import { UnknownHandoffError } from "../store/errors.js";
import { findItem } from "../store/find.js";
import { readAllViews } from "../store/join.js";
import { isBranchName, REPOSITORY_BRANCH, refPatterns } from "../store/names.js";
import type { Item } from "../store/types.js";
import type { Report } from "../surface/report.js";
import { textOf } from "./arguments.js";
import { openRepository, type Run, warn } from "./context.js";
import { writeReportJson, writeSurface } from "./report.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const named = textOf(args.target);
  const item = named === null ? null : await itemNamed(repository, named);
  const options = { now: context.now() };
  const report =
    item === null
      ? await readBranch(repository, { ...options, branch: named ?? undefined })
      : await readDocument(repository, item, options);
  if (
    named !== null &&
    item === null &&
    report.handoffs.length === 0 &&
    !(await isBranchHere(repository, named))
  )
    warn(context, [`'${named}' is neither a branch nor a handoff here; for the commands see git handoff -h`]);
  if (args.json === true) writeReportJson(context, report);
  else
    await writeSurface(context, report, {
      after: item === null ? await nothingOpen(repository, report) : "",
    });
  return 0;
};

/** The document `name` means; null when it is a branch, or nothing known, which is then taken for a branch. */
async function itemNamed(repository: Repository, name: string): Promise<Item | null> {
  if (await isBranchHere(repository, name)) return null;
  try {
    const branch = await repository.branch();
    return await findItem(repository.port(), name, { branch, pruned: true });
  } catch (error) {
    if (error instanceof UnknownHandoffError) return null;
    throw error;
  }
}

/** A branch, or one that has a log: it may be gone or not fetched. */
async function isBranchHere(repository: Repository, name: string): Promise<boolean> {
  if (!isBranchName(name)) return false;
  if ((await repository.branchOid(name)) !== null) return true;
  if ((await repository.head()).branch === name) return true;
  return (await repository.port().refs(refPatterns(name))).length > 0;
}

/** Where nothing is open, where something is; silent on a detached HEAD. */
async function nothingOpen(repository: Repository, report: Report): Promise<string> {
  const { branch, handoffs } = report;
  if (branch === null || handoffs.length > 0) return "";
  // Something is, and a warning says that it has yet to be downloaded.
  if (report.unread?.some(({ state, fault }) => state === "open" && fault === null)) return "";
  const views = await readAllViews(repository.port(), { live: true, headlines: true });
  const others = views
    .filter((view) => view.branch !== branch && view.branch !== REPOSITORY_BRANCH)
    .filter((view) => view.items.some((item) => item.state === "open"))
    .map((view) => oneLine(view.branch));
  const elsewhere = others.length > 0 ? `Open on other branches: ${some(others)}\n` : "";
  return `No open handoff for ${oneLine(branch)}.\n${elsewhere}`;
}

const SHOWN = 20;

function some(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return names.slice(0, SHOWN).join(", ") + (rest > 0 ? `, and ${rest} more (git handoff list --all)` : "");
}
