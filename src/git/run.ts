/** Runs git through execa: for what uses the network, for installing, and for the library. */
import { execa } from "execa";
import { collect } from "./collect.js";
import { cannotStart, ownGroup } from "./kill.js";
import { KILL_GRACE, type RunGit } from "./process.js";

/** RunGit over execa. `env` of each call is the child's whole environment. */
export function execaGit(): RunGit {
  return async (args, options = {}) => {
    const group = ownGroup(options);
    const child = execa("git", args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.input === undefined ? { stdin: "ignore" as const } : { input: options.input }),
      env: { ...(options.env ?? process.env) },
      extendEnv: false,
      encoding: "buffer",
      stripFinalNewline: false,
      reject: false,
      detached: group,
      forceKillAfterDelay: KILL_GRACE,
      // What execa gathers it also puts, escaped, into an error's message: of 64 MiB, gigabytes and half a minute.
      buffer: false,
    });
    // execa's own timeout ends git alone: its children (ssh, a hook, a filter) would go on.
    const said = collect(child, options, group);
    const result = await child;
    said.done();
    if (child.pid === undefined) throw cannotStart(result.cause ?? result, options.cwd);
    const { timedOut, overflowed } = said;
    return {
      code: timedOut || overflowed ? null : (result.exitCode ?? null),
      stdout: said.stdout(),
      stderr: said.stderr(),
      timedOut,
      overflowed,
    };
  };
}
