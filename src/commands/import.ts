/** `git handoff import <path>…`: takes in handoffs that other tools wrote. */
import { relative } from "node:path";
import { oneLine } from "../document/strip.js";
import { NegativeError } from "../errors.js";
import { findFiles } from "../formats/find-files.js";
import { type ImportPlan, type PlannedFile, planImport } from "../formats/plan.js";
import type { Repository } from "../git/repository.js";
import { type Imported, recordImport } from "../store/import.js";
import { listOf, textOf } from "./arguments.js";
import { openRepository, type Run, warn, writeJson } from "./context.js";

/** What became of a file's document. */
type Outcome = "imported" | "ended" | "known";

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
      context.stdout.write(describe(file, outcomeOf(file, done), shown(file.path), dryRun));
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

function outcomeOf({ oid, document }: PlannedFile, done: Imported | null): Outcome | null {
  if (done === null) return null;
  const here = (each: { oid: string; ref: string }) =>
    each.oid === oid && each.ref.startsWith(`refs/handoff/${document.branch}/`);
  if (done.recorded.some(here)) return "imported";
  return done.ended.some(here) ? "ended" : "known";
}

function describe(file: PlannedFile, outcome: Outcome | null, path: string, dryRun: boolean): string {
  const { form, handle, document } = file;
  const place = `${document.state} on ${oneLine(document.branch)}`;
  const verb = dryRun
    ? "Would be imported"
    : outcome === "known"
      ? "Known already"
      : outcome === "ended"
        ? "Known, now"
        : "Imported";
  const lines = [`${verb}: ${handle} ${oneLine(document.intent)} (${form}, ${place}) from ${path}`];
  if (file.understood.length > 0) lines.push(`  understood: ${file.understood.map(oneLine).join(", ")}`);
  if (file.body.length > 0) lines.push(`  in the body: ${file.body.map(oneLine).join(", ")}`);
  return `${lines.join("\n")}\n`;
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
        state: document.state,
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
