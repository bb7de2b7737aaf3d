/** git calls that may use the network: bounded in time, never asking a person who is not there. */
import { oneLine } from "../document/strip.js";
import { FatalError } from "../errors.js";
import { userEnvironment } from "../git/environment.js";
import type { GitResult } from "../git/process.js";
import type { Repository } from "../git/repository.js";
import { withoutCredentials } from "../git/url.js";

/** Milliseconds for a whole push, fetch or sync. */
export const NETWORK_DEADLINE = 120_000;

export interface Network {
  /** Date.now() at which everything ends. */
  deadline: number;
  /** A person sits at a terminal and can be asked for a password. */
  terminal: boolean;
}

/** A configuration key and its value. */
export type Setting = readonly [key: string, value: string];

/** Runs git with the user's environment until the deadline. */
export async function runNetwork(
  repository: Repository,
  network: Network,
  args: readonly string[],
  settings: readonly Setting[] = [],
): Promise<GitResult> {
  return repository.run(args, {
    timeout: Math.max(1, network.deadline - Date.now()),
    terminal: network.terminal,
    env: withSettings(networkEnvironment(repository, network), settings),
  });
}

function networkEnvironment(
  repository: Repository,
  { terminal }: Network,
): Record<string, string | undefined> {
  const env = userEnvironment(repository.env);
  return terminal ? env : { ...env, GIT_TERMINAL_PROMPT: "0", SSH_ASKPASS_REQUIRE: "never" };
}

/** Settings beside those the environment holds already. `-c` would end a key at its first `=`. */
function withSettings(
  env: Record<string, string | undefined>,
  settings: readonly Setting[],
): Record<string, string | undefined> {
  const before = Number(env.GIT_CONFIG_COUNT ?? "0") || 0;
  const added = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(before + settings.length) };
}

/** git's own reason in one line, without its prefix. */
export function gitReason(result: GitResult, otherwise: string): string {
  if (result.timedOut) return "no answer in time";
  const lines = result.stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const at = lines.findIndex((line) => line.startsWith("fatal: "));
  const said = lines[at] ?? lines.find((line) => line.startsWith("error: "));
  const reason = said?.replace(/^(fatal|error): /, "") ?? lines.at(-1) ?? otherwise;
  // ssh says why on a line of its own, before git says that nothing came.
  const before = lines.slice(0, Math.max(0, at)).findLast((line) => !/^(warning|hint|remote): /.test(line));
  if (before && /^Could not read from remote|remote end hung up/i.test(reason)) return before;
  // What could not be started, which git too says before.
  if (reason === "unable to fork" && before) return before.replace(/^error: /, "");
  // `unable to connect to host:` and the reason for each of its addresses below.
  return reason.endsWith(":") ? `${reason} ${lines[at + 1] ?? ""}`.trim() : reason;
}

/** Lines of the remote's own words that are passed on. */
const WORDS = 10;

/** What the remote itself said, e.g. why its hook refuses. */
export function remoteWords(result: GitResult): string[] {
  const said = result.stderr
    .split(/[\r\n]/)
    .flatMap((line) => /^remote:\s*(\S.*)$/.exec(line)?.[1] ?? [])
    .map(oneLine)
    .filter((line) => line !== "");
  return [...new Set(said)].slice(0, WORDS);
}

/** Why a remote gave no answer to go by: not reached, not allowed, or ended by its own hook. */
export function unanswered(address: string, result: GitResult, otherwise: string): FatalError {
  const name = withoutCredentials(address);
  const reason = gitReason(result, otherwise);
  if (/dubious ownership/.test(result.stderr)) {
    return new FatalError(
      `'${name}' belongs to another user, so git refuses it (dubious ownership); to allow it: git config --global --add safe.directory <its folder>`,
    );
  }
  if (/aborted by .*hook/.test(result.stderr))
    return new FatalError(`'${name}' refused by policy: ${reason}`);
  if (/service not enabled|not exported|error: 403|access denied|read-only/i.test(result.stderr))
    return new FatalError(`no write access to '${name}': ${reason}`);
  return new FatalError(`'${name}' is unreachable: ${reason}`);
}

/** Full ref names and ids that a remote lists below `refs/handoff/`. Throws FatalError when it cannot be reached. */
export async function listRemote(
  repository: Repository,
  network: Network,
  remote: string,
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const result = await runNetwork(repository, network, ["ls-remote", "--refs", "--", remote, ...patterns]);
  if (result.code !== 0) throw unanswered(remote, result, "git ls-remote failed");
  const found = new Map<string, string>();
  for (const line of result.stdout.toString("utf8").split("\n")) {
    const [oid, ref] = line.split("\t");
    if (oid && ref) found.set(ref, oid);
  }
  return found;
}
