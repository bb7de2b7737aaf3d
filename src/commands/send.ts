/** `git handoff send <repository>`: a handoff for a repository that did not ask. */
import { basename } from "node:path";
import { oneLine, stripText } from "../document/strip.js";
import type { Origin } from "../document/types.js";
import { FatalError, UsageError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { isBranchName } from "../store/names.js";
import { type Destination, findDestination } from "../sync/destination.js";
import { sendDocument } from "../sync/send.js";
import { observeEvidence } from "../verify/evidence.js";
import type { Surroundings } from "../write/compose.js";
import { hasContent } from "../write/flags.js";
import { keepUnsent } from "../write/kept.js";
import { surroundings, writingFacts } from "../write/place.js";
import { identify, type Prepared, prepare } from "../write/prepare.js";
import { redactionFor } from "../write/redaction.js";
import { readInput } from "../write/source.js";
import { type Args, type Context, openRepository, type Run, warn, writeJson } from "./context.js";
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
  const place = await addressed(here, destination, repository);
  const input = await readInput(args, context, { repository, place });
  const facts = await writingFacts(repository, context.now());
  const prepared = await prepare(input, place, (evidence) => observeEvidence(evidence, facts), {
    mode: "write",
    open: [],
    redaction: await redactionFor(repository, args.redact !== false),
  });
  const format = destination.objectFormat ?? repository.info.objectFormat;
  const { id, handle } = identify(prepared, format);
  if (args["dry-run"] === true) return showDryRun(prepared, { id, handle }, args, context);
  const { meta } = prepared.document;
  const document = {
    bytes: prepared.bytes,
    written: meta.written,
    intent: meta.intent,
    delivery: meta.delivery,
  };
  try {
    const sent = await sendDocument(repository, destination, document, { branch, network });
    if (args.json === true) {
      const { ref, path, commit } = sent;
      writeJson(context, { id, handle, ref, path, commit, warnings: prepared.warnings });
      return 0;
    }
    warn(context, prepared.warnings);
    const what = sent.delivered ? "Handoff sent" : "Handoff was there already";
    context.stdout.write(
      `${what}: ${oneLine(sent.ref)} ${handle} (${meta.breaking ? "BREAKING, " : ""}to ${oneLine(text)}).\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    throw new FatalError(`${error.message}${keptNotice(prepared, id, text, context)}`);
  }
};

/** Nothing is lost by a failed delivery: where the document is, and how to send it again. */
function keptNotice(prepared: Prepared, id: string, text: string, context: Context): string {
  const path = keepUnsent(id, prepared.bytes, context.env);
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

function showDryRun(
  prepared: Prepared,
  names: { id: string; handle: string },
  args: Args,
  context: Context,
): number {
  const text = new TextDecoder().decode(prepared.bytes);
  if (args.json === true) {
    writeJson(context, {
      ...names,
      ref: null,
      path: null,
      commit: null,
      warnings: prepared.warnings,
      document: text,
    });
    return 0;
  }
  warn(context, prepared.warnings);
  context.stdout.write(stripText(text));
  return 0;
}
