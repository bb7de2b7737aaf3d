// What a killed git leaves behind: its locks. git itself never takes one away; see how the next command ends.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { git, makeRepo, put, tempDir } from "../support/repo.js";
import { expectWhole, run } from "./program.js";

/** git's own hook kills git where it holds every lock of the transaction. */
const KILLS_GIT = '#!/bin/sh\n[ "$1" = prepared ] && kill -9 $PPID\nexit 0\n';

function hook(dir: string, text: string): string {
  put(dir, ".git/hooks/reference-transaction", text);
  const path = join(dir, ".git/hooks/reference-transaction");
  chmodSync(path, 0o755);
  return path;
}

async function written(dir: string, ...args: string[]): Promise<void> {
  expect(await run(dir, ["write", "-m", "go on", ...args])).toMatchObject({ code: 0 });
}

function ownRef(dir: string): string {
  return git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/main/");
}

describe.concurrent("a lock that a killed git left", () => {
  test("on the own log is taken away after nobody touched it for ten seconds, with a warning", async () => {
    const dir = makeRepo("killed");
    await written(dir);
    const lock = join(dir, ".git", `${ownRef(dir)}.lock`);
    writeFileSync(lock, "");
    const { code, stderr } = await run(dir, ["close"]);
    expect({ code, left: existsSync(lock) }).toEqual({ code: 0, left: false });
    expect(stderr).toBe(`warning: removed a lock that a killed git left behind: ${lock}\n`);
    expectWhole(dir);
  });

  test("in the middle of its transaction does not even fail the write that it served", async () => {
    const dir = makeRepo("middle");
    await written(dir);
    const path = hook(dir, KILLS_GIT);
    const harmless = join(tempDir("harmless"), "reference-transaction");
    writeFileSync(harmless, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    const closing = run(dir, ["close"]);
    const lock = join(dir, ".git", `${ownRef(dir)}.lock`);
    for (let turn = 0; turn < 500 && !existsSync(lock); turn++) await sleep(10);
    // Not taken away: git may have found it already and not yet started it.
    renameSync(harmless, path);
    expect(await closing).toMatchObject({ code: 0 });
    expect((await run(dir, ["list"])).stdout).toBe("");
  });

  test("on a tracking ref does not stop the next fetch", async () => {
    const hub = join(tempDir("hub"), "hub.git");
    git(tempDir(), "init", "-q", "--bare", hub);
    const ada = makeRepo("ada");
    git(ada, "remote", "add", "origin", hub);
    const bob = makeRepo("bob");
    git(bob, "remote", "add", "origin", hub);
    await written(ada);
    expect(await run(ada, ["push"])).toMatchObject({ code: 0 });
    const tracking = `${ownRef(ada).replace("refs/handoff/", "refs/handoff-remotes/")}/origin`;
    const lock = join(bob, ".git", `${tracking}.lock`);
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, "");
    expect(await run(bob, ["fetch"])).toMatchObject({ code: 0 });
    expect((await run(bob, ["list"])).stdout).toContain("go on");
  });
});

describe.concurrent("a lock that is in use", () => {
  test("is waited for", async () => {
    const dir = makeRepo("used");
    await written(dir);
    const lock = join(dir, ".git", `${ownRef(dir)}.lock`);
    writeFileSync(lock, "");
    const closing = run(dir, ["close"]);
    for (let turn = 0; turn < 8; turn++) {
      await sleep(500);
      writeFileSync(lock, String(turn));
    }
    rmSync(lock);
    const { code, stderr } = await closing;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

test("a kill of install in the moment in which it puts git's config in place blocks nobody", async () => {
  const dir = makeRepo("install");
  git(dir, "remote", "add", "origin", "/nowhere");
  const ended = spawnSync("true").pid;
  const config = readFileSync(join(dir, ".git/config"));
  writeFileSync(join(dir, `.git/.config.${ended}.new`), config);
  linkSync(join(dir, `.git/.config.${ended}.new`), join(dir, ".git/config.lock"));
  expect(await run(dir, ["install"])).toMatchObject({ code: 0 });
  expect(readdirSync(join(dir, ".git")).filter((name) => /lock|new/.test(name))).toEqual([]);
  git(dir, "config", "some.key", "value");
});

test("git's own locks, which guard more than handoffs, are named and left alone", async () => {
  const dir = makeRepo("config");
  const lock = join(dir, ".git/config.lock");
  writeFileSync(lock, "");
  const { code, stdout, stderr } = await run(dir, ["write", "-m", "go on"]);
  expect({ code, stdout, left: existsSync(lock) }).toEqual({ code: 128, stdout: "", left: true });
  expect(stderr).toMatch(/^fatal: could not lock config file .*config: File exists$/m);
  rmSync(lock);
  await written(dir);
});

const reftable = spawnSync("git", ["init", "-q", "--ref-format=reftable", tempDir("probe")], {
  stdio: "ignore",
});
if (reftable.status !== 0) console.warn("NOT RUN: the lock of a reftable (this git has none)");

test.skipIf(reftable.status !== 0)("the one lock of a reftable is named and left alone", async () => {
  const dir = makeRepo("reftable", ["--ref-format=reftable"]);
  await written(dir);
  const lock = join(dir, ".git/reftable/tables.list.lock");
  writeFileSync(lock, "");
  const { code, stdout, stderr } = await run(dir, ["close"]);
  expect({ code, stdout, left: existsSync(lock) }).toEqual({ code: 128, stdout: "", left: true });
  expect(stderr).toMatch(/^fatal: .*\n$/);
  expect(stderr).toContain(`'${lock}' is there: remove it if no git process is running`);
  rmSync(lock);
  expect(await run(dir, ["close"])).toMatchObject({ code: 0 });
});
