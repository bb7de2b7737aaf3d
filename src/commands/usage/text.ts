/** The text of `-h` and `git handoff help`, laid out as git's own usage. Pure. */
import {
  COMMANDS,
  type CommandSpec,
  DEFAULT_COMMAND,
  type OptionSpec,
  type PositionalSpec,
} from "../spec.js";

/** Columns before the description, as in git's own option lists. */
const INDENT = 26;

/** Usage and options of one command. Ends in a newline. */
export function commandUsage(command: CommandSpec): string {
  const lines = synopses(command).map((line, index) => `${index === 0 ? "usage:" : "   or:"} ${line}`);
  lines.push("", `    ${command.describe}`, "");
  for (const option of command.options ?? []) lines.push(...described(optionLabel(option), option.describe));
  if (command.options?.length) lines.push("");
  return `${lines.join("\n")}\n`;
}

/** Every command in one line each. Ends in a newline. */
export function programUsage(): string {
  const lines = [
    `usage: ${synopses(DEFAULT_COMMAND)[0]}`,
    "   or: git handoff <command> [<args>]",
    "",
    ...COMMANDS.filter(({ hidden }) => !hidden).flatMap((command) =>
      described([command.name, ...(command.aliases ?? [])].join(", "), command.describe),
    ),
    "",
    "See 'git handoff <command> -h' for the options of a command.",
  ];
  return `${lines.join("\n")}\n`;
}

/** One line a way to call it, e.g. `git handoff close [<options>] [<id>...]`. */
export function synopses(command: CommandSpec): string[] {
  const operands = (command.positionals ?? []).map(operandLabel);
  const words = [...(command.options?.length ? ["[<options>]"] : []), ...operands].join(" ");
  const names =
    command === DEFAULT_COMMAND ? [`[${command.name}]`, ...(command.aliases ?? [])] : [command.name];
  return names.map((name) => `git handoff ${name} ${words}`.trimEnd());
}

export function operandLabel({ name, required, variadic }: PositionalSpec): string {
  const label = name === "target" ? "<branch>|<id>" : `<${name}>`;
  const many = variadic ? `${label}...` : label;
  return required ? many : `[${many}]`;
}

/** E.g. `-m, --[no-]intent <text>`. */
export function optionLabel(option: OptionSpec): string {
  const long = `--${option.negatable ? "[no-]" : ""}${option.name}`;
  return [option.alias ? `-${option.alias}, ${long}` : long, option.argument].filter(Boolean).join(" ");
}

function described(label: string, text: string): string[] {
  const wrapped = wrap(text, 80 - INDENT);
  const head = `    ${label}`;
  const room = head.length < INDENT - 1;
  const rest = room ? wrapped.slice(1) : wrapped;
  return [
    room ? head.padEnd(INDENT) + (wrapped[0] ?? "") : head,
    ...rest.map((line) => " ".repeat(INDENT) + line),
  ];
}

/** Breaks at spaces to lines of at most `width` characters. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
