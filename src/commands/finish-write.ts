/** What `write` does with a document once its content is settled: store it, show it, or put it in a file. */
import { oneLine } from "../document/strip.js";
import type { Repository } from "../git/repository.js";
import { leftOpen } from "../store/skipped.js";
import type { Item } from "../store/types.js";
import { openHandoffsOf, standingHandoffs } from "../write/existing.js";
import { finalLine } from "../write/final-line.js";
import { noteSafely } from "../write/lessons.js";
import { type Making, make } from "../write/making.js";
import { writeOutput } from "../write/output.js";
import { type Content, identify, type Prepared } from "../write/prepare.js";
import { recordContent } from "../write/record.js";
import { type Args, type Context, warn, writeJson } from "./context.js";
import { showDryRun } from "./dry-run.js";
import { sayNoted } from "./note-lessons.js";

export interface Finishing {
  args: Args;
  context: Context;
  /** Found while the content was read. */
  warnings: readonly string[];
  /** Warnings that were shown already. */
  told: readonly string[];
}

/** Records the content, or shows it (`--dry-run`), or writes it to a file (`--output`); then says so. */
export async function finish(
  content: Content,
  making: Making,
  { args, context, warnings: found, told }: Finishing,
): Promise<number> {
  if (args["dry-run"] === true) return dryRun(content, making, { args, context, warnings: found, told });
  const toFile = typeof args.output === "string";
  const done = toFile
    ? await writeToFile(String(args.output), content, making, context)
    : await recordContent(content, making);
  const noted = await noteSafely(making.repository, content.input.lessons ?? [], making);
  const warnings = [...found, ...done.warnings, ...noted.warnings];
  const { id, handle, ref, path, commit } = done;
  if (args.json === true) {
    writeJson(context, { id, handle, ref, path, commit, warnings });
    return 0;
  }
  warn(
    context,
    warnings.filter((warning) => !told.includes(warning)),
  );
  const count = done.prepared.document.meta.rejections.length;
  context.stdout.write(
    `Handoff written: ${oneLine(ref ?? path)} ${handle} (${count} rejections, intent captured).\n`,
  );
  sayNoted(noted, context);
  if (making.delivery === "pulled" && !toFile)
    await sayHowItSurfaces(done.prepared, making.repository, context);
  return 0;
}

/** The last words, with a warning first where they would not come true. Source: the park document, step 9. */
async function sayHowItSurfaces(prepared: Prepared, repository: Repository, context: Context): Promise<void> {
  const { isSurfaced } = await import("../install/present.js");
  if (!(await isSurfaced(repository, context.env))) {
    warn(context, ["nothing is installed here that would surface it; run git handoff install"]);
  }
  context.stdout.write(`${finalLine(prepared.document.meta.harness)}\n`);
}

async function dryRun(
  content: Content,
  making: Making,
  { args, context, warnings, told }: Finishing,
): Promise<number> {
  const { open, skipped } = await standingHandoffs(making);
  const prepared = await makeWith(content, making, open);
  const all = [
    ...warnings,
    ...prepared.warnings,
    ...aboutOpen(content, making, open),
    ...leftOpen([
      ...skipped,
      ...(content.mode === "append" ? open.filter(({ document }) => document === null) : []),
    ]),
  ];
  const lessons = content.input.lessons ?? [];
  const shown = args.json === true ? all : all.filter((warning) => !told.includes(warning));
  const format = making.repository.info.objectFormat;
  return showDryRun(prepared, { format, warnings: shown, lessons }, args, context);
}

function aboutOpen({ mode }: Content, { branch }: Making, open: readonly Item[]): string[] {
  if (open.length === 0 || mode === "append") return [];
  const ids = open.map(({ id }) => id).join(", ");
  return mode === "supersede"
    ? [`would be closed and no longer surfaced: ${ids}`]
    : [`an open handoff exists for ${branch}: ${ids}; to write this one say --append or --overwrite`];
}

function makeWith(content: Content, making: Making, open: readonly Item[]): Promise<Prepared> {
  return make(making, content, content.mode === "write" ? [] : open);
}

interface Done {
  prepared: Prepared;
  id: string;
  handle: string;
  ref: string | null;
  path: string;
  commit: string | null;
  warnings: string[];
}

async function writeToFile(
  output: string,
  content: Content,
  making: Making,
  context: Context,
): Promise<Done> {
  const prepared = await makeWith(
    content,
    making,
    content.mode === "write" ? [] : await openHandoffsOf(making),
  );
  const path = await writeOutput(output, prepared.bytes, context.cwd);
  const { id, handle } = identify(prepared, making.repository.info.objectFormat);
  return { prepared, id, handle, ref: null, path, commit: null, warnings: prepared.warnings };
}
