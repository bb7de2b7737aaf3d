import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookText } from "../../src/install/package.js";
import { type LogEntry, writeLog } from "./logs.js";
import { git, root, tempDir } from "./repo.js";

/** Puts an open handoff for `branch` into a log, by git's plumbing alone. */
export function openHandoff(
  dir: string,
  branch: string,
  text = "---\nhandoff: 1\nintent: go on\n---\n",
  folder: LogEntry["folder"] = "open",
): void {
  writeLog(dir, `refs/handoff/${branch}/ada-3f9a2c`, [{ folder, text }]);
}

/** A package whose Node is a shell script: says `SHOWN` when started, after running `script`. */
export function fakePackage(script = ""): { node: string; home: string } {
  const home = tempDir("package");
  mkdirSync(join(home, "dist"));
  writeFileSync(join(home, "dist/hook.cjs"), "");
  const node = join(home, "node");
  writeFileSync(node, `#!/bin/sh\n${script}\ncat >/dev/null\necho SHOWN\n`);
  chmodSync(node, 0o755);
  return { node, home };
}

/** The hook of this package as `install` writes it. */
export function installHook(dir: string, { node, home } = { node: process.execPath, home: root }): string {
  const text = hookText(root, node).replace(/^HANDOFF_HOME=.*$/m, `HANDOFF_HOME='${home}'`);
  const path = join(git(dir, "rev-parse", "--path-format=absolute", "--git-path", "hooks"), "post-checkout");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

export interface GitRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs git and keeps everything, whatever its exit code. */
export function gitRun(dir: string, args: string[], env: Record<string, string | undefined> = {}): GitRun {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: dir,
    encoding: "utf8",
    input: "",
    env: { ...process.env, ...env },
  });
  return { code: status, stdout, stderr };
}
