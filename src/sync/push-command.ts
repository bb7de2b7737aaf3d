/** `git push` for handoff refs alone. */
import type { GitResult } from "../git/process.js";
import type { Repository } from "../git/repository.js";
import { type Network, runNetwork, type Setting } from "./network.js";
import { type PushedRef, parsePushed } from "./porcelain.js";

/**
 * Without these options a push takes tags along, dies on a signing setting, or runs the user's pre-push hook on
 * refs that are no code.
 */
const PUSH = [
  "push",
  "--porcelain",
  "--no-verify",
  "--no-follow-tags",
  "--no-signed",
  "--no-recurse-submodules",
] as const;

export interface PushAnswer {
  refs: PushedRef[];
  result: GitResult;
  /** What of it cannot be read in this repository; null when nothing was. */
  broken: string | null;
}

/**
 * One push of these refspecs to a remote's name, a URL or a path. `options` go before the address. An answer
 * without refs means that the remote could not be asked.
 */
export async function runPush(
  repository: Repository,
  network: Network,
  push: {
    to: string;
    refspecs: readonly string[];
    options?: readonly string[];
    settings?: readonly Setting[];
  },
): Promise<PushAnswer> {
  // Push options kill a push to a server that takes none, and mirroring one of refspecs.
  const settings: Setting[] = [["push.pushOption", ""], ...(push.settings ?? [])];
  const mirror = `remote.${push.to}.mirror`;
  if ((await repository.config()).getBoolean(mirror)) settings.push([mirror, "false"]);
  const args = [...PUSH, ...(push.options ?? []), "--", push.to, ...push.refspecs];
  const result = await runNetwork(repository, network, args, settings);
  const broken = BROKEN_HERE.exec(result.stderr)?.[1] ?? null;
  return { refs: parsePushed(result.stdout.toString("utf8")), result, broken };
}

/** git's own words when it cannot read what it is to send; the remote's come behind `remote:`. */
const BROKEN_HERE =
  /^(?:fatal|error): ((?!remote)[^:\n]*\b(?:unable to|[Cc]ould not|bad|missing|loose|corrupt)\b[^\n]*\b[0-9a-f]{40,64}\b.*)$/m;
