/**
 * Runs git through node:child_process alone: for the hook and for commands that stay in this repository. Loading execa
 * would cost a third of Node's own start.
 */
import { spawn } from "node:child_process";
import { cannotStart, endProcess, ownGroup } from "./kill.js";
import { type GitResult, MAX_STDERR, MAX_STDOUT, type RunGit } from "./process.js";

/** RunGit without a library. `env` of each call is the child's whole environment. */
export function spawnGit(): RunGit {
  return (args, options = {}) =>
    new Promise<GitResult>((resolve, reject) => {
      const group = ownGroup(options);
      const child = spawn("git", args, {
        cwd: options.cwd,
        env: { ...(options.env ?? process.env) },
        detached: group,
        windowsHide: true,
        stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      });
      const limit = options.maxBuffer ?? MAX_STDOUT;
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      let outSize = 0;
      let errSize = 0;
      let timedOut = false;
      let overflowed = false;
      const timer =
        options.timeout === undefined
          ? undefined
          : setTimeout(() => {
              timedOut = true;
              endProcess(child.pid, group, [child.stdout, child.stderr]);
            }, options.timeout);
      child.stdout?.on("data", (chunk: Buffer) => {
        const room = limit - outSize;
        outSize += chunk.length;
        if (room > 0) out.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        if (outSize > limit && !overflowed) {
          overflowed = true;
          endProcess(child.pid, group, [child.stdout, child.stderr]);
        }
      });
      child.stderr?.on("data", (chunk: Buffer) => {
        if (errSize < MAX_STDERR) err.push(chunk);
        errSize += chunk.length;
      });
      child.on("error", (error) => {
        clearTimeout(timer);
        reject(cannotStart(error, options.cwd));
      });
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve({
          code: timedOut || overflowed ? null : code,
          stdout: Buffer.concat(out),
          stderr: Buffer.concat(err).toString("utf8"),
          timedOut,
          overflowed,
        });
      });
      // git may end before it has read everything; its exit code tells.
      child.stdin?.on("error", () => {});
      if (options.input !== undefined) child.stdin?.end(options.input);
    });
}
