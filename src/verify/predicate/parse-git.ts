/** `git …` to a typed question. Options match in full only: git itself takes `--op=` for `--open-files-in-pager=`. */
import { pathParts } from "../tree-path.js";
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import { GIT_GREP_FLAGS, parseSearch } from "./parse-search.js";
import type { GitOperands, GitPredicate } from "./types.js";

/** A plain name, then steps back or a peel, then at most one path. `:/text` and `^{/text}` search whole histories. */
const REVISION = /^[A-Za-z0-9._/@+-]+(?:[~^][0-9]*|\^\{commit\}|\^\{tree\})*(?::(.*))?$/s;

/** Whether this is a revision as it may be given to git. */
export function isPlainRevision(text: string): boolean {
  const match = REVISION.exec(text);
  if (match === null || text.startsWith("-")) return false;
  const path = match[1];
  const name = path === undefined ? text : text.slice(0, text.length - path.length - 1);
  return !name.includes("..") && !name.includes("@{") && (path === undefined || !/[\n\0]/.test(path));
}

function revision(text: string | undefined): string {
  if (text === undefined) throw new CannotEvaluate("no revision");
  if (!isPlainRevision(text)) throw new CannotEvaluate(`revision not accepted: ${quoted(text)}`);
  const colon = text.indexOf(":");
  if (colon < 0) return text;
  const parts = pathParts(text.slice(colon + 1));
  if (parts === null) throw new CannotEvaluate(REASONS.outside);
  return `${text.slice(0, colon)}:${parts.join("/")}`;
}

const RUNS = /^(-O|--open|--op|--ext|--textconv|--output|--upload-pack|--exec|--receive-pack)/;

function refuseOption(option: string): never {
  throw new CannotEvaluate(RUNS.test(option) ? REASONS.runs : `option not accepted: ${quoted(option)}`);
}

/** Splits operands from the flags named in `accepted`; an option after the first `--` is an operand. */
function operandsOf(
  args: readonly string[],
  accepted: readonly string[],
): { flags: Set<string>; operands: GitOperands } {
  const flags = new Set<string>();
  const loose: string[] = [];
  for (const [index, arg] of args.entries()) {
    if (arg === "--") return { flags, operands: { loose, paths: args.slice(index + 1) } };
    if (!arg.startsWith("-")) loose.push(arg);
    else if (accepted.includes(arg)) flags.add(arg);
    else refuseOption(arg);
  }
  return { flags, operands: { loose, paths: null } };
}

function only(args: readonly string[], accepted: readonly string[], required: readonly string[]): string[] {
  const { flags, operands } = operandsOf(args, accepted);
  if (!required.some((flag) => flags.has(flag)))
    throw new CannotEvaluate(`only with ${required[0]} is it asked`);
  return [...operands.loose, ...(operands.paths ?? [])];
}

function one(operands: readonly string[]): string | undefined {
  if (operands.length > 1) throw new CannotEvaluate(REASONS.files);
  return operands[0];
}

function path(text: string | undefined): string {
  if (text === undefined) throw new CannotEvaluate(REASONS.noFile);
  const parts = pathParts(text);
  if (parts === null) throw new CannotEvaluate(REASONS.outside);
  return parts.join("/");
}

/** Throws CannotEvaluate. */
export function parseGit(args: readonly string[]): GitPredicate {
  const [command, ...rest] = args;
  switch (command) {
    case "grep": {
      const { search, loose, paths } = parseSearch(rest, GIT_GREP_FLAGS);
      if (loose.length + (paths?.length ?? 0) > 2) throw new CannotEvaluate(REASONS.files);
      return { form: "git grep", search, operands: { loose, paths } };
    }
    case "cat-file": {
      const operands = only(rest, ["-e"], ["-e"]);
      return { form: "git object", revision: revision(one(operands)) };
    }
    case "rev-parse": {
      const operands = only(rest, ["--verify", "-q", "--quiet"], ["--verify"]);
      return { form: "git object", revision: revision(one(operands)) };
    }
    case "merge-base": {
      const [ancestor, descendant, ...more] = only(rest, ["--is-ancestor"], ["--is-ancestor"]);
      if (more.length > 0) throw new CannotEvaluate("--is-ancestor takes two commits");
      return { form: "git ancestor", ancestor: revision(ancestor), descendant: revision(descendant) };
    }
    case "show-ref": {
      const ref = one(only(rest, ["--verify", "-q", "--quiet"], ["--verify"]));
      if (ref === undefined || !/^refs\/[^\s\\^:?*[~\0-\x20\x7f]+$/.test(ref) || /\.\.|\/$|@\{/.test(ref)) {
        throw new CannotEvaluate("--verify takes one full ref name");
      }
      return { form: "git ref", ref };
    }
    case "ls-files":
      return { form: "git tracked", path: path(one(only(rest, ["--error-unmatch"], ["--error-unmatch"]))) };
    case "diff": {
      const { flags, operands } = operandsOf(rest, ["--quiet", "--cached", "--staged"]);
      if (!flags.has("--quiet")) throw new CannotEvaluate("only with --quiet is it asked");
      if ((operands.paths?.length ?? 0) > 1) throw new CannotEvaluate(REASONS.files);
      if (operands.loose.length > 3) throw new CannotEvaluate(REASONS.files);
      const symmetric = operands.loose.find((text) => text.includes("..."));
      if (symmetric !== undefined) throw new CannotEvaluate(`revision not accepted: ${quoted(symmetric)}`);
      const range =
        operands.loose.length > 0 ? /^(.*[^.])\.\.([^.].*)$/s.exec(operands.loose[0] ?? "") : null;
      const loose =
        range?.[1] === undefined || range[2] === undefined
          ? operands.loose
          : [range[1], range[2], ...operands.loose.slice(1)];
      return {
        form: "git diff",
        cached: flags.has("--cached") || flags.has("--staged"),
        operands: { loose, paths: operands.paths },
      };
    }
    default:
      throw new CannotEvaluate(
        command === undefined || /^[a-z]/.test(command) === false || /^-/.test(command ?? "")
          ? `git option not accepted: ${quoted(command ?? "")}`
          : gitRefusal(command),
      );
  }
}

/** git's own commands that write or run something are said to; anything else may be an alias, which is code too. */
function gitRefusal(command: string): string {
  return READING.has(command) ? `git ${command} is not one of the accepted questions` : REASONS.runs;
}

const READING = new Set(
  "log show status blame describe branch tag rev-list ls-tree for-each-ref shortlog diff-tree diff-index diff-files name-rev cherry var config".split(
    " ",
  ),
);
