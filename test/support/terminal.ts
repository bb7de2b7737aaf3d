// Runs the program on a pseudo-terminal, by util-linux's script(1).
import { spawnSync } from "node:child_process";
import { program } from "./repo.js";

export const hasTerminal =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;

export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** What the terminal received, with plain newlines, and the exit code. `program` stands for `git-handoff`. */
export function onTerminal(
  dir: string,
  words: readonly string[],
  options: {
    columns?: number;
    env?: Record<string, string | undefined>;
    input?: string;
    shell?: string;
  } = {},
): { code: number | null; output: string } {
  const command = [process.execPath, program, ...words].map(quote).join(" ");
  const inner = `stty cols ${options.columns ?? 80} rows 24 -echo; ${options.shell ?? ""}${command}`;
  const result = spawnSync("script", ["-qec", inner, "/dev/null"], {
    cwd: dir,
    encoding: "utf8",
    input: options.input ?? "",
    env: { ...process.env, TERM: "xterm", SHELL: "/bin/sh", ...options.env },
    timeout: 30_000,
  });
  return { code: result.status, output: result.stdout.replaceAll("\r\n", "\n") };
}
