// core.hooksPath in all its forms: the hook goes where git looks, or install says why it cannot.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installHook } from "../../src/install/git-hook.js";
import { uninstall } from "../../src/install/git-unhook.js";
import { goOn } from "../../src/install/steps.js";
import { commit, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { GITS, open, putHook, run, snapshot, withGit } from "./support.js";

for (const { name, path, configHooks } of GITS) {
  const env = withGit(path);
  const install = async (dir: string) => installHook(await open(dir, env), goOn);

  describe(`with ${name}`, () => {
    it.each(["absolute", "relative", "missing"])("%s", async (form) => {
      const dir = makeRepo();
      const folder = form === "relative" ? join(dir, "my hooks") : join(tempDir("hooks"), "hooks");
      if (form !== "missing") mkdirSync(folder);
      git(dir, "config", "core.hooksPath", form === "relative" ? "my hooks" : folder);
      const sub = join(dir, "src");
      expect((await install(sub)).probe.reached).toBe(1);
      expect(existsSync(join(folder, "post-checkout"))).toBe(!configHooks);
      expect(existsSync(join(sub, "my hooks"))).toBe(false);
      await uninstall(await open(sub, env), goOn);
      expect(snapshot(folder)).toEqual({});
    });

    it("global: one folder for two repositories, each taken out alone", async () => {
      const folder = tempDir("global-hooks");
      const home = tempDir("home");
      const env = { ...withGit(path), HOME: home };
      put(home, ".gitconfig", `[core]\n\thooksPath = ${folder}\n[user]\n\tname = A\n\temail = a@b\n`);
      put(folder, "post-checkout", "#!/bin/sh\necho shared\n");
      putHook(folder, "#!/bin/sh\necho shared\n", 0o755, "post-checkout");
      const before = snapshot(folder);
      const [one, two] = [makeRepo("one"), makeRepo("two")];
      expect((await installHook(await open(one, env), goOn)).probe.reached).toBe(1);
      expect((await installHook(await open(two, env), goOn)).probe.reached).toBe(1);
      expect(run(two, env, "git", "checkout", "-b", "x").stderr.match(/shared/g)).toHaveLength(1);
      await uninstall(await open(one, env), goOn);
      expect((await installHook(await open(two, env), goOn)).probe.reached).toBe(1);
      const last = await uninstall(await open(two, env), goOn);
      expect(last.stillRuns).toBe(false);
      expect(snapshot(folder)).toEqual(before);
    });

    it("worktree-scoped: where that worktree looks", async () => {
      const dir = makeRepo();
      const tree = join(tempDir("trees"), "linked");
      git(dir, "config", "extensions.worktreeConfig", "true");
      git(dir, "worktree", "add", "-q", tree);
      const folder = tempDir("tree-hooks");
      git(tree, "config", "--worktree", "core.hooksPath", folder);
      expect((await install(tree)).probe.reached).toBe(1);
      expect(existsSync(join(folder, "post-checkout"))).toBe(!configHooks);
      await uninstall(await open(tree, env), goOn);
      expect(snapshot(folder)).toEqual({});
    });

    it("from a linked worktree: runs in both", async () => {
      const dir = makeRepo();
      const tree = join(tempDir("trees"), "linked");
      git(dir, "worktree", "add", "-q", tree);
      expect((await install(tree)).probe.reached).toBe(1);
      expect((await install(dir)).probe.reached).toBe(1);
      const doctor = JSON.parse(handoff(dir, ["doctor", "--json"], { env }).stdout) as { hook: object };
      expect(doctor.hook).toMatchObject({ runs: true });
    });

    it.each([
      ["empty", "", "empty"],
      ["no folder", "/dev/null", "no folder"],
    ])("%s: refused with the reason", async (_name, value, reason) => {
      const dir = makeRepo();
      git(dir, "config", "core.hooksPath", value);
      const result = handoff(dir, ["install"], { env });
      if (configHooks) {
        expect(result).toMatchObject({ code: 0, stderr: "" });
      } else {
        expect(result.code).toBe(1);
        expect(result.stderr).toContain(reason);
      }
    });

    it("tracked hooks are not touched: the exact line works", async () => {
      const dir = makeRepo();
      putHook(dir, "#!/bin/sh\necho team\n", 0o755, ".githooks/post-checkout");
      commit(dir, {});
      git(dir, "config", "core.hooksPath", ".githooks");
      const first = handoff(dir, ["install"], { env });
      expect(git(dir, "status", "--porcelain")).toBe("");
      if (configHooks) {
        expect(first.code).toBe(0);
        return;
      }
      expect(first.code).toBe(1);
      const line = /^ {4}(.+)$/m.exec(first.stderr)?.[1] ?? "";
      putHook(dir, `#!/bin/sh\necho team\n${line}\n`, 0o755, ".githooks/post-checkout");
      const second = handoff(dir, ["install", "--json"], { env });
      expect(second.code).toBe(0);
      expect(JSON.parse(second.stdout).hook).toMatchObject({ kind: "other", runs: true });
      expect(handoff(dir, ["uninstall"], { env }).code).toBe(0);
      // The line stays in the project and does nothing without an installed hook.
      expect(run(dir, env, "git", "checkout", "-b", "x").code).toBe(0);
    });

    it("moved repository: still runs, still goes", async () => {
      const dir = makeRepo();
      putHook(dir, "#!/bin/sh\necho mine\n");
      await install(dir);
      const moved = join(tempDir("moved"), "elsewhere");
      run(dir, env, "mv", dir, moved);
      const doctor = JSON.parse(handoff(moved, ["doctor", "--json"], { env }).stdout) as { hook: object };
      expect(doctor.hook).toMatchObject({ runs: true });
      const taken = await uninstall(await open(moved, env), goOn);
      expect(taken).toMatchObject({ stillRuns: false, notes: [] });
      expect(run(moved, env, "git", "checkout", "-b", "x").stderr).toContain("mine");
    });
  });
}
