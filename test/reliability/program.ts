// The built program as a process of its own that can run beside others and be killed, and what it may never say.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type CliResult, git, program } from "../support/repo.js";

export interface Started {
  child: ChildProcess;
  /** Everything it starts has this in its environment, whatever group or parent it ends up in. */
  mark: string;
  ended: Promise<CliResult>;
}

export interface StartOptions {
  env?: Record<string, string | undefined>;
  input?: string | Uint8Array;
  /** Milliseconds until it counts as hanging and is killed (its code is null then). */
  timeout?: number;
}

/** Starts `git-handoff` without waiting for it. */
export function start(dir: string, args: readonly string[], options: StartOptions = {}): Started {
  const mark = `HANDOFF_RUN=${randomUUID()}`;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: dir,
    detached: true,
    env: { ...process.env, ...options.env, HANDOFF_RUN: mark.slice("HANDOFF_RUN=".length) },
  });
  const ended = new Promise<CliResult>((resolve) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    const timer = setTimeout(() => killAll(mark), options.timeout ?? 120_000);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  return { child, mark, ended };
}

/** Runs `git-handoff` beside others. */
export function run(dir: string, args: readonly string[], options: StartOptions = {}): Promise<CliResult> {
  return start(dir, args, options).ended;
}

/** Ids of the living processes that a start led to. */
export function processesOf(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export function killAll(mark: string): void {
  for (const pid of processesOf(mark)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}

/** Waits until nothing of it runs any more: a git whose parent was killed still does what it was told. */
export async function settled(mark: string): Promise<void> {
  for (let turn = 0; turn < 600 && processesOf(mark).length > 0; turn++) await sleep(20);
  expect(processesOf(mark)).toEqual([]);
}

const CRASH =
  /^\s+at .+:\d+|\b(?:Type|Reference|Range|Syntax)Error\b|\bundefined\b|\[object |^fatal: E[A-Z]{4,}:/m;
/** All but newline, and the tab that separates columns. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** An answer in git's manner: one of its exit codes, no stack trace, nothing that drives a terminal. */
export function expectTidy(result: CliResult, args: readonly string[]): void {
  const said = JSON.stringify({ args, ...result }).slice(0, 4000);
  expect([0, 1, 128, 129], said).toContain(result.code);
  expect(result.stderr, said).not.toMatch(CRASH);
  expect(result.stderr, said).not.toMatch(CONTROL);
  expect(result.stdout, said).not.toMatch(CONTROL);
  if (result.code === 128) expect(result.stderr, said).toMatch(/^fatal: /m);
}

/** The repository is whole: nothing missing, nothing broken. */
export function expectWhole(dir: string): void {
  expect(git(dir, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
}
