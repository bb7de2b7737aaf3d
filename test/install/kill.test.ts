// Stopped before any step, or killed at any moment, install and uninstall leave a repository in which git works.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { installHook } from "../../src/install/git-hook.js";
import { uninstall } from "../../src/install/git-unhook.js";
import { addRefspecs } from "../../src/install/refspec.js";
import { type BeforeStep, goOn } from "../../src/install/steps.js";
import { program } from "../support/repo.js";
import { GITS, gitSide, makeClone, open, putHook, run, withGit } from "./support.js";

type Environment = Record<string, string | undefined>;

const STOP = new Error("stopped here");

async function installAll(dir: string, env: Environment, before: BeforeStep): Promise<void> {
  const repository = await open(dir, env);
  await addRefspecs(repository, join(dir, ".git/handoff"), before);
  await installHook(repository, before);
}

/** How many steps there are. */
async function count(work: (before: BeforeStep) => Promise<unknown>): Promise<number> {
  let steps = 0;
  await work(() => {
    steps++;
  });
  return steps;
}

async function stopAt(step: number, work: (before: BeforeStep) => Promise<unknown>): Promise<void> {
  let at = 0;
  await work(() => {
    if (at++ === step) throw STOP;
  }).catch((error: unknown) => {
    if (error !== STOP) throw error;
  });
}

let branches = 0;

function expectGitWorks(dir: string, env: Environment): void {
  for (const args of [
    ["status"],
    ["commit", "-q", "--allow-empty", "-m", "work"],
    ["checkout", "-q", "-b", `branch-${branches++}`],
    ["fetch", "-q"],
    ["update-ref", `refs/heads/branch-${branches++}`, "HEAD"],
  ]) {
    expect({ args, ...run(dir, env, "git", ...args) }).toMatchObject({ code: 0 });
  }
}

for (const { name, path } of GITS) {
  const env = withGit(path);

  describe(`with ${name}`, () => {
    it("install, stopped before each step, then done again and taken out", async () => {
      const make = () => {
        const dir = makeClone();
        putHook(dir, "#!/bin/sh\necho mine\n");
        return dir;
      };
      const steps = await count((before) => installAll(make(), env, before));
      expect(steps).toBeGreaterThan(4);
      for (let step = 0; step < steps; step++) {
        const dir = make();
        const before = gitSide(dir);
        await stopAt(step, (at) => installAll(dir, env, at));
        expectGitWorks(dir, env);
        expect(run(dir, env, "git", "checkout", "-").stderr).toContain("mine");
        if (step % 2 === 0) await installAll(dir, env, goOn);
        await uninstall(await open(dir, env), goOn);
        expect(gitSide(dir)).toEqual(before);
      }
    });

    it("uninstall, stopped before each step, then done again", async () => {
      const make = async () => {
        const dir = makeClone();
        putHook(dir, "#!/bin/sh\necho mine\n");
        const before = gitSide(dir);
        await installAll(dir, env, goOn);
        return { dir, before };
      };
      const steps = await count(async (before) => uninstall(await open((await make()).dir, env), before));
      expect(steps).toBeGreaterThan(4);
      for (let step = 0; step < steps; step++) {
        const { dir, before } = await make();
        await stopAt(step, async (at) => uninstall(await open(dir, env), at));
        expectGitWorks(dir, env);
        expect(run(dir, env, "git", "checkout", "-").stderr).toContain("mine");
        await uninstall(await open(dir, env), goOn);
        expect(gitSide(dir)).toEqual(before);
      }
    });

    it("the program killed at some moment of either", async () => {
      const dir = makeClone();
      putHook(dir, "#!/bin/sh\necho mine\n");
      for (let round = 0; round < 12; round++) {
        const child = spawn(process.execPath, [program, round % 2 === 0 ? "install" : "uninstall"], {
          cwd: dir,
          env,
          stdio: "ignore",
        });
        const ended = once(child, "exit");
        await Promise.race([ended, delay(60 + 25 * round)]);
        child.kill("SIGKILL");
        await ended;
        expectGitWorks(dir, env);
        expect(run(dir, env, "git", "checkout", "-").stderr.match(/mine/g)).toHaveLength(1);
      }
    });
  });
}
