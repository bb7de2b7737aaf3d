/** `git handoff write`: from flags, a file, stdin, the editor or the terminal to a stored handoff. */
import { stripText } from "../document/strip.js";
import { FatalError, UsageError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { recordWrite } from "../store/events.js";
import { readLive } from "../store/join.js";
import type { Item } from "../store/types.js";
import { observeEvidence } from "../verify/evidence.js";
import { finalLine } from "../write/final-line.js";
import { hasContent } from "../write/flags.js";
import { writeOutput } from "../write/output.js";
import { surroundings, writingFacts } from "../write/place.js";
import { identify, type Prepared, prepare, type WriteMode } from "../write/prepare.js";
import { redactionFor } from "../write/redaction.js";
import { readInput } from "../write/source.js";
import { type Args, type Context, openRepository, type Run, warn, writeJson } from "./context.js";

const NO_BRANCH =
  "Cannot write a handoff: no git branch resolvable. Run from inside a git repo on a named branch.";

export const run: Run = async (args, context) => {
  refuseCombinations(args);
  const repository = await openRepository(context);
  const target = await destination(args, repository);
  if (!hasContent(args)) {
    if (context.stdin.isTTY !== true || context.stdout.isTTY !== true || args.json === true) {
      throw new UsageError("nothing to write: give -m <text> or --from <file|->");
    }
    const { writeInteractively } = await import("../write/interactive.js");
    return writeInteractively({
      args,
      context,
      repository,
      branch: target.branch,
      delivery: target.delivery,
    });
  }
  const now = context.now();
  const place = await surroundings(repository, { ...target, now, terminal: context.stdin.isTTY === true });
  const input = await readInput(args, context, { repository, place });
  const facts = await writingFacts(repository, now);
  const redaction = await redactionFor(repository, args.redact !== false);
  const port = repository.port();
  let mode = modeOf(args);
  if (target.delivery === "pulled" && mode === "write" && args["dry-run"] !== true) {
    const { chooseMode } = await import("../write/existing.js");
    mode = await chooseMode((await readLive(port, target.branch)).items, target.branch, context);
  }
  let prepared: Prepared | undefined;
  const make = async (open: readonly Item[]) => {
    prepared = await prepare(input, place, (evidence) => observeEvidence(evidence, facts), {
      mode,
      open,
      redaction,
    });
    return prepared;
  };
  if (args["dry-run"] === true || typeof args.output === "string") {
    const open =
      mode === "write" || target.delivery === "pushed"
        ? []
        : openOf(await readLive(port, target.branch)).reverse();
    const ready = await make(open);
    if (args["dry-run"] === true) return showDryRun(ready, args, context, repository);
    return writeToFile(ready, String(args.output), args, context, repository);
  }
  const recorded = await recordWrite(port, {
    branch: target.branch,
    mode,
    now,
    document: async (open) => {
      const { bytes, document } = await make(open);
      return {
        bytes,
        written: document.meta.written,
        intent: document.meta.intent,
        delivery: document.meta.delivery,
      };
    },
  });
  if (!prepared) throw new FatalError("nothing was composed");
  const warnings = [...prepared.warnings, ...overwritten(mode, recorded.superseded)];
  if (args.json === true) {
    const { id, handle, ref, path, commit } = recorded;
    writeJson(context, { id, handle, ref, path, commit, warnings });
    return 0;
  }
  warn(context, warnings);
  const count = prepared.document.meta.rejections.length;
  context.stdout.write(
    `Handoff written: ${stripText(recorded.ref)} ${recorded.handle} (${count} rejections, intent captured).\n`,
  );
  if (target.delivery === "pulled") {
    const { isSurfaced } = await import("../install/present.js");
    if (!(await isSurfaced(repository, context.env))) {
      warn(context, ["nothing is installed here that would surface it; run git handoff install"]);
    }
    context.stdout.write(`${finalLine(prepared.document.meta.harness)}\n`);
  }
  return 0;
};

function openOf(view: { items: Item[] }): Item[] {
  return view.items.filter((item) => item.state === "open");
}

function modeOf(args: Args): WriteMode {
  return args.append === true ? "append" : args.overwrite === true ? "supersede" : "write";
}

function refuseCombinations(args: Args): void {
  if (args.append === true && args.overwrite === true)
    throw new UsageError("--append and --overwrite exclude each other");
  if (args.inbox === true && (args.append === true || args.overwrite === true)) {
    throw new UsageError("an inbox handoff stands alone: no --append or --overwrite");
  }
  if (args.inbox !== true) {
    for (const name of ["impact", "breaking", "branch"]) {
      if (args[name] !== undefined) throw new UsageError(`--${name} is for --inbox`);
    }
  }
  if (args["dry-run"] === true && args.output !== undefined)
    throw new UsageError("--dry-run and --output exclude each other");
}

async function destination(
  args: Args,
  repository: Repository,
): Promise<{ branch: string; delivery: "pulled" | "pushed" }> {
  if (args.inbox === true) {
    return { branch: typeof args.branch === "string" ? args.branch : "HEAD", delivery: "pushed" };
  }
  const { branch } = await repository.head();
  if (branch === null) throw new FatalError(NO_BRANCH);
  return { branch, delivery: "pulled" };
}

function overwritten(mode: WriteMode, superseded: readonly string[]): string[] {
  if (mode !== "supersede" || superseded.length === 0) return [];
  return [`closed and no longer surfaced: ${superseded.join(", ")}`];
}

function showDryRun(prepared: Prepared, args: Args, context: Context, repository: Repository): number {
  const text = new TextDecoder().decode(prepared.bytes);
  if (args.json === true) {
    const { id, handle } = identify(prepared, repository.info.objectFormat);
    writeJson(context, {
      id,
      handle,
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

async function writeToFile(
  prepared: Prepared,
  path: string,
  args: Args,
  context: Context,
  repository: Repository,
): Promise<number> {
  const target = await writeOutput(path, prepared.bytes, context.cwd);
  const { id, handle } = identify(prepared, repository.info.objectFormat);
  if (args.json === true) {
    writeJson(context, { id, handle, ref: null, path: target, commit: null, warnings: prepared.warnings });
    return 0;
  }
  warn(context, prepared.warnings);
  const count = prepared.document.meta.rejections.length;
  context.stdout.write(`Handoff written: ${target} ${handle} (${count} rejections, intent captured).\n`);
  return 0;
}
