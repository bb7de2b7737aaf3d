import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "./repo.js";

/**
 * Runs `fn` with a `git` first on PATH that notes each call, and tells which git processes were started, as
 * argument lists without the global options. What git starts itself is not counted.
 */
export async function countGit<T>(
  fn: (env: NodeJS.ProcessEnv) => T | Promise<T>,
): Promise<{ result: T; calls: string[][] }> {
  const dir = tempDir("count");
  const log = join(dir, "log");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(log, "");
  writeFileSync(
    join(dir, "git"),
    `#!/bin/sh\n{ printf '%s\\037' "$@"; printf '\\036'; } >>'${log}'\nexec '${real}' "$@"\n`,
  );
  chmodSync(join(dir, "git"), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${dir}:${before}`;
  try {
    const result = await fn({ ...process.env });
    const calls = readFileSync(log, "utf8")
      .split("\x1e")
      .filter(Boolean)
      .map((call) => withoutGlobals(call.split("\x1f").slice(0, -1)));
    return { result, calls };
  } finally {
    process.env.PATH = before;
  }
}

function withoutGlobals(args: string[]): string[] {
  let at = 0;
  while (args[at]?.startsWith("-")) at += args[at] === "-c" || args[at] === "-C" ? 2 : 1;
  return args.slice(at);
}
