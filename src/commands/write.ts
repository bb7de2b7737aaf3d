/** `git handoff write`: from flags, a file, stdin, the editor or the terminal to a stored handoff. */
import { FatalError, NoRepositoryError, UsageError } from "../errors.js";
import { isBranchName, REPOSITORY_BRANCH } from "../store/names.js";
import { hasContent } from "../write/flags.js";
import { clearLeft } from "../write/left-behind.js";
import { beginMaking, type Head, type Target } from "../write/making.js";
import { contentOf, type WriteMode } from "../write/prepare.js";
import { readInput } from "../write/source.js";
import { type Args, type Context, openRepository, type Run, warn } from "./context.js";
import { finish } from "./finish-write.js";

const NO_BRANCH =
  "Cannot write a handoff: no git branch resolvable. Run from inside a git repo on a named branch.";

export const run: Run = async (args, context) => {
  refuseCombinations(args);
  const asked = hasContent(args);
  const terminal = isAtTerminal(args, context);
  if (!asked && !terminal) throw new UsageError("nothing to write: give -m <text> or --from <file|->");
  const repository = await openRepository(context).catch((error: unknown) => {
    throw error instanceof NoRepositoryError && args.inbox !== true ? new FatalError(NO_BRANCH) : error;
  });
  warn(context, await clearLeft(repository, context.env));
  const gathering = (target: Target | ((head: Head) => Target)) =>
    beginMaking(repository, target, {
      now: context.now(),
      terminal: context.stdin.isTTY === true,
      redact: args.redact !== false,
    });
  const mode = modeOf(args);
  if (!asked || args.edit === true || terminal) {
    const { writeWithPerson } = await import("./write-with-person.js");
    const target = targetOf(args, await repository.head());
    const begin = () => gathering(target);
    return writeWithPerson({ args, context, repository, target, begin, mode, asked, terminal });
  }
  // Side by side: most of a write is waiting for git.
  const [making, { input, warnings }] = await Promise.all([
    gathering((head) => targetOf(args, head)),
    readInput(args, context),
  ]);
  return finish(contentOf(input, mode), making, { args, context, warnings, told: [] });
};

/** A program that wants JSON is asked nothing, wherever it runs; nor is one whose input was the document. */
function isAtTerminal(args: Args, { stdin, stdout }: Context): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && args.json !== true && args.from !== "-";
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

function targetOf(args: Args, { branch }: Head): Target {
  if (args.inbox === true) {
    const addressed = typeof args.branch === "string" ? args.branch : REPOSITORY_BRANCH;
    if (!isBranchName(addressed)) throw new UsageError(`'${addressed}' is not a valid branch name`);
    return { branch: addressed, delivery: "pushed" };
  }
  if (branch === null) throw new FatalError(NO_BRANCH);
  // git makes no such branch; made by hand, its refs would be those of the repository as a whole.
  if (branch === REPOSITORY_BRANCH)
    throw new FatalError("Cannot write a handoff for a branch named HEAD: rename the branch");
  return { branch, delivery: "pulled" };
}
