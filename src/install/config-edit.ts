/**
 * Adds a value to a git configuration file and takes it out again byte for byte. git writes and reads the
 * text; only putting it in place is done here, since git's own removal leaves an emptied section or a newline
 * behind. Text is held one character a byte, as the file's encoding is not ours to know.
 */
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { FatalError } from "../errors.js";
import type { RunGit } from "../git/process.js";
import { readOrEmpty, replaceLocked } from "./config-lock.js";
import { insertion } from "./insertion.js";
import type { ConfigAddition } from "./record.js";

/**
 * Adds `value` to `key` as git would; true when it was put in, false when that very value is there already.
 * `remember` is told what goes in before it does, so that a kill never leaves an addition nobody knows of.
 * `scratch` is a folder for a draft.
 */
export async function addConfig(
  run: RunGit,
  file: string,
  key: string,
  value: string,
  scratch: string,
  remember: (addition: ConfigAddition) => void,
): Promise<boolean> {
  const done = await edit(file, async (before) => {
    const draft = draftOf(scratch, before);
    try {
      if ((await valuesOf(run, draft, key)).includes(value)) return null;
      await must(run, ["config", "-f", draft, "--add", key, value]);
      if (!(await valuesOf(run, draft, key)).includes(value)) {
        throw new FatalError(`${file}: git does not read ${key} back`);
      }
      const after = readFileSync(draft, "latin1");
      remember({ key, value, text: insertion(before, after) });
      return { content: after, result: true };
    } finally {
      rmSync(draft, { force: true });
    }
  });
  return done ?? false;
}

/** Takes an addition out again. True when something was there to take out. */
export async function removeConfig(
  run: RunGit,
  file: string,
  addition: ConfigAddition,
  scratch: string,
): Promise<boolean> {
  const done = await edit(file, async (before) => {
    const draft = draftOf(scratch, before);
    try {
      const entries = await entriesOf(run, draft);
      if (!(await valuesOf(run, draft, addition.key)).includes(addition.value)) return null;
      await must(run, ["config", "-f", draft, "--fixed-value", "--unset-all", addition.key, addition.value]);
      const wanted = await entriesOf(run, draft);
      const byGit = readFileSync(draft, "latin1");
      // The recorded bytes are cut out where that leaves what git would leave, and nothing else moved.
      for (
        let at = cutAt(before, addition.text, before.length);
        at >= 0;
        at = cutAt(before, addition.text, at - 1)
      ) {
        const cut = before.slice(0, at) + before.slice(at + addition.text.length);
        writeFileSync(draft, cut, "latin1");
        if ((await entriesOf(run, draft)) === wanted && wanted !== entries)
          return { content: cut, result: true };
      }
      return { content: byGit, result: true };
    } finally {
      rmSync(draft, { force: true });
    }
  });
  return done ?? false;
}

function cutAt(text: string, part: string, from: number): number {
  return part === "" || from < 0 ? -1 : text.lastIndexOf(part, from);
}

interface Edited<T> {
  content: string;
  result: T;
}

async function edit<T>(
  file: string,
  change: (before: string) => Promise<Edited<T> | null>,
): Promise<T | null> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const real = realpathOrSelf(file);
    const before = readOrEmpty(real);
    const edited = await change(before);
    if (edited === null) return null;
    if (replaceLocked(real, before, edited.content)) return edited.result;
    if (Date.now() > deadline) throw new FatalError(`could not lock config file ${file}: File exists`);
    await delay(50);
  }
}

function draftOf(scratch: string, text: string): string {
  mkdirSync(scratch, { recursive: true });
  const draft = `${scratch}/config.${process.pid}.draft`;
  writeFileSync(draft, text, "latin1");
  return draft;
}

async function valuesOf(run: RunGit, file: string, key: string): Promise<string[]> {
  const { code, stdout } = await run(["config", "-f", file, "--no-includes", "-z", "--get-all", key]);
  return code === 0 ? stdout.toString().split("\0").slice(0, -1) : [];
}

async function entriesOf(run: RunGit, file: string): Promise<string | null> {
  const { code, stdout } = await run(["config", "-f", file, "--no-includes", "-z", "--list"]);
  return code === 0 ? stdout.toString() : null;
}

async function must(run: RunGit, args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(args);
  if (code !== 0)
    throw new FatalError(stderr.trim().replace(/^(fatal|error): /, "") || `git ${args.join(" ")} failed`);
}

function realpathOrSelf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
