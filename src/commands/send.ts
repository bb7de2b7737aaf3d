/** `git handoff send <repository>`: a handoff for a repository that did not ask. */
import { resolve } from "node:path";
import { oneLine } from "../document/strip.js";
import { FatalError, UsageError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { isBranchName } from "../store/names.js";
import { type Destination, findDestination } from "../sync/destination.js";
import { type Sent, sendDocument } from "../sync/send.js";
import { hasContent } from "../write/flags.js";
import { forgetUnsent } from "../write/kept.js";
import { clearLeft } from "../write/left-behind.js";
import { noteSafely } from "../write/lessons.js";
import { beginMaking, type Making, make } from "../write/making.js";
import { type Content, contentOf, type Prepared } from "../write/prepare.js";
import { readInput } from "../write/source.js";
import { type Args, type Context, openForNetwork, type Run, warn, writeJson } from "./context.js";
import { showDryRun } from "./dry-run.js";
import { sayNoted } from "./note-lessons.js";
import { networkOf } from "./transfer.js";
import { addressTo, authorOf, keptNotice, preparedBefore, type Unsent } from "./unsent.js";

export const run: Run = async (args, context) => {
  if (!hasContent(args)) throw new UsageError("nothing to send: give -m <text> or --from <file|->");
  const branch = typeof args.branch === "string" ? args.branch : "HEAD";
  if (!isBranchName(branch)) throw new UsageError(`'${branch}' is not a valid branch name`);
  const repository = await openForNetwork(context);
  warn(context, await clearLeft(repository, context.env));
  const network = networkOf(context);
  const destination = await findDestination(repository, String(args.repository), network).catch(asFailure);
  // Nothing has been written yet that could be lost.
  if (destination instanceof FatalError && (args["dry-run"] === true || args.edit === true))
    throw destination;
  const making = await makingFor(repository, branch, destination, args, context);
  const { content, warnings: found } = await contentFor(args, context, making);
  const before = preparedBefore(args, context, destination instanceof FatalError ? null : making.place);
  const prepared = before ?? (await make(making, content, []));
  const warnings = [...found, ...prepared.warnings];
  const lessons = content.input.lessons ?? [];
  if (destination instanceof FatalError) {
    const noted = await noteSafely(making.repository, lessons, making);
    warn(context, [...warnings, ...noted.warnings]);
    throw failed(destination, { prepared, kept: before !== null, destination: null }, args, context);
  }
  const format = destination.objectFormat ?? repository.info.objectFormat;
  if (args["dry-run"] === true) return showDryRun(prepared, { format, warnings, lessons }, args, context);
  const sent = await deliver(repository, destination, prepared, { branch, network }).catch(asFailure);
  const noted = await noteSafely(making.repository, lessons, making);
  const all = [...warnings, ...noted.warnings];
  if (sent instanceof FatalError) {
    warn(context, all);
    throw failed(sent, { prepared, kept: before !== null, destination }, args, context);
  }
  if (typeof args.from === "string") forgetUnsent(resolve(context.cwd, args.from), context.env);
  if (args.json === true) {
    const { id, handle, ref, path, commit } = sent;
    writeJson(context, { id, handle, ref, path, commit, warnings: all });
    return 0;
  }
  warn(context, all);
  context.stdout.write(sentLine(sent, prepared, destination));
  sayNoted(noted, context);
  return 0;
};

function asFailure(error: unknown): FatalError {
  if (error instanceof FatalError) return error;
  throw error;
}

/** The document is the destination's; what it says of this repository goes to `from`. */
async function makingFor(
  repository: Repository,
  branch: string,
  destination: Destination | FatalError,
  args: Args,
  context: Context,
): Promise<Making> {
  const making = await beginMaking(
    repository,
    { branch, delivery: "pushed" },
    { now: context.now(), terminal: context.stdin.isTTY === true, redact: args.redact !== false },
  );
  const known = destination instanceof FatalError ? null : destination;
  return { ...making, place: await addressTo(known, making.place, repository) };
}

/** `--from`, flags and the editor. */
async function contentFor(
  args: Args,
  context: Context,
  making: Making,
): Promise<{ content: Content; warnings: string[] }> {
  const { input, warnings } = await readInput(args, context, { intent: args.edit !== true });
  // Kept from a delivery that failed before the destination was known to be on this machine.
  if (input.from && input.from.repo === making.place.from?.repo)
    input.from = { ...making.place.from, ...input.from };
  const content = contentOf(input);
  if (args.edit !== true) return { content, warnings };
  const { editContent } = await import("../write/edit.js");
  return { content: (await editContent(content, { making, open: [], context })).content, warnings };
}

function deliver(
  repository: Repository,
  destination: Destination,
  prepared: Prepared,
  options: { branch: string; network: ReturnType<typeof networkOf> },
): Promise<Sent> {
  const { written, intent, delivery, author } = prepared.document.meta;
  const document = { bytes: prepared.bytes, written, intent, delivery };
  return sendDocument(repository, destination, document, { ...options, author: authorOf(author) });
}

function sentLine(sent: Sent, { document }: Prepared, destination: Destination): string {
  const what = sent.delivered ? "Handoff sent" : "Handoff was there already, up to date";
  const breaking = document.meta.breaking === true ? "BREAKING, " : "";
  return `${what}: ${oneLine(sent.ref)} ${sent.handle} (${breaking}to ${oneLine(destination.name)}).\n`;
}

/** Nothing is lost by a failed delivery: the error says where the document is, and how to send it again. */
function failed(error: FatalError, unsent: Unsent, args: Args, context: Context): FatalError {
  return new FatalError(`${error.message}${keptNotice(unsent, args, context)}`);
}
