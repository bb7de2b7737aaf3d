import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { GITS, run, withGit } from "./support.js";

const old = GITS.find(({ configHooks }) => !configHooks);
const fresh = GITS.find(({ configHooks }) => configHooks);

describe("install --global", () => {
  it.runIf(old)("is refused below git 2.54, with the reason", () => {
    const home = tempDir("home");
    const env = { ...withGit(old?.path ?? null), HOME: home, XDG_CONFIG_HOME: undefined };
    const result = handoff(home, ["install", "--global"], { env });
    expect(result.code).toBe(128);
    expect(result.stderr).toMatch(/^fatal: --global needs git 2\.54 or newer.*git handoff install/);
    expect(existsSync(join(home, ".config"))).toBe(false);
  });

  it.runIf(fresh)("runs in every repository, once beside a local one, and goes without a trace", () => {
    const home = tempDir("home");
    const env = { ...withGit(fresh?.path ?? null), HOME: home, XDG_CONFIG_HOME: undefined };
    const text = "# mine\n[user]\n\tname = A\n\temail = a@b";
    put(home, ".gitconfig", text);
    for (let time = 0; time < 3; time++) {
      const result = handoff(home, ["install", "--global"], { env });
      expect(result).toMatchObject({ code: 0, stderr: "" });
      expect(result.stdout).toContain("git was asked to run it, and did");
    }
    expect(readFileSync(join(home, ".gitconfig"), "utf8").match(/include/g)).toHaveLength(1);
    const dir = makeRepo();
    const probe = () =>
      run(dir, { ...env, GIT_HANDOFF_PROBE: "1" }, "git", "checkout", "-q", "-").stderr.match(/reached/g)
        ?.length ?? 0;
    git(dir, "checkout", "-q", "-b", "x");
    expect(probe()).toBe(1);
    expect(handoff(dir, ["install"], { env }).code).toBe(0);
    expect(probe()).toBe(1);
    const doctor = JSON.parse(handoff(dir, ["doctor", "--json"], { env }).stdout) as { hook: object };
    expect(doctor.hook).toMatchObject({ installed: ["config", "global"], runs: true });
    const still = handoff(dir, ["uninstall"], { env });
    expect(still.stdout).toContain("still runs");
    expect(handoff(dir, ["uninstall", "--global"], { env }).code).toBe(0);
    expect(readFileSync(join(home, ".gitconfig"), "utf8")).toBe(text);
    expect(existsSync(join(home, ".config/git-handoff"))).toBe(false);
    expect(probe()).toBe(0);
    expect(handoff(dir, ["uninstall", "--global"], { env }).stdout).toContain("nothing was installed");
  });
});
