/**
 * The manners of git's own option parser, which yargs does not have: `-mtext`, clusters of switches, a value
 * that begins with a dash (yargs refuses it in a list), unique abbreviations, and operands after `--` (yargs
 * loses those that begin with a dash). What goes on to yargs is plain: `--name value`, `--name`, `--no-name`.
 */
import { UsageError } from "../../errors.js";
import type { CommandSpec, OptionSpec } from "../spec.js";

export interface Words {
  /** `--name` and its value, or `--name` or `--no-name`; whole names of the command's options only. */
  options: string[];
  positionals: string[];
  /** `-h` (usage, exit 129) or `--help` (help, exit 0) stood before any `--`. */
  help: "usage" | "help" | null;
}

/**
 * Sorts a command's words into options and positionals.
 * @throws UsageError with git's own wording for what the command does not take.
 */
export function sortWords(argv: readonly string[], command: CommandSpec): Words {
  const sorted: Words = { options: [], positionals: [], help: null };
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--") {
      sorted.positionals.push(...words);
      break;
    }
    if (word === "-h" || word === "--help") sorted.help ??= word === "-h" ? "usage" : "help";
    // A single dash is a value: stdin.
    else if (!word.startsWith("-") || word === "-") sorted.positionals.push(word);
    else if (word.startsWith("--")) sorted.options.push(...longOption(word, words, command));
    else sorted.options.push(...shortOptions(word, words, command));
  }
  return sorted;
}

function longOption(word: string, following: string[], command: CommandSpec): string[] {
  const equals = word.indexOf("=");
  const given = equals < 0 ? word.slice(2) : word.slice(2, equals);
  const { option, negated } = longName(given, command);
  const name = negated ? `no-${option.name}` : option.name;
  if (negated || option.type === "boolean") {
    if (equals >= 0) throw new UsageError(`option \`${name}' takes no value`);
    return [`--${name}`];
  }
  const value = equals >= 0 ? word.slice(equals + 1) : following.shift();
  if (value === undefined) throw new UsageError(`option \`${name}' requires a value`);
  const found = [`--${name}`, checked(value, option)];
  while (option.several && following[0] !== undefined && chosen(following[0], option) !== undefined) {
    found.push(`--${name}`, checked(following.shift() ?? "", option));
  }
  return found;
}

function shortOptions(word: string, following: string[], command: CommandSpec): string[] {
  const found: string[] = [];
  for (let rest = word.slice(1); rest !== ""; ) {
    const letter = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    rest = rest.slice(letter.length);
    const option = command.options?.find(({ alias }) => alias === letter);
    if (!option) throw new UsageError(`unknown switch \`${letter}'`);
    if (option.type === "boolean") {
      found.push(`--${option.name}`);
      continue;
    }
    const value = rest === "" ? following.shift() : rest;
    if (value === undefined) throw new UsageError(`switch \`${letter}' requires a value`);
    found.push(`--${option.name}`, checked(value, option));
    break;
  }
  return found;
}

interface LongName {
  option: OptionSpec;
  negated: boolean;
}

/** A whole name, else the only one that begins so. Every switch may be taken back with `--no-`, as in git. */
function longName(given: string, command: CommandSpec): LongName {
  const names = new Map<string, LongName>();
  for (const option of command.options ?? []) {
    names.set(option.name, { option, negated: false });
    if (option.type === "boolean") names.set(`no-${option.name}`, { option, negated: true });
  }
  const exact = names.get(given);
  if (exact) return exact;
  const close = given === "" ? [] : [...names.keys()].filter((name) => name.startsWith(given));
  const [only] = close;
  const found = only !== undefined && close.length === 1 ? names.get(only) : undefined;
  if (found) return found;
  if (close.length > 1)
    throw new UsageError(
      `ambiguous option: ${given} (could be ${close.map((name) => `--${name}`).join(" or ")})`,
    );
  throw new UsageError(`unknown option \`${given}'`);
}

/** The choice a word stands for. */
function chosen(word: string, { choices, synonyms = {} }: OptionSpec): string | undefined {
  const name = Object.hasOwn(synonyms, word) ? synonyms[word] : word;
  return choices?.find((choice) => choice === name);
}

function checked(value: string, option: OptionSpec): string {
  if (option.choices) {
    const choice = chosen(value, option);
    if (choice !== undefined) return choice;
    throw new UsageError(`option \`${option.name}' must be one of ${option.choices.join(", ")}`);
  }
  if (option.type === "number" && !/^\d{1,9}(\.\d{1,9})?$/.test(value))
    throw new UsageError(`option \`${option.name}' expects a number`);
  return value;
}
