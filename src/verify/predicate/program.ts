/** Runs the machine's own `grep` or `gh`, found by absolute folders of PATH only, never through a shell. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface ProgramResult {
  /** null when it was killed or did not start. */
  code: number | null;
  stdout: string;
  timedOut: boolean;
}

/** Bytes of output kept; a program that prints more is killed. */
const MAX_OUTPUT = 1 << 20;

/** Absolute path of a program; null where there is none. A relative folder in PATH could be the repository's. */
export function findProgram(name: string, path = process.env.PATH ?? ""): string | null {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not here.
    }
  }
  return null;
}

/** Never rejects. `timeout` in ms: then the program and what it started are killed. */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined>; timeout: number; input?: Uint8Array },
): Promise<ProgramResult> {
  // Loaded here: on the checkout's hot path hardly any predicate needs a process.
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
      // Its own group, so that its children can be killed with it.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let timedOut = false;
    const kill = (): void => {
      try {
        if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, options.timeout);
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) kill();
      else chunks.push(chunk);
    });
    child.on("error", () => {
      clearTimeout(timer);
      resolve({ code: null, stdout: "", timedOut });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout: Buffer.concat(chunks).toString("utf8"), timedOut });
    });
    // grep -q closes its input at the first match.
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input);
  });
}
