import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { alreadyShown, SAME_START, stateFolder } from "../../src/read/shown.js";
import { root, tempDir } from "../support/repo.js";

const start = { sessionId: "s", source: "startup" };
const now = Date.now();
const fresh = () => ({ XDG_STATE_HOME: tempDir("state") });
const marks = (env: { XDG_STATE_HOME: string }) => join(env.XDG_STATE_HOME, "git-handoff", "shown");

describe("alreadyShown", () => {
  it("suppresses only a second call for the same start", () => {
    const env = fresh();
    expect(alreadyShown(start, env, now)).toBe(false);
    expect(alreadyShown(start, env, now)).toBe(true);
    expect(alreadyShown({ ...start, source: "resume" }, env, now)).toBe(false);
    expect(alreadyShown({ ...start, source: "clear" }, env, now)).toBe(false);
    expect(alreadyShown({ ...start, sessionId: "t" }, env, now)).toBe(false);
  });

  it.each([
    ["with a path in it", "../../../outside", "../../../outside2"],
    ["of no characters that a file name takes", "a/b\0c\n", "a/b\0c\r"],
    ["as long as a file name must not be", `${"x".repeat(5000)}1`, `${"x".repeat(5000)}2`],
  ])("tells sessions apart whose ids are %s", (_what, one, other) => {
    const env = fresh();
    expect(alreadyShown({ ...start, sessionId: one }, env, now)).toBe(false);
    expect(alreadyShown({ ...start, sessionId: other }, env, now)).toBe(false);
    expect(alreadyShown({ ...start, sessionId: one }, env, now)).toBe(true);
    expect(readdirSync(marks(env))).toHaveLength(2);
  });

  it("surfaces the next resume of the same session", () => {
    const env = fresh();
    expect(alreadyShown(start, env, now)).toBe(false);
    expect(alreadyShown(start, env, now + SAME_START + 1)).toBe(false);
    expect(alreadyShown(start, env, now + SAME_START + 2)).toBe(true);
  });

  it("a clock that went back is no reason for silence", () => {
    const env = fresh();
    alreadyShown(start, env, now);
    expect(alreadyShown(start, env, now - 2 * SAME_START)).toBe(false);
  });

  it("without a session id nothing is remembered", () => {
    const env = fresh();
    expect(alreadyShown({ sessionId: null, source: "startup" }, env, now)).toBe(false);
    expect(alreadyShown({ sessionId: null, source: "startup" }, env, now)).toBe(false);
    expect(readdirSync(env.XDG_STATE_HOME)).toEqual([]);
  });

  it("of many calls at once exactly one shows, also over an old mark", async () => {
    for (const old of [false, true]) {
      const env = fresh();
      if (old) {
        alreadyShown(start, env, now);
        for (const name of readdirSync(marks(env))) {
          utimesSync(join(marks(env), name), new Date(now - 60_000), new Date(now - 60_000));
        }
      }
      const shown = await Promise.all(Array.from({ length: 8 }, () => inThread(env)));
      expect(shown.filter((already) => !already)).toHaveLength(1);
    }
  });

  it("never fails: a state folder that cannot be is shown over", () => {
    const blocked = join(tempDir("state"), "file");
    writeFileSync(blocked, "");
    expect(alreadyShown(start, { XDG_STATE_HOME: blocked }, now)).toBe(false);
    expect(alreadyShown(start, { XDG_STATE_HOME: "relative", HOME: blocked }, now)).toBe(false);
  });

  it("keeps the folder to the user and forgets old marks", () => {
    const env = fresh();
    mkdirSync(marks(env), { recursive: true });
    chmodSync(marks(env), 0o700);
    writeFileSync(join(marks(env), "old"), "");
    utimesSync(join(marks(env), "old"), new Date(0), new Date(0));
    alreadyShown(start, env, now);
    expect(readdirSync(marks(env))).not.toContain("old");
    expect(statSync(marks(env)).mode & 0o077).toBe(0);
  });

  it("stateFolder follows XDG_STATE_HOME, else the home", () => {
    expect(stateFolder({ XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/x/git-handoff");
    expect(stateFolder({ HOME: "/h" })).toBe("/h/.local/state/git-handoff");
  });
});

/** The module as plain JavaScript, which a thread can load. */
const module = join(tempDir("module"), "shown.mjs");
buildSync({
  entryPoints: [join(root, "src/read/shown.ts")],
  outfile: module,
  bundle: true,
  platform: "node",
  format: "esm",
});

/** Calls it in a thread of its own. */
function inThread(env: { XDG_STATE_HOME: string }): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads");
       import(workerData.module).then(({ alreadyShown }) =>
         parentPort.postMessage(alreadyShown(workerData.start, workerData.env, workerData.now)));`,
      { eval: true, workerData: { module, start, env, now } },
    );
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
