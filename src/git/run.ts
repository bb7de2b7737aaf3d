/** Runs git through execa: for what uses the network, for installing, and for the library. */
import { execa } from "execa";
import { cannotStart, endProcess, ownGroup } from "./kill.js";
import { KILL_GRACE, MAX_STDERR, MAX_STDOUT, type RunGit } from "./process.js";

function bytes(value: unknown): Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.length)
    : Buffer.alloc(0);
}

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
      maxBuffer: { stdout: options.maxBuffer ?? MAX_STDOUT, stderr: MAX_STDERR },
    });
    // execa's own timeout ends git alone: its children (ssh, a hook, a filter) would go on.
    let timedOut = false;
    const timer =
      options.timeout === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            endProcess(child.pid, group, [child.stdout, child.stderr]);
          }, options.timeout);
    const result = await child;
    clearTimeout(timer);
    if (child.pid === undefined) throw cannotStart(result.cause ?? result, options.cwd);
    const overflowed = result.isMaxBuffer === true;
    return {
      code: timedOut || overflowed ? null : (result.exitCode ?? null),
      stdout: bytes(result.stdout),
      stderr: bytes(result.stderr).toString("utf8"),
      timedOut,
      overflowed,
    };
  };
}
