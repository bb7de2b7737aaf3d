/**
 * Runs git through node:child_process alone: for the hook and for commands that stay in this repository. Loading execa
 * would cost a third of Node's own start.
 */
import { spawn } from "node:child_process";
import { collect } from "./collect.js";
import { cannotStart, ownGroup } from "./kill.js";
import type { GitResult, RunGit } from "./process.js";

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
      const said = collect(child, options, group);
      child.on("error", (error) => {
        said.done();
        reject(cannotStart(error, options.cwd));
      });
      child.on("close", (code) => {
        said.done();
        const { timedOut, overflowed } = said;
        resolve({
          code: timedOut || overflowed ? null : code,
          stdout: said.stdout(),
          stderr: said.stderr(),
          timedOut,
          overflowed,
        });
      });
      // git may end before it has read everything; its exit code tells.
      child.stdin?.on("error", () => {});
      if (options.input !== undefined) child.stdin?.end(options.input);
    });
}
