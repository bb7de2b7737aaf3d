/** The completion script for fish. From version 4 on its own for git hands `git handoff` on to the one for `git-handoff`. */
import { COMMANDS, type CommandSpec, DEFAULT_COMMAND, type OptionSpec } from "../spec.js";
import { type Completable, operandSource, optionSource } from "./complete.js";

export function fishCompletion(): string {
  const shown = COMMANDS.filter(({ hidden }) => !hidden);
  return `# fish completion of git handoff.
# Put it into ~/.config/fish/completions, as "git-handoff.fish".

function __git_handoff_handles
    git handoff complete-handles 2>/dev/null
end

function __git_handoff_branches
    git for-each-ref --format='%(refname:short)' refs/heads 2>/dev/null
end

function __git_handoff_remotes
    git remote 2>/dev/null
end

complete -c git-handoff -f
${shown.flatMap(commandLines).join("\n")}
complete -c git-handoff -n __fish_use_subcommand -a '${source("branch-or-handle")}'
${optionLines(DEFAULT_COMMAND, "__fish_use_subcommand").join("\n")}
`;
}

function commandLines(command: CommandSpec): string[] {
  const names = [command.name, ...(command.aliases ?? [])];
  const seen = `__fish_seen_subcommand_from ${names.join(" ")}`;
  const words = source(operandSource(command));
  const operand =
    words === "file"
      ? [`complete -c git-handoff -n '${seen}' -F`]
      : words === ""
        ? []
        : [`complete -c git-handoff -n '${seen}' -a '${words}'`];
  return [
    ...names.map(
      (name) => `complete -c git-handoff -n __fish_use_subcommand -a ${name} -d ${quote(command.describe)}`,
    ),
    ...operand,
    ...optionLines(command, seen),
  ];
}

function optionLines(command: CommandSpec, condition: string): string[] {
  return (command.options ?? []).flatMap((option) => {
    const long = [option.name, ...(option.negatable ? [`no-${option.name}`] : [])];
    return long.map((name, index) =>
      [
        `complete -c git-handoff -n '${condition}'`,
        `-l ${name}`,
        ...(option.alias && index === 0 ? [`-s ${option.alias}`] : []),
        ...value(option),
        `-d ${quote(option.describe)}`,
      ].join(" "),
    );
  });
}

function value(option: OptionSpec): string[] {
  if (option.type === "boolean") return [];
  const words = source(optionSource(option));
  if (words === "file") return ["-r", "-F"];
  return words === "" ? ["-x"] : ["-x", `-a '${words}'`];
}

function source(kind: Completable): string {
  if (Array.isArray(kind)) return kind.join(" ");
  switch (kind) {
    case "file":
      return "file";
    case "branch":
      return "(__git_handoff_branches)";
    case "handle":
      return "(__git_handoff_handles)";
    case "branch-or-handle":
      return "(__git_handoff_branches) (__git_handoff_handles)";
    case "remote":
      return "(__git_handoff_remotes)";
    case "command":
      return COMMANDS.filter(({ hidden }) => !hidden)
        .map(({ name }) => name)
        .join(" ");
    default:
      return "";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
