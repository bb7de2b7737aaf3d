import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FatalError } from "../../src/errors.js";
import { execaGit } from "../../src/git/run.js";
import { spawnGit } from "../../src/git/spawn.js";
import { makeRepo, tempDir } from "../support/repo.js";

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe.each([
  ["execa", execaGit()],
  ["node:child_process", spawnGit()],
])("git through %s", (_name, run) => {
  it("gives bytes, code and words, and never throws for a failing git", async () => {
    const cwd = makeRepo();
    const written = await run(["hash-object", "-w", "--stdin"], { cwd, input: Uint8Array.of(0, 255, 10) });
    const read = await run(["cat-file", "blob", written.stdout.toString().trim()], { cwd });
    expect(read).toMatchObject({ code: 0, stderr: "", timedOut: false, overflowed: false });
    expect([...read.stdout]).toEqual([0, 255, 10]);
    const failed = await run(["rev-parse", "--verify", "nope"], { cwd });
    expect(failed.code).toBe(128);
    expect(failed.stderr).toContain("fatal:");
  });

  it("passes arguments as they are, never through a shell", async () => {
    const cwd = makeRepo();
    const hostile = "$(touch pwned); `touch pwned` && touch pwned | 'x' \"y\" *";
    const result = await run(["-c", `handoff.x=${hostile}`, "config", "handoff.x"], { cwd });
    expect(result.stdout.toString()).toBe(`${hostile}\n`);
    expect(existsSync(join(cwd, "pwned"))).toBe(false);
  });

  it("gives the child this environment and no other", async () => {
    const cwd = makeRepo();
    process.env.HANDOFF_LEAK = "1";
    const alias = ["-c", "alias.e=!env", "e"];
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ONLY: "this", GONE: undefined };
    const { stdout } = await run(alias, { cwd, env });
    delete process.env.HANDOFF_LEAK;
    expect(stdout.toString()).toContain("ONLY=this");
    expect(stdout.toString()).not.toMatch(/HANDOFF_LEAK|GONE/);
  });

  it("ends everything that was started when the time is up", async () => {
    const cwd = makeRepo();
    const script = join(tempDir(), "slow");
    const pids = join(cwd, "pids");
    writeFileSync(script, `#!/bin/sh\ntrap '' TERM\nsleep 300 &\necho $$ $! >'${pids}'\nwait\nsleep 300\n`);
    chmodSync(script, 0o755);
    const result = await run(["-c", `alias.slow=!${script}`, "slow"], { cwd, timeout: 700 });
    expect(result).toMatchObject({ code: null, timedOut: true });
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started).toHaveLength(2);
    for (let tries = 0; started.some(alive) && tries < 100; tries++) await sleep(50);
    expect(started.filter(alive)).toEqual([]);
  });

  it("stops at the bound on output", async () => {
    const cwd = makeRepo();
    const result = await run(["-c", "alias.y=!yes", "y"], { cwd, maxBuffer: 100_000, timeout: 30_000 });
    expect(result).toMatchObject({ code: null, overflowed: true, timedOut: false });
    expect(result.stdout.length).toBe(100_000);
  });

  it("lets git talk as long as it likes beside that, and keeps the beginning", async () => {
    const cwd = makeRepo();
    const talk = "!head -c 3000000 /dev/zero | tr '\\0' x >&2; echo done";
    const result = await run(["-c", `alias.t=${talk}`, "t"], { cwd, timeout: 30_000 });
    expect(result).toMatchObject({ code: 0, overflowed: false });
    expect(result.stdout.toString()).toBe("done\n");
    expect(result.stderr.length).toBeLessThan(2 << 20);
  });

  it("survives a git that does not read its input", async () => {
    const cwd = makeRepo();
    const input = Buffer.alloc(4 << 20, "x");
    expect((await run(["version"], { cwd, input })).code).toBe(0);
    expect((await run(["no-such-command"], { cwd, input })).code).toBe(1);
  });

  it("says why git cannot start", async () => {
    await expect(run(["version"], { env: { PATH: tempDir() } })).rejects.toThrow(
      "cannot run git: not found on PATH",
    );
    const gone = join(tempDir(), "gone");
    await expect(run(["version"], { cwd: gone })).rejects.toThrow(FatalError);
    await expect(run(["version"], { cwd: gone })).rejects.toThrow(`cannot change to '${gone}'`);
  });
});
