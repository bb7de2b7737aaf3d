// A client with a window starts git with a bare PATH, without a home and without a terminal.
import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { GITS, run, withGit } from "./support.js";

for (const { name, path } of GITS) {
  describe(`with ${name}`, () => {
    /** Only what a bare system has: git and a shell, no node. */
    const bare = tempDir("bare");
    for (const program of ["sh", "cat", "sed", "sort", "sleep", "grep", "head", "uname"]) {
      const found = ["/usr/bin", "/bin"].map((folder) => join(folder, program)).find(existsSync);
      if (found !== undefined) symlinkSync(found, join(bare, program));
    }
    symlinkSync(path ?? run("/", process.env, "sh", "-c", "command -v git").stdout.trim(), join(bare, "git"));

    it("checkout exits 0 and shows, by the path recorded at install", () => {
      const dir = makeRepo();
      git(dir, "branch", "other");
      handoff(dir, ["write", "-m", "carry comments through the printer"]);
      git(dir, "checkout", "-q", "other");
      expect(handoff(dir, ["install"], { env: withGit(path) }).code).toBe(0);
      const result = run(dir, { PATH: bare }, "git", "checkout", "main");
      expect(result.code).toBe(0);
      expect(result.stderr).toContain("carry comments through the printer");
    });

    it("checkout exits 0 and is silent where the program is gone", () => {
      const dir = makeRepo();
      git(dir, "branch", "other");
      handoff(dir, ["write", "-m", "carry comments through the printer"]);
      git(dir, "checkout", "-q", "other");
      handoff(dir, ["install"], { env: withGit(path) });
      const hook = join(dir, ".git/handoff/post-checkout");
      mkdirSync(join(dir, ".git/handoff/away"));
      renameSync(hook, join(dir, ".git/handoff/away/post-checkout"));
      expect(run(dir, { PATH: bare }, "git", "checkout", "main")).toMatchObject({ code: 0 });
    });
  });
}
