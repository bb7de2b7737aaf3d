/** `git handoff import <path>…`: takes in handoffs that other tools wrote. */
import { relative } from "node:path";
import { oneLine } from "../document/strip.js";
import { NegativeError } from "../errors.js";
import { findFiles } from "../formats/find-files.js";
import { type ImportPlan, type PlannedFile, planImport } from "../formats/plan.js";
import type { Repository } from "../git/repository.js";
import { type Imported, recordImport } from "../store/import.js";
import type { Folder } from "../store/types.js";
import { listOf, textOf } from "./arguments.js";
import { openRepository, type Run, warn, writeJson } from "./context.js";

/** What became of a file's document; `gone`: pruned or redacted here, and kept so. */
type Outcome = "imported" | "ended" | "known" | "gone";

const VERBS: Record<Outcome, string> = {
  imported: "Imported",
  ended: "Known, now",
  known: "Known already",
  gone: "Not taken in, as it was pruned or redacted here",
};

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const dryRun = args["dry-run"] === true;
  const json = args.json === true;
  const found = await findFiles(listOf(args.path), context.cwd);
  const plan = await planImport(found.files, {
    branches: await branchesOf(repository, textOf(args.branch)),
    redact: args.redact !== false,
    objectFormat: repository.info.objectFormat,
  });
  const documents = plan.files.map(({ document }) => document);
  const done =
    dryRun || documents.length === 0
      ? null
      : await recordImport(repository.port(), { documents, now: context.now() });
  const problems = [...found.problems, ...plan.failed.map(({ path, reason }) => `${shown(path)}: ${reason}`)];
  if (json) writeJson(context, report(plan, done, problems, dryRun, shown));
  else {
    for (const file of plan.files) {
      context.stdout.write(describe(file, done, shown(file.path)));
      warn(
        context,
        file.warnings.map((warning) => `${shown(file.path)}: ${warning}`),
      );
    }
    warn(context, problems);
  }
  if (plan.files.length > 0) return 0;
  if (json) return 1;
  throw new NegativeError("No handoff was taken in.");

  function shown(path: string): string {
    const short = relative(context.cwd, path);
    return oneLine(short === "" || short.startsWith("..") ? path : short);
  }
};

async function branchesOf(repository: Repository, given: string | null) {
  const [local, { branch }, remote] = await Promise.all([
    repository.branches(),
    repository.head(),
    repository.port().refs(["refs/remotes/**"]),
  ]);
  const remotes = await repository.remotes();
  const known = local.map(({ name }) => name);
  const tracked = remote.flatMap(({ name }) => {
    const path = name.slice("refs/remotes/".length);
    const owner = remotes.find((each) => path.startsWith(`${each.name}/`));
    const short = owner ? path.slice(owner.name.length + 1) : "";
    return short === "" || short === "HEAD" ? [] : [short];
  });
  // A branch of this clone is meant before one that was only fetched.
  return { given, current: branch, known, tracked: tracked.filter((name) => !known.includes(name)) };
}

function outcomeOf(file: PlannedFile, done: Imported | null): Outcome | null {
  if (done === null) return null;
  const { oid, document } = file;
  const here = (each: { oid: string; ref: string }) =>
    each.oid === oid && each.ref.startsWith(`refs/handoff/${document.branch}/`);
  if (done.recorded.some(here)) return "imported";
  if (done.ended.some(here)) return "ended";
  return skippedAs(file, done) === "gone" ? "gone" : "known";
}

/** Where a document that was known is here, whatever its source says; null for one that was not. */
function skippedAs({ oid, document }: PlannedFile, done: Imported | null): Folder | null {
  const skipped = done?.skipped.find((each) => each.oid === oid && each.branch === document.branch);
  return skipped?.folder ?? null;
}

function describe(file: PlannedFile, done: Imported | null, path: string): string {
  const { form, handle, document } = file;
  const state = stateOf(file, done);
  const place = `${state === "moved" ? "moved away" : state} on ${oneLine(document.branch)}`;
  const outcome = outcomeOf(file, done);
  const verb = outcome === null ? "Would be imported" : VERBS[outcome];
  const lines = [`${verb}: ${handle} ${oneLine(document.intent)} (${form}, ${place}) from ${path}`];
  if (file.understood.length > 0) lines.push(`  understood: ${file.understood.map(oneLine).join(", ")}`);
  if (file.body.length > 0) lines.push(`  in the body: ${file.body.map(oneLine).join(", ")}`);
  return `${lines.join("\n")}\n`;
}

/** Where it is now: one that was known need not be where its source has it. */
function stateOf(file: PlannedFile, done: Imported | null): Folder {
  const outcome = outcomeOf(file, done);
  const skipped = outcome === "known" || outcome === "gone" ? skippedAs(file, done) : null;
  return skipped ?? file.document.state;
}

function report(
  plan: ImportPlan,
  done: Imported | null,
  problems: readonly string[],
  dryRun: boolean,
  shown: (path: string) => string,
): object {
  const recorded = [...(done?.recorded ?? []), ...(done?.ended ?? [])];
  return {
    format: 1,
    dry_run: dryRun,
    files: plan.files.map((file) => {
      const { document } = file;
      const at = recorded.find(({ oid }) => oid === file.oid);
      return {
        path: shown(file.path),
        form: file.form,
        outcome: outcomeOf(file, done),
        state: stateOf(file, done),
        branch: document.branch,
        id: file.id,
        handle: file.handle,
        ref: at?.ref ?? null,
        commit: at?.commit ?? null,
        intent: document.intent,
        understood: file.understood,
        body: file.body,
        warnings: file.warnings.map(oneLine),
      };
    }),
    failed: plan.failed.map(({ path, reason }) => ({ path: shown(path), reason: oneLine(reason) })),
    warnings: problems.map(oneLine),
  };
}
