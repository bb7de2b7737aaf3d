/** `git handoff send <repository>`: a handoff for a repository that did not ask. */
import { basename } from "node:path";
import { oneLine, stripText } from "../document/strip.js";
import type { Origin } from "../document/types.js";
import { FatalError, UsageError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { isBranchName } from "../store/names.js";
import { type Destination, findDestination } from "../sync/destination.js";
import { sendDocument } from "../sync/send.js";
import type { Surroundings } from "../write/compose.js";
import { hasContent } from "../write/flags.js";
import { keep } from "../write/kept.js";
import { type Making, make } from "../write/making.js";
import { surroundings } from "../write/place.js";
import { type Content, contentOf, identify, type Prepared } from "../write/prepare.js";
import { redactionFor } from "../write/redaction.js";
import { readInput } from "../write/source.js";
import { type Args, type Context, openRepository, type Run, warn, writeJson } from "./context.js";
import { showDryRun } from "./dry-run.js";
import { noteSafely, sayNoted } from "./note-lessons.js";
import { networkOf } from "./transfer.js";

export const run: Run = async (args, context) => {
  if (!hasContent(args)) throw new UsageError("nothing to send: give -m <text> or --from <file|->");
  const branch = typeof args.branch === "string" ? args.branch : "HEAD";
  if (branch !== "HEAD" && !isBranchName(branch))
    throw new UsageError(`'${branch}' is not a valid branch name`);
  const repository = await openRepository(context);
  const network = networkOf(context);
  const text = String(args.repository);
  const destination = await findDestination(repository, text, network);
  const here = await surroundings(repository, {
    branch,
    delivery: "pushed",
    now: context.now(),
    terminal: context.stdin.isTTY === true,
  });
  const making: Making = {
    branch,
    delivery: "pushed",
    repository,
    place: await addressed(here, destination, repository),
    redaction: await redactionFor(repository, args.redact !== false),
    now: context.now(),
  };
  const { content, warnings: found } = await contentFor(args, context, making);
  const prepared = await make(making, content, []);
  const warnings = [...found, ...prepared.warnings];
  const format = destination.objectFormat ?? repository.info.objectFormat;
  const { id, handle } = identify(prepared, format);
  const lessons = content.input.lessons ?? [];
  if (args["dry-run"] === true) return showDryRun(prepared, { format, warnings, lessons }, args, context);
  const { meta } = prepared.document;
  const document = {
    bytes: prepared.bytes,
    written: meta.written,
    intent: meta.intent,
    delivery: meta.delivery,
  };
  try {
    const sent = await sendDocument(repository, destination, document, { branch, network });
    const noted = await noteSafely(lessons, making);
    const all = [...warnings, ...noted.warnings];
    if (args.json === true) {
      const { ref, path, commit } = sent;
      writeJson(context, { id, handle, ref, path, commit, warnings: all });
      return 0;
    }
    warn(context, all);
    const what = sent.delivered ? "Handoff sent" : "Handoff was there already";
    context.stdout.write(
      `${what}: ${oneLine(sent.ref)} ${handle} (${meta.breaking ? "BREAKING, " : ""}to ${oneLine(text)}).\n`,
    );
    sayNoted(noted, context);
    return 0;
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    throw new FatalError(`${error.message}${keptNotice(prepared, id, text, context)}`);
  }
};

/** `--from`, flags and the editor. */
async function contentFor(
  args: Args,
  context: Context,
  making: Making,
): Promise<{ content: Content; warnings: string[] }> {
  const { input, warnings } = await readInput(args, context, { intent: args.edit !== true });
  const content = contentOf(input);
  if (args.edit !== true) return { content, warnings };
  const { editContent } = await import("../write/edit.js");
  return { content: (await editContent(content, { making, open: [], context })).content, warnings };
}

/** Nothing is lost by a failed delivery: where the document is, and how to send it again. */
function keptNotice(prepared: Prepared, id: string, text: string, context: Context): string {
  const path = keep("unsent", id, prepared.bytes, context.env);
  if (path === null) {
    context.stdout.write(stripText(new TextDecoder().decode(prepared.bytes)));
    return "\nThe document is printed above.";
  }
  return `\nThe document is kept; to send it again: git handoff send ${text} --from ${path}`;
}

/** The document is the destination's; what it says of this repository goes to `from`. */
async function addressed(
  here: Surroundings,
  destination: Destination,
  repository: Repository,
): Promise<Surroundings> {
  const from: Origin = {
    repo: await nameOfOrigin(repository),
    ...(destination.local ? { project: repository.info.workTree ?? repository.info.gitDir } : {}),
    git: here.git,
  };
  return {
    ...here,
    project: destination.project,
    repository: destination.repository,
    git: destination.git,
    dirtyFiles: [],
    session: { runtime: "unknown", id: "unknown", context: "unknown" },
    from,
  };
}

/** The name under which `handoff.repo.<name>.url` knows this repository, else its folder's. */
async function nameOfOrigin(repository: Repository): Promise<string> {
  const config = await repository.config();
  const own = new Set([
    repository.info.workTree,
    repository.info.gitDir,
    ...(await repository.remotes()).map(({ url }) => url),
  ]);
  const name = config.subsections("handoff").find((section) => {
    const match = /^repo\.(.+)$/.exec(section);
    return match !== null && own.has(config.get(`handoff.${section}.url`) ?? "");
  });
  return name?.replace(/^repo\./, "") ?? (basename(repository.project()) || "unknown");
}
