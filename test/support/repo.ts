import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** The built program; `npm test` builds it first. */
export const program = join(root, "dist/git-handoff.js");

export function tempDir(name = "t"): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `handoff-${name}-`)));
}

/** Runs git in `dir`; throws with stderr on failure; returns stdout without the last newline. */
export function git(dir: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: dir,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  }).replace(/\n$/, "");
}

/** Writes a file below `dir`, making folders. */
export function put(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

/** Writes files and commits them; returns the commit id. */
export function commit(dir: string, files: Record<string, string>, message = "change"): string {
  for (const [path, text] of Object.entries(files)) put(dir, path, text);
  git(dir, "add", "-A");
  git(dir, "commit", "-q", "--allow-empty", "-m", message);
  return git(dir, "rev-parse", "HEAD");
}

/** A fresh repository with one commit on `main`. */
export function makeRepo(name = "repo", initArgs: string[] = []): string {
  const dir = join(tempDir(name), name);
  mkdirSync(dir);
  git(dir, "init", "-q", ...initArgs);
  commit(dir, { "README.md": "# fixture\n", "src/parser.ts": "export final class Parser {}\n" }, "first");
  return dir;
}

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built `git-handoff` in `dir`. */
export function handoff(
  dir: string,
  args: string[],
  options: { input?: string; env?: Record<string, string | undefined> } = {},
): CliResult {
  const result = spawnSync(process.execPath, [program, ...args], {
    cwd: dir,
    encoding: "utf8",
    input: options.input ?? "",
    env: { ...process.env, ...options.env },
    maxBuffer: 1 << 28,
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** What git says where nobody listens on ssh: without an ssh to ask with, that. */
export const SSH_REFUSED =
  spawnSync("ssh", ["-V"]).error === undefined ? "Connection refused" : "cannot run ssh";

/** A copy of the built program where every user may read it: a clone may lie in somebody's private folder. */
export function programForAll(): string {
  const dir = tempDir("program");
  chmodSync(dir, 0o755);
  for (const part of ["dist", "hooks", "package.json"])
    cpSync(join(root, part), join(dir, part), { recursive: true });
  return join(dir, "dist/git-handoff.js");
}
