// The hook managers themselves, in either order. They come from the npm registry (husky, lefthook,
// simple-git-hooks) and from the system's packages (pre-commit, git-lfs); what cannot be had is skipped, loudly.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commit, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { GITS, gitSide, putHook, run, withGit } from "./support.js";

const PACKAGES = ["husky@9.1.7", "lefthook@2.2.2", "simple-git-hooks@2.14.0"];
const folder = tempDir("managers");
put(folder, "package.json", '{ "private": true }\n');
const npm = spawnSync(
  "npm",
  ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", ...PACKAGES],
  { cwd: folder, encoding: "utf8", timeout: 120_000 },
);
const offline = npm.status !== 0;
if (offline)
  console.warn(`SKIPPED: husky, lefthook and simple-git-hooks: npm install failed:\n${npm.stderr}`);

function onPath(program: string): boolean {
  const there = spawnSync(program, ["--version"]).status === 0;
  if (!there) console.warn(`SKIPPED: ${program} is not installed (apt-get install ${program})`);
  return there;
}
const preCommit = onPath("pre-commit");
const lfs = onPath("git-lfs");

for (const { name, path, configHooks } of GITS) {
  const env: Record<string, string | undefined> = {
    ...withGit(path),
    PRE_COMMIT_HOME: tempDir("pre-commit"),
    npm_config_cache: process.env.npm_config_cache,
  };
  const call = (dir: string, program: string, ...args: string[]) => {
    const result = run(dir, env, join(folder, "node_modules/.bin", program), ...args);
    expect({ program, ...result }).toMatchObject({ code: 0 });
  };
  const tool = (dir: string, program: string, ...args: string[]) =>
    expect({ program, ...run(dir, env, program, ...args) }).toMatchObject({ code: 0 });
  const install = (dir: string) => handoff(dir, ["install"], { env });
  const uninstall = (dir: string) => handoff(dir, ["uninstall"], { env });
  const doctor = (dir: string) =>
    (
      JSON.parse(handoff(dir, ["doctor", "--json"], { env }).stdout) as { findings: { code: string }[] }
    ).findings.map((finding) => finding.code);
  let branches = 0;
  /** How often a checkout reaches ours and theirs. */
  const checkout = (dir: string) => {
    const { code, stdout, stderr } = run(
      dir,
      { ...env, GIT_HANDOFF_PROBE: "1" },
      "git",
      "checkout",
      "-b",
      `b${branches++}`,
    );
    const text = stdout + stderr;
    return {
      code,
      ours: text.match(/the hook is reached/g)?.length ?? 0,
      theirs: text.match(/THEIRS/g)?.length ?? 0,
    };
  };
  const BOTH = { code: 0, ours: 1, theirs: 1 };
  const THEIRS = { code: 0, ours: 0, theirs: 1 };
  /** The line to add that a refusal names. */
  const line = (stderr: string) => /^ {4}(.+)$/m.exec(stderr)?.[1] ?? "";

  describe(`with ${name}`, () => {
    describe.skipIf(offline)("husky", () => {
      const husky = (dir: string) => {
        call(dir, "husky");
        put(dir, ".husky/post-checkout", "echo THEIRS\n");
      };

      it("there first", () => {
        const dir = makeRepo();
        husky(dir);
        const before = gitSide(dir);
        const first = install(dir);
        if (configHooks) expect(first.code).toBe(0);
        else {
          expect(first.code).toBe(1);
          expect(first.stderr).toContain(join(dir, ".husky/post-checkout"));
          put(dir, ".husky/post-checkout", `echo THEIRS\n${line(first.stderr)}\n`);
          expect(install(dir)).toMatchObject({ code: 0 });
        }
        expect(checkout(dir)).toEqual(BOTH);
        call(dir, "husky");
        expect(checkout(dir)).toEqual(BOTH);
        uninstall(dir);
        expect(checkout(dir)).toEqual(THEIRS);
        expect(gitSide(dir)).toEqual(before);
      });

      it("ours first", () => {
        const dir = makeRepo();
        expect(install(dir).code).toBe(0);
        husky(dir);
        expect(checkout(dir)).toEqual(configHooks ? BOTH : THEIRS);
        if (!configHooks) {
          expect(doctor(dir)).toContain("hook-elsewhere");
          put(dir, ".husky/post-checkout", `echo THEIRS\n${line(install(dir).stderr)}\n`);
          expect(install(dir).code).toBe(0);
          expect(checkout(dir)).toEqual(BOTH);
        }
        uninstall(dir);
        expect(checkout(dir)).toEqual(THEIRS);
        expect(Object.keys(gitSide(dir))).toEqual(["config"]);
      });
    });

    describe.skipIf(offline)("lefthook", () => {
      const config = (dir: string) =>
        put(dir, "lefthook.yml", "post-checkout:\n  commands:\n    a:\n      run: echo THEIRS\n");

      it("there first", () => {
        const dir = makeRepo();
        config(dir);
        call(dir, "lefthook", "install");
        const before = gitSide(dir);
        const first = install(dir);
        expect(first.code).toBe(0);
        expect(checkout(dir)).toEqual(BOTH);
        uninstall(dir);
        expect(gitSide(dir)).toEqual(before);
      });

      it("ours first: said by doctor, mended by install, gone after uninstall", () => {
        const dir = makeRepo();
        install(dir);
        config(dir);
        call(dir, "lefthook", "install");
        const lefthook = gitSide(dir)["hooks/post-checkout"];
        expect(checkout(dir)).toEqual(configHooks ? BOTH : THEIRS);
        if (!configHooks) expect(doctor(dir)).toContain("hook-not-run");
        const again = install(dir);
        expect(again.code).toBe(0);
        if (!configHooks) expect(again.stdout).toContain("lefthook.yml");
        expect(checkout(dir)).toEqual(BOTH);
        expect(uninstall(dir).stderr).toBe("");
        expect(checkout(dir)).toEqual(THEIRS);
        expect(gitSide(dir)).toEqual({ config: gitSide(dir).config, "hooks/post-checkout": lefthook });
      });

      it.skipIf(configHooks)("by the lines that install names", () => {
        const dir = makeRepo();
        put(dir, "lefthook.yml", "pre-commit:\n  commands:\n    a:\n      run: echo a\n");
        const lines = /^post-checkout:\n( .*\n)+/m.exec(install(dir).stdout)?.[0] ?? "";
        uninstall(dir);
        put(dir, "lefthook.yml", lines);
        call(dir, "lefthook", "install");
        const result = JSON.parse(handoff(dir, ["install", "--json"], { env }).stdout) as { hook: object };
        expect(result.hook).toMatchObject({ kind: "other", runs: true });
        expect(checkout(dir)).toEqual({ code: 0, ours: 1, theirs: 0 });
      });
    });

    describe.skipIf(offline)("simple-git-hooks", () => {
      const config = (dir: string, command: string, hook = "post-checkout") =>
        put(dir, "package.json", JSON.stringify({ "simple-git-hooks": { [hook]: command } }));

      it("there first; run again it overwrites, which install warns of and doctor finds", () => {
        const dir = makeRepo();
        config(dir, "echo THEIRS");
        call(dir, "simple-git-hooks");
        const before = gitSide(dir);
        const first = install(dir);
        expect(first.code).toBe(0);
        if (!configHooks) expect(first.stdout).toContain('"simple-git-hooks": { "post-checkout": ');
        expect(checkout(dir)).toEqual(BOTH);
        call(dir, "simple-git-hooks");
        expect(checkout(dir)).toEqual(configHooks ? BOTH : THEIRS);
        if (!configHooks) expect(doctor(dir)).toContain("hook-not-run");
        expect(install(dir).code).toBe(0);
        expect(checkout(dir)).toEqual(BOTH);
        uninstall(dir);
        expect(gitSide(dir)).toEqual(before);
      });

      it.skipIf(configHooks)("by the line that install names", () => {
        const dir = makeRepo();
        config(dir, "echo a", "pre-commit");
        const text = /"post-checkout": (".*") \}/.exec(install(dir).stdout)?.[1] ?? '""';
        uninstall(dir);
        config(dir, JSON.parse(text) as string);
        call(dir, "simple-git-hooks");
        install(dir);
        expect(checkout(dir).ours).toBe(1);
        call(dir, "simple-git-hooks");
        expect(checkout(dir).ours).toBe(1);
      });
    });

    describe.skipIf(!preCommit)("pre-commit", () => {
      const make = () => {
        const dir = makeRepo();
        commit(dir, {
          ".pre-commit-config.yaml":
            "repos:\n- repo: local\n  hooks:\n  - id: a\n    name: THEIRS\n    entry: echo a\n    language: system\n    always_run: true\n    stages: [post-checkout]\n",
        });
        return dir;
      };
      const theirs = (dir: string) => tool(dir, "pre-commit", "install", "-t", "post-checkout");

      it("there first", () => {
        const dir = make();
        theirs(dir);
        const before = gitSide(dir);
        expect(install(dir).code).toBe(0);
        expect(checkout(dir)).toEqual(BOTH);
        uninstall(dir);
        expect(gitSide(dir)).toEqual(before);
      });

      it("there first and installed again over ours", () => {
        const dir = make();
        theirs(dir);
        const before = gitSide(dir);
        install(dir);
        theirs(dir);
        expect(checkout(dir)).toEqual(BOTH);
        uninstall(dir);
        expect(gitSide(dir)).toEqual(before);
        expect(checkout(dir)).toEqual(THEIRS);
      });

      it("ours first", () => {
        const dir = make();
        const before = gitSide(dir);
        install(dir);
        theirs(dir);
        expect(checkout(dir)).toEqual(BOTH);
        expect(install(dir).code).toBe(0);
        expect(checkout(dir)).toEqual(BOTH);
        tool(dir, "pre-commit", "uninstall", "-t", "post-checkout");
        expect(checkout(dir)).toEqual({ code: 0, ours: 1, theirs: 0 });
        uninstall(dir);
        expect(gitSide(dir)).toEqual(before);
      });
    });

    describe.skipIf(!lfs)("git-lfs", () => {
      const lfsInstall = (dir: string) => run(dir, env, "git", "lfs", "install", "--local");

      it("there first", () => {
        const dir = makeRepo();
        lfsInstall(dir);
        const before = gitSide(dir);
        expect(before["hooks/post-checkout"]).toContain("git lfs post-checkout");
        expect(install(dir).code).toBe(0);
        expect(checkout(dir)).toMatchObject({ code: 0, ours: 1 });
        // Its own hook goes on: without the program it fails the checkout, as git-lfs means it to.
        const bare = run(dir, { ...env, PATH: withoutLfs(env.PATH) }, "git", "checkout", "-b", "no-lfs");
        expect(bare.stderr).toContain("This repository is configured for Git LFS");
        uninstall(dir);
        expect(gitSide(dir)).toEqual(before);
      });

      it("ours first: git-lfs refuses aloud, or both are there", () => {
        const dir = makeRepo();
        install(dir);
        const result = lfsInstall(dir);
        if (!configHooks)
          expect(result.stdout + result.stderr).toContain("Hook already exists: post-checkout");
        expect(checkout(dir)).toMatchObject({ code: 0, ours: 1 });
        uninstall(dir);
        expect(existsSync(join(dir, ".git/hooks/post-checkout"))).toBe(configHooks);
      });
    });
  });
}

/** A PATH with the few programs that a hook needs, and no git-lfs. */
function withoutLfs(path: string | undefined): string {
  const bin = tempDir("few");
  for (const program of ["git", "sh", "node", "grep", "env"]) {
    const found = (path ?? "").split(":").find((entry) => existsSync(join(entry, program)));
    if (found !== undefined) putHook(bin, `#!/bin/sh\nexec ${join(found, program)} "$@"\n`, 0o755, program);
  }
  return bin;
}
