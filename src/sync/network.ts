/** git calls that may use the network: bounded in time, never asking a person who is not there. */
import { FatalError } from "../errors.js";
import { userEnvironment } from "../git/environment.js";
import type { GitResult } from "../git/process.js";
import type { Repository } from "../git/repository.js";

/** Milliseconds for a whole push, fetch or sync. */
export const NETWORK_DEADLINE = 120_000;

export interface Network {
  /** Date.now() at which everything ends. */
  deadline: number;
  /** A person sits at a terminal and can be asked for a password. */
  terminal: boolean;
}

/** Runs git with the user's environment until the deadline. */
export async function runNetwork(
  repository: Repository,
  network: Network,
  args: readonly string[],
  input?: string,
): Promise<GitResult> {
  const timeout = Math.max(1_000, network.deadline - Date.now());
  return repository.run(args, {
    timeout,
    env: networkEnvironment(repository, network),
    ...(input === undefined ? {} : { input }),
  });
}

function networkEnvironment(
  repository: Repository,
  { terminal }: Network,
): Record<string, string | undefined> {
  const env = userEnvironment(repository.env);
  return terminal ? env : { ...env, GIT_TERMINAL_PROMPT: "0", SSH_ASKPASS_REQUIRE: "never" };
}

/** git's own last error line without its prefix. */
export function gitReason(result: GitResult, otherwise: string): string {
  if (result.timedOut) return "no answer in time";
  const lines = result.stderr.split("\n").map((line) => line.trim());
  const fatal =
    lines.find((line) => line.startsWith("fatal: ")) ?? lines.find((line) => line.startsWith("error: "));
  return fatal?.replace(/^(fatal|error): /, "") ?? lines.filter(Boolean).at(-1) ?? otherwise;
}

/** Full ref names and ids that a remote lists below `refs/handoff/`. Throws FatalError when it cannot be reached. */
export async function listRemote(
  repository: Repository,
  network: Network,
  remote: string,
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const result = await runNetwork(repository, network, ["ls-remote", "--refs", "--", remote, ...patterns]);
  if (result.code !== 0)
    throw new FatalError(`cannot reach '${remote}': ${gitReason(result, "git ls-remote failed")}`);
  const found = new Map<string, string>();
  for (const line of result.stdout.toString("utf8").split("\n")) {
    const [oid, ref] = line.split("\t");
    if (oid && ref) found.set(ref, oid);
  }
  return found;
}
