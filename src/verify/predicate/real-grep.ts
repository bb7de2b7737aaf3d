/** Asks the machine's GNU grep what only it can answer. It gets a file's bytes, never a path. */
import type { Budget } from "./budget.js";
import { CannotEvaluate, REASONS } from "./cannot-evaluate.js";
import { findProgram, runProgram } from "./program.js";
import type { Search } from "./types.js";

const SYNTAX = { basic: "-G", extended: "-E", fixed: "-F", perl: "-P" } as const;

/** GNU's program, once per process; null where grep is another one or missing. */
let gnu: Promise<string | null> | null = null;

async function findGnuGrep(): Promise<string | null> {
  const file = findProgram("grep");
  if (file === null) return null;
  const { code, stdout } = await runProgram(file, ["--version"], {
    cwd: "/",
    env: environment(),
    timeout: 2_000,
  });
  return code === 0 && /\bGNU grep\b/.test(stdout.split("\n")[0] ?? "") ? file : null;
}

/** A UTF-8 locale decides what `.` and -i mean; GREP_OPTIONS and the like are left out. */
function environment(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, LC_ALL: process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8" };
}

/** The arguments of a search, in one fixed form. */
export function grepArguments(search: Search): string[] {
  return [
    "-q",
    "-s",
    SYNTAX[search.syntax],
    ...(search.ignoreCase ? ["-i"] : []),
    ...(search.word ? ["-w"] : []),
    ...(search.line ? ["-x"] : []),
    ...(search.invert ? ["-v"] : []),
    ...search.patterns.flatMap((pattern) => ["-e", pattern]),
  ];
}

/** Whether grep selects a line of `bytes`. `without`: the reason where there is no GNU grep. Throws CannotEvaluate. */
export async function askRealGrep(
  search: Search,
  bytes: Uint8Array,
  budget: Budget,
  without: string,
): Promise<boolean> {
  gnu ??= findGnuGrep();
  const file = await gnu;
  if (file === null) throw new CannotEvaluate(without);
  const ask = (input: Uint8Array) =>
    budget.process((timeout) =>
      runProgram(file, grepArguments(search), { cwd: "/", env: environment(), timeout, input }),
    );
  const result = await ask(bytes);
  if (result.timedOut) throw budget.stopped();
  if (result.code === 0) return true;
  if (result.code === 1) return false;
  // A pattern that an empty file does not mind was too much for grep, not wrong.
  const { code } = await ask(new Uint8Array(0));
  throw new CannotEvaluate(code === 1 ? "out-of-budget: the pattern is too much for grep" : REASONS.pattern);
}
