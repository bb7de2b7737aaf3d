/** From the words of a command line to one command and its arguments. yargs knows the commands from spec.ts. */
import yargs from "yargs";
import { UsageError } from "../../errors.js";
import type { Args } from "../context.js";
import { type CommandSpec, DEFAULT_COMMAND, findCommand, type OptionSpec } from "../spec.js";
import { sortWords } from "./words.js";

export interface Call {
  command: CommandSpec;
  args: Args;
  /** Asked for: `-h` (usage, exit 129) or `--help` (help, exit 0). */
  help: "usage" | "help" | null;
}

/**
 * @param argv without the program's own name.
 * @throws UsageError; `commandOf(argv)` says whose usage to show with it.
 */
export function parseCall(argv: readonly string[]): Call {
  const at = commandIndex(argv);
  const command = commandOf(argv);
  const words = sortWords(at < 0 ? argv : argv.toSpliced(at, 1), command);
  if (words.help) return { command, args: {}, help: words.help };
  if (at < 0 && words.positionals.length > 1)
    throw new UsageError(`\`${words.positionals[0]}' is not a git handoff command`);
  const args = { ...optionsOf(words.options, command), ...operands(words.positionals, command) };
  return { command, args, help: null };
}

/** The command these words call: the first that is no option, where it names one; else `read`. */
export function commandOf(argv: readonly string[]): CommandSpec {
  return findCommand(argv[commandIndex(argv)] ?? "") ?? DEFAULT_COMMAND;
}

function commandIndex(argv: readonly string[]): number {
  const at = argv.findIndex((word) => word === "--" || !word.startsWith("-"));
  return findCommand(argv[at] ?? "") ? at : -1;
}

function optionsOf(words: string[], command: CommandSpec): Args {
  let values: Args = {};
  const parser = yargs(words)
    .locale("en")
    .exitProcess(false)
    .help(false)
    .version(false)
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "parse-positional-numbers": false,
      "nargs-eats-options": true,
    })
    .fail((message, error) => {
      throw new UsageError(message ?? error.message);
    })
    .strictOptions();
  // Only the one that is called: registering all of them takes longer than everything else here.
  parser.command(
    [command.name, "$0"],
    command.describe,
    (own) => {
      for (const option of command.options ?? []) own.option(option.name, declaration(option));
      return own;
    },
    (parsed) => {
      values = valuesOf(parsed, command);
    },
  );
  parser.parseSync();
  return values;
}

/** One word each, whatever it holds: any other way yargs strips quotes and drops empty values. */
function declaration({ type }: OptionSpec) {
  return type === "boolean" ? ({ boolean: true } as const) : ({ string: true, nargs: 1 } as const);
}

/** Options as declared in spec.ts; of one that is no list and was repeated, the last. */
function valuesOf(parsed: Readonly<Record<string, unknown>>, command: CommandSpec): Args {
  const values: Record<string, unknown> = {};
  for (const { name, type } of command.options ?? []) {
    if (parsed[name] === undefined) continue;
    const given: unknown[] = [parsed[name]].flat();
    const last = given.at(-1);
    values[name] = type === "list" ? given : type === "number" ? Number(last) : last;
  }
  return values;
}

/** Operands by the names of spec.ts, always strings: a handle such as `1e10000` is not a number. */
function operands(given: readonly string[], command: CommandSpec): Args {
  const args: Record<string, unknown> = {};
  const left = [...given];
  for (const { name, required, variadic } of command.positionals ?? []) {
    if (required && left.length === 0) throw new UsageError(`${command.name} needs <${name}>`);
    if (variadic) args[name] = left.splice(0);
    else if (left.length > 0) args[name] = left.shift();
  }
  if (left.length > 0) throw new UsageError(`unexpected argument \`${left[0]}'`);
  return args;
}
