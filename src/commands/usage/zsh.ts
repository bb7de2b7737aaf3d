/** The completion script for zsh: `_git-handoff`, which zsh's `_git` finds by its name. */
import { COMMANDS, type CommandSpec, DEFAULT_COMMAND, type OptionSpec } from "../spec.js";
import { type Completable, operandSource, optionSource } from "./complete.js";

export function zshCompletion(): string {
  const shown = COMMANDS.filter(({ hidden }) => !hidden);
  return `#compdef git-handoff
#description park work and go on with checked context
# Put it into a folder of $fpath, as "_git-handoff".

__git_handoff_commands () {
  local -a commands
  commands=(
${shown
  .flatMap(({ name, aliases, describe }) =>
    [name, ...(aliases ?? [])].map((word) => `    ${quote(`${word}:${describe}`)}`),
  )
  .join("\n")}
  )
  _describe -t commands 'git handoff command' commands
}

__git_handoff_handles () {
  local -a handles
  handles=("\${(@f)$(git handoff complete-handles 2>/dev/null | sed -e 's/:/ /g' -e 's/\\t/:/')}")
  _describe -t handles handle handles
}

__git_handoff_branches () {
  local -a branches
  branches=("\${(@f)$(git for-each-ref --format='%(refname:short)' refs/heads 2>/dev/null)}")
  _wanted branches expl branch compadd -a branches
}

__git_handoff_branches_or_handles () {
  __git_handoff_branches
  __git_handoff_handles
}

__git_handoff_remotes () {
  local -a remotes
  remotes=("\${(@f)$(git remote 2>/dev/null)}")
  _wanted remotes expl remote compadd -a remotes
}

__git_handoff_first () {
  __git_handoff_commands
  __git_handoff_branches_or_handles
}

_git-handoff () {
  local curcontext=$curcontext state line expl
  typeset -A opt_args
  if (( CURRENT == 2 )); then
    _arguments -S ${specs(DEFAULT_COMMAND).join(" ")} '*::word:__git_handoff_first'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${shown.map(branch).join("\n")}
  esac
}

_git-handoff "$@"
`;
}

function branch(command: CommandSpec): string {
  const operand = source(operandSource(command));
  const words = [...specs(command), ...(command.positionals?.length ? [quote(`*:word:${operand}`)] : [])];
  const names = [command.name, ...(command.aliases ?? [])].join("|");
  return `    (${names})\n      _arguments -S ${words.map((word) => `\\\n        ${word}`).join(" ")} ;;`;
}

function specs(command: CommandSpec): string[] {
  return (command.options ?? []).flatMap((option) => {
    const names = [`--${option.name}`, ...(option.alias ? [`-${option.alias}`] : [])];
    const forms = [...names, ...(option.negatable ? [`--no-${option.name}`] : [])];
    return forms.map((form) => quote(spec(option, form)));
  });
}

function spec(option: OptionSpec, form: string): string {
  const repeat = option.type === "list" ? "*" : "";
  const stuck = option.type === "boolean" ? "" : form.startsWith("--") ? "=" : "+";
  const value = option.type === "boolean" ? "" : `:value:${source(optionSource(option))}`;
  return `${repeat}${form}${stuck}[${option.describe.replace(/[[\]:\\]/g, "\\$&")}]${value}`;
}

function source(kind: Completable): string {
  if (Array.isArray(kind)) return `(${kind.join(" ")})`;
  switch (kind) {
    case "file":
      return "_files";
    case "branch":
      return "__git_handoff_branches";
    case "handle":
      return "__git_handoff_handles";
    case "branch-or-handle":
      return "__git_handoff_branches_or_handles";
    case "remote":
      return "__git_handoff_remotes";
    case "command":
      return "__git_handoff_commands";
    default:
      return " ";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
