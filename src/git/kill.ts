/** Ending git together with what it started. */
import { existsSync } from "node:fs";
import { FatalError } from "../errors.js";
import { KILL_GRACE, type RunOptions } from "./process.js";

/** Whether this call gets a process group of its own. Windows has no such groups. */
export function ownGroup(options: RunOptions): boolean {
  return options.timeout !== undefined && !options.terminal && process.platform !== "win32";
}

function signal(pid: number, group: boolean, name: NodeJS.Signals): void {
  try {
    process.kill(group ? -pid : pid, name);
  } catch {
    // Already gone.
  }
}

/**
 * Asks the process (or its whole group) to end, and ends it when it does not. Its pipes are closed after that:
 * a daemon that left the group and kept them open must not hold us up.
 */
export function endProcess(
  pid: number | undefined,
  group: boolean,
  pipes: readonly ({ destroy(): unknown } | null | undefined)[],
): void {
  if (pid === undefined) return;
  signal(pid, group, "SIGTERM");
  setTimeout(() => {
    signal(pid, group, "SIGKILL");
    setTimeout(() => {
      for (const pipe of pipes) pipe?.destroy();
    }, KILL_GRACE / 5).unref();
  }, KILL_GRACE).unref();
}

/** Why git did not start. */
export function cannotStart(error: unknown, cwd: string | undefined): FatalError {
  if (cwd !== undefined && !existsSync(cwd))
    return new FatalError(`cannot change to '${cwd}': no such folder`);
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "ENOENT") return new FatalError("cannot run git: not found on PATH");
  return new FatalError(`cannot run git: ${error instanceof Error ? error.message : String(error)}`);
}
