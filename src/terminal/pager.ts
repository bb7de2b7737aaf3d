/** Long output goes through a pager where git's own commands would do so, and by the same settings. */
import { spawn } from "node:child_process";
import { spawnGit } from "../git/spawn.js";
import { holdInterrupts } from "./interrupt.js";
import type { Terminal } from "./terminal.js";

/**
 * Writes `text` to stdout, on a terminal through the user's pager; resolves when the pager has ended.
 * A pager that cannot be started is no error: the text is written plainly.
 */
export async function writePaged(text: string, terminal: Terminal): Promise<void> {
  const pager = text === "" ? null : await choosePager(terminal);
  if (pager === null || !(await pipeTo(pager, text, terminal))) terminal.stdout.write(text);
}

/** The shell command to page with, or null. git has already paged when GIT_PAGER_IN_USE is set. */
export async function choosePager({ cwd, env, stdout }: Terminal): Promise<string | null> {
  if (!stdout.isTTY || env.GIT_PAGER_IN_USE) return null;
  const git = spawnGit();
  const own = (await git(["config", "--get", "pager.handoff"], { cwd, env })).stdout.toString().trim();
  if (/^(false|no|off|0)$/i.test(own)) return null;
  const pager =
    own === "" || /^(true|yes|on|1)$/i.test(own)
      ? (await git(["var", "GIT_PAGER"], { cwd, env })).stdout.toString().trim()
      : own;
  return pager === "" || pager === "cat" ? null : pager;
}

/** Resolves to false when the pager did not start. `pager` is the user's own setting, a shell command to git too. */
function pipeTo(pager: string, text: string, { cwd, env }: Terminal): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(pager, {
      cwd,
      // git's own defaults: less quits when all fits, keeps colours and leaves the text on the screen.
      env: { LESS: "FRX", LV: "-c", ...env, GIT_PAGER_IN_USE: "true" },
      shell: true,
      stdio: ["pipe", "inherit", "inherit"],
    });
    const release = holdInterrupts();
    const end = (started: boolean) => {
      release();
      resolve(started);
    };
    child.on("error", () => end(false));
    child.on("close", (code) => end(code !== 127));
    // A pager that is left before the end of the text.
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}
