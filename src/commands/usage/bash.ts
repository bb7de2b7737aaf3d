/** The completion script for bash: `_git_handoff`, which git's own completion calls. */
import { COMMANDS, type CommandSpec, DEFAULT_COMMAND, type OptionSpec } from "../spec.js";
import { type Completable, operandSource, optionSource, optionWords } from "./complete.js";

export function bashCompletion(): string {
  const names = COMMANDS.filter(({ hidden }) => !hidden).flatMap(({ name, aliases }) => [
    name,
    ...(aliases ?? []),
  ]);
  return `# bash completion of git handoff; stands on git's own (git-completion.bash).
# Put it where bash-completion looks, as "git-handoff", or source it after git's own.

__git_handoff_handles ()
{
	__git handoff complete-handles 2>/dev/null | cut -f1
}

__git_handoff_complete ()
{
	case "$1" in
	branch) __gitcomp_nl "$(__git_heads)" "" "$2" ;;
	handle) __gitcomp_nl "$(__git_handoff_handles)" "" "$2" ;;
	branch-or-handle) __gitcomp_nl "$(__git_heads; __git_handoff_handles)" "" "$2" ;;
	remote) __gitcomp_nl "$(__git_remotes)" "" "$2" ;;
	command) __gitcomp_nl "$(printf '%s\\n' ${names.join(" ")})" "" "$2" ;;
	any) __gitcomp_nl "$(printf '%s\\n' ${names.join(" ")}; __git_heads; __git_handoff_handles)" "" "$2" ;;
	words:*) __gitcomp "\${1#words:}" "" "$2" ;;
	file) COMPREPLY=(); compopt -o default 2>/dev/null ;;
	*) COMPREPLY=() ;;
	esac
}

_git_handoff ()
{
	local i command=
	for ((i = \${__git_cmd_idx:-1} + 1; i < cword; i++)); do
		case "\${words[i]}" in
		-*) ;;
		*) command=\${words[i]}; break ;;
		esac
	done
	if [ -z "$command" ]; then
		case "$cur" in
		-*) __gitcomp "${optionWords(DEFAULT_COMMAND).join(" ")}" ;;
		*) __git_handoff_complete any "$cur" ;;
		esac
		return
	fi
	case "$command" in
${COMMANDS.filter(({ hidden }) => !hidden)
  .map(branch)
  .join("\n")}
	esac
}

# Called as git-handoff, without git in front.
if declare -F __git_complete >/dev/null; then
	__git_complete git-handoff _git_handoff
fi
`;
}

function branch(command: CommandSpec): string {
  const values = (command.options ?? []).filter(({ type }) => type !== "boolean");
  const before = values.map((option) => {
    const words = [`--${option.name}`, ...(option.alias ? [`-${option.alias}`] : [])].join("|");
    return `		${words}) __git_handoff_complete ${argument(optionSource(option))} "$cur"; return ;;`;
  });
  const stuck = values.map(
    (option) =>
      `		--${option.name}=*) __git_handoff_complete ${argument(optionSource(option))} "\${cur##--${option.name}=}"; return ;;`,
  );
  return [
    `	${[command.name, ...(command.aliases ?? [])].join("|")})`,
    ...block("$prev", before),
    ...block("$cur", [
      ...stuck,
      `		-*) __gitcomp "${optionWords(command).map(withEquals(values)).join(" ")}"; return ;;`,
    ]),
    `		__git_handoff_complete ${argument(operandSource(command))} "$cur" ;;`,
  ].join("\n");
}

function block(word: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`		case "${word}" in`, ...lines, "		esac"];
}

function withEquals(values: readonly OptionSpec[]): (word: string) => string {
  return (word) => (values.some(({ name }) => `--${name}` === word) ? `${word}=` : word);
}

function argument(source: Completable): string {
  return Array.isArray(source) ? `"words:${source.join(" ")}"` : String(source);
}
