/**
 * The hook through git's configuration (git 2.54 and newer): it runs beside whatever hook files or hook
 * managers a repository has. The settings are in a file of our own which is complete before it is included and
 * included no more before it goes, because an event without a command makes git itself fail.
 */
import { join } from "node:path";
import { shellQuote } from "./shell.js";

export const CONFIG_HOOKS_SINCE = [2, 54] as const;
/** The friendly name, `hook.<name>.command`; alike for one repository and for all, so that git runs it once. */
export const HOOK_NAME = "handoff";
/** As it stands in the repository's config: relative to that file, so that a moved repository keeps it. */
export const INCLUDED = "handoff/config";

export function hasConfigHooks(version: readonly [number, number, number]): boolean {
  return version[0] > CONFIG_HOOKS_SINCE[0] || (version[0] === 2 && version[1] >= CONFIG_HOOKS_SINCE[1]);
}

/**
 * The included file. `folder` holds our hook; where it is not there any more (a moved repository) the
 * repository is asked, and without any the hook is silent: a missing tool must not make a checkout fail.
 */
export function configHookText(folder: string): string {
  const known = shellQuote(join(folder, "post-checkout"));
  const command = [
    `f() { h=${known}`,
    `[ -f "$h" ] || h=$(git rev-parse --git-common-dir 2>/dev/null)/handoff/post-checkout`,
    `[ -f "$h" ] || return 0`,
    `sh "$h" "$@" || :`,
    "}",
    "f",
  ].join("; ");
  return [
    "# Written by git handoff; git handoff uninstall takes it out.",
    `[hook "${HOOK_NAME}"]`,
    `\tcommand = ${configQuote(command)}`,
    "\tevent = post-checkout",
    "",
  ].join("\n");
}

function configQuote(value: string): string {
  if (/[\n\0]/.test(value)) throw new Error("a path with a line break cannot stand in a git configuration");
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\t", "\\t")}"`;
}
