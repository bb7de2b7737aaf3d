// A disk that is full, a git directory that cannot be written, a remote that hangs up: said in one line, and
// nothing lost, half done or reported that is not there.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { commit, git, handoff, makeRepo, programForAll, put, tempDir } from "../support/repo.js";
import { snapshot } from "../support/tree.js";
import { chance, scale } from "./chance.js";
import { expectTidy, expectWhole, run } from "./program.js";

const root = process.getuid?.() === 0;

/** A file system of its own, some megabytes small; null where none can be had. */
function smallDisk(): string | null {
  const dir = tempDir("disk");
  if (!root || process.platform !== "linux") return null;
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", dir]);
  return status === 0 ? dir : null;
}

const disk = smallDisk();
afterAll(() => {
  if (disk) spawnSync("umount", ["-l", disk]);
});
if (!disk) console.warn("NOT RUN: a full disk (needs root and tmpfs)");

/** Fills the disk but for so many bytes. */
function fill(dir: string, free: number): void {
  rmSync(join(dir, "ballast"), { force: true });
  const { bavail, bsize } = statfsSync(dir);
  writeFileSync(join(dir, "ballast"), Buffer.alloc(Math.max(0, bavail * bsize - free)));
}

describe.skipIf(!disk)("a full disk", () => {
  test("fails a command clearly or not at all, whatever was left of it", { timeout: 600_000 }, async () => {
    const random = chance("full disk");
    const dir = join(String(disk), "repo");
    mkdirSync(dir);
    git(dir, "init", "-q");
    commit(dir, { "README.md": "# fixture\n" });
    const hub = join(tempDir("hub"), "hub.git");
    git(tempDir(), "init", "-q", "--bare", hub);
    git(dir, "remote", "add", "origin", hub);
    let open = "";
    let failed = 0;
    const turns = scale(10, 60);
    for (let turn = 0; turn < turns; turn++) {
      const args =
        turn % 5 === 4
          ? random.pick([
              ["install"],
              ["uninstall"],
              ["sync"],
              ["fetch"],
              ["lesson", "x"],
              ["prune", "--force"],
            ])
          : ["write", ...(open === "" ? [] : ["--append"]), "-m", `turn ${turn}`, "--json"];
      // A write takes about seven blocks of 4 KiB.
      fill(String(disk), 4096 * random.upTo(10));
      const answer = await run(dir, args);
      rmSync(join(String(disk), "ballast"));
      expectTidy(answer, args);
      const said = JSON.stringify({ turn, args, ...answer });
      if (answer.code !== 0) {
        failed++;
        expect(answer.stdout, said).toBe("");
        // It is this disk, not the remote.
        expect(answer.stderr, said).not.toContain("unreachable");
      } else if (args[0] === "write") open = JSON.parse(answer.stdout).id;
      expectWhole(dir);
      const { handoffs } = JSON.parse(handoff(dir, ["list", "--json"]).stdout);
      expect(
        handoffs.map(({ id }: { id: string }) => id),
        said,
      ).toEqual(open === "" ? [] : [open]);
    }
    expect(failed).toBeGreaterThan(0);
    expect(handoff(dir, ["write", "--append", "-m", "space again"])).toMatchObject({ code: 0 });
    fill(String(disk), 0);
    // What another clone wrote, so that there is something to record.
    const other = join(tempDir("other"), "other");
    git(tempDir(), "clone", "-q", hub, other);
    expect(handoff(other, ["write", "-m", "theirs"])).toMatchObject({ code: 0 });
    expect(handoff(other, ["push"])).toMatchObject({ code: 0 });
    const fetched = handoff(dir, ["fetch"]);
    expect(fetched).toMatchObject({ code: 128, stdout: "" });
    expect(fetched.stderr).toMatch(/^fatal: cannot record what 'origin' has: .*\n$/);
    rmSync(join(String(disk), "ballast"));
    expect(handoff(dir, ["fetch"])).toMatchObject({ code: 0 });
    console.log(`full disk: ${turns} commands, ${failed} of them failed`);
  });
});

describe("a git directory that cannot be written", () => {
  const repo = makeRepo("readonly");
  git(repo, "remote", "add", "origin", makeRepo("elsewhere"));
  put(repo, "park.md", "---\nintent: taken in\n---\n");
  const written = JSON.parse(handoff(repo, ["write", "-m", "go on", "--json"]).stdout) as { id: string };
  const handle = written.id.slice(-7);
  const nobody = root ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  const usable = !root || spawnSync("setpriv", ["--version"]).status === 0;
  if (!usable)
    console.warn("NOT RUN: a read-only git directory (root writes anywhere, and there is no setpriv)");

  const program = programForAll();

  function ask(args: readonly string[]) {
    const [command = "", ...rest] = [...nobody, process.execPath, program, ...args];
    const { status, stdout, stderr } = spawnSync(command, rest, {
      cwd: repo,
      encoding: "utf8",
      input: "",
      env: { ...process.env, HOME: "/nonexistent", XDG_STATE_HOME: undefined },
    });
    return { code: status, stdout, stderr };
  }

  test.skipIf(!usable)("is read as ever, and every write says that it failed", { timeout: 120_000 }, () => {
    if (root) {
      spawnSync("chown", ["-R", "65534:65534", join(repo, "..")]);
      chmodSync(join(repo, ".."), 0o755);
    }
    spawnSync("chmod", ["-R", "a-w", join(repo, ".git")]);
    const before = snapshot(join(repo, ".git"));
    for (const args of [[], ["list"], ["show", handle], ["log"], ["inbox"], ["check"], ["doctor"]]) {
      const answer = ask(args);
      expectTidy(answer, args);
      expect([0, 1], JSON.stringify({ args, ...answer })).toContain(answer.code);
    }
    expect(ask([]).stdout).toContain("go on");
    expect(snapshot(join(repo, ".git"))).toEqual(before);
    for (const args of [
      ["write", "--append", "-m", "x"],
      ["write", "--inbox", "--breaking", "--impact", "x", "-m", "x"],
      ["close"],
      ["mv", "main", "other"],
      ["redact", handle, "--yes"],
      ["fetch"],
      ["sync"],
      ["prune", "--force", "--older-than", "0"],
      ["import", "park.md"],
      ["install"],
      ["lesson", "x"],
    ]) {
      const answer = ask(args);
      const said = JSON.stringify({ args, ...answer });
      expectTidy(answer, args);
      expect(answer.code, said).toBe(128);
      expect(answer.stdout, said).toBe("");
      expect(answer.stderr, said).toMatch(/^(?:warning: .*\n)*fatal: .*\n(?:fatal: .*\n)?$/);
    }
    expect(ask([]).stdout).toContain("go on");
    spawnSync("chmod", ["-R", "u+w", join(repo, ".git")]);
  });
});

describe("a remote", () => {
  /** A repository with a remote that has this hook, or is served by this script. */
  function behind(
    script: string,
    hook?: "pre-receive" | "reference-transaction",
  ): { dir: string; hub: string; free(): void } {
    const dir = makeRepo("near");
    const hub = join(tempDir("hub"), "hub.git");
    git(tempDir(), "init", "-q", "--bare", hub);
    git(dir, "remote", "add", "origin", hub);
    expect(handoff(dir, ["write", "-m", "go on"])).toMatchObject({ code: 0 });
    const path = hook ? join(hub, "hooks", hook) : join(tempDir("served"), "receive-pack");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    if (!hook) git(dir, "config", "remote.origin.receivepack", path);
    const free = () => (hook ? rmSync(path) : git(dir, "config", "--unset", "remote.origin.receivepack"));
    return { dir, hub, free };
  }
  const refs = (dir: string) => git(dir, "for-each-ref", "--format=%(objectname)", "refs/handoff/");

  test.each([
    ["in the middle of a push", "pre-receive"],
    ["when it has everything and before it says so", "reference-transaction"],
    // git 2.55 tells that hook of a state before "prepared" too, "preparing".
  ] as const)("that hangs up %s: not told is not done, and the next push is right", (_, hook) => {
    const { dir, hub, free } = behind('case "$1" in prepar*) ;; *) kill -9 $PPID ;; esac', hook);
    const { code, stdout, stderr } = handoff(dir, ["push"]);
    expect({ code, stdout }).toEqual({ code: 128, stdout: "" });
    expect(stderr).toMatch(/^fatal: .*origin.*\n$/);
    expect(refs(hub)).toBe(hook === "pre-receive" ? "" : refs(dir));
    free();
    expect(handoff(dir, ["push"])).toMatchObject({ code: 0 });
    expect(refs(hub)).toBe(refs(dir));
    expectWhole(hub);
  });

  test("that hangs up before anything came", () => {
    const { dir, hub } = behind("exit 0");
    const { code, stdout, stderr } = handoff(dir, ["push"]);
    expect({ code, stdout, there: refs(hub) }).toEqual({ code: 128, stdout: "", there: "" });
    expect(stderr).toMatch(/^fatal: .*origin.*\n$/);
  });

  test("that is slow is waited for", () => {
    const { dir, hub } = behind('sleep 2; git receive-pack "$1"; sleep 1');
    expect(handoff(dir, ["push"])).toMatchObject({ code: 0 });
    expect(refs(hub)).toBe(refs(dir));
  });
});
