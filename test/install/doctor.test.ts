import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnosis } from "../../src/install/doctor/doctor.js";
import { git, handoff, makeRepo } from "../support/repo.js";
import { makeClone } from "./support.js";

const doctor = (dir: string, env: Record<string, string> = {}): Diagnosis =>
  JSON.parse(handoff(dir, ["doctor", "--json"], { env }).stdout) as Diagnosis;
const codes = (dir: string, env: Record<string, string> = {}) =>
  doctor(dir, env)
    .findings.map(({ code }) => code)
    .filter((code) => code !== "not-on-path");

describe("doctor", () => {
  it("finds nothing wrong after install, and says in words what it found", () => {
    const dir = makeClone();
    handoff(dir, ["install"]);
    expect(codes(dir)).toEqual([]);
    const { stdout, code } = handoff(dir, ["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toContain("checked: git was asked to run it, and did");
    expect(stdout).toContain("fetch: from origin");
  });

  it("says that nothing is installed", () => {
    expect(codes(makeRepo())).toEqual(["not-installed"]);
  });

  it.each<[string, string, (dir: string) => void]>([
    [
      "a refspec forced onto the handoffs",
      "refspec-onto-handoffs",
      (dir) => add(dir, "+refs/handoff/*:refs/handoff/*"),
    ],
    ["one not forced", "refspec-onto-handoffs", (dir) => add(dir, "refs/handoff/main/*:refs/handoff/main/*")],
    ["everything onto everything", "refspec-onto-handoffs", (dir) => add(dir, "+refs/*:refs/*")],
    [
      "handoffs among the branches",
      "refspec-among-branches",
      (dir) => add(dir, "+refs/handoff/*:refs/remotes/origin/handoff/*"),
    ],
    ["doubled", "refspec-doubled", (dir) => add(dir, "+refs/handoff/*:refs/handoff-remotes/*/origin")],
    ["a mirror", "mirror-remote", (dir) => git(dir, "config", "remote.origin.mirror", "true")],
    ["a forced push", "forced-push", (dir) => git(dir, "config", "remote.origin.push", "+refs/*:refs/*")],
    [
      "renamed away",
      "refspec-of-another-remote",
      (dir) => git(dir, "remote", "rename", "origin", "upstream"),
    ],
    ["dropped", "refspec-dropped", (dir) => git(dir, "remote", "set-branches", "origin", "main")],
    [
      "two remotes in one place",
      "refspec-shared",
      (dir) => {
        git(dir, "remote", "add", "fork", "../fork");
        git(dir, "config", "--add", "remote.fork.fetch", "+refs/handoff/*:refs/handoff-remotes/*/origin");
      },
    ],
    ["another tool's ref", "foreign-refs", (dir) => git(dir, "update-ref", "refs/handoff/seal/1/x", "HEAD")],
    [
      "a newer format",
      "newer-refs",
      (dir) => git(dir, "update-ref", "refs/handoff/main/ada-111111", newer(dir)),
    ],
    [
      "a ref that is no log",
      "broken-refs",
      (dir) => git(dir, "update-ref", "refs/handoff/main/ada-111111", "HEAD"),
    ],
    [
      "a branch that is gone",
      "branch-gone",
      (dir) => {
        git(dir, "checkout", "-q", "-b", "feat");
        handoff(dir, ["write", "-m", "go on"]);
        git(dir, "branch", "-m", "feature");
      },
    ],
    [
      "fetched from a remote that is gone",
      "tracking-without-remote",
      (dir) => {
        handoff(dir, ["write", "-m", "go on"]);
        const ref = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/");
        const name = ref.slice("refs/handoff/".length);
        git(dir, "update-ref", `refs/handoff-remotes/${name}/lost`, ref);
      },
    ],
    [
      "another version's hook",
      "hook-of-another-version",
      (dir) =>
        writeFileSync(
          join(dir, ".git/handoff/post-checkout"),
          "#!/bin/sh\necho 'git handoff: the hook is reached'\n",
        ),
    ],
    ["a hook that is gone", "hook-missing", (dir) => rmSync(join(dir, ".git/handoff/post-checkout"))],
  ])("%s", (_name, code, spoil) => {
    const dir = makeClone();
    handoff(dir, ["install"]);
    expect(codes(dir)).not.toContain(code);
    spoil(dir);
    expect(codes(dir)).toContain(code);
  });

  it.each(["a tree", "a word"])("calls a log whose format is %s no log rather than a newer one", (what) => {
    const dir = makeClone();
    const tree = git(dir, "rev-parse", "HEAD^{tree}");
    const format = what === "a tree" ? `040000 tree ${tree}` : `100644 blob ${stored(dir, "one\n")}`;
    git(dir, "update-ref", "refs/handoff/main/ada-111111", logOf(dir, format));
    const { refs, findings } = doctor(dir);
    expect(refs).toMatchObject({ newer: [], broken: ["refs/handoff/main/ada-111111"] });
    const { message, remedy } = findings.find(({ code }) => code === "broken-refs") ?? {};
    expect(message).toBe("no handoff logs, not read: refs/handoff/main/ada-111111");
    expect(remedy).toContain("git log 'refs/handoff/main/ada-111111' shows");
  });

  it("ends with 1 when something is an error, as git fsck does; not for warnings", () => {
    const dir = makeClone();
    handoff(dir, ["install"]);
    git(dir, "config", "--add", "remote.origin.fetch", "+refs/handoff/*:refs/handoff-remotes/*/origin");
    expect(handoff(dir, ["doctor"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warning: /m) });
    git(dir, "config", "remote.origin.mirror", "true");
    for (const args of [["doctor"], ["doctor", "--json"]]) {
      expect(handoff(dir, args)).toMatchObject({ code: 1, stderr: "" });
    }
  });

  it("the remedy of every refspec finding works", () => {
    for (const spoil of [
      (dir: string) => add(dir, "+refs/handoff/*:refs/handoff/*"),
      (dir: string) => add(dir, "+refs/handoff/*:refs/remotes/origin/handoff/*"),
      (dir: string) => git(dir, "remote", "rename", "origin", "upstream"),
    ]) {
      const dir = makeClone();
      handoff(dir, ["install"]);
      spoil(dir);
      const remedies = doctor(dir).findings.flatMap(({ code, remedy }) =>
        code.startsWith("refspec-") && remedy !== null ? [remedy] : [],
      );
      expect(remedies).toHaveLength(1);
      for (const remedy of remedies) git(dir, "-c", `alias.mend=!${remedy}`, "mend");
      expect(codes(dir).filter((code) => code.startsWith("refspec-onto") || code.endsWith("remote"))).toEqual(
        [],
      );
    }
  });

  it("says that the hooks are turned off", () => {
    const dir = makeRepo();
    expect(codes(dir, { GIT_HANDOFF: "0" })).toContain("turned-off");
    git(dir, "config", "handoff.surface", "off");
    expect(codes(dir)).toContain("turned-off");
  });

  it("changes nothing", () => {
    const dir = makeClone();
    handoff(dir, ["install"]);
    handoff(dir, ["write", "-m", "go on"]);
    const before = git(dir, "for-each-ref") + git(dir, "config", "--list");
    doctor(dir);
    expect(git(dir, "for-each-ref") + git(dir, "config", "--list")).toBe(before);
  });

  it("counts what was written here and what was fetched", () => {
    const dir = makeClone();
    handoff(dir, ["write", "-m", "go on"]);
    const ref = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/");
    git(dir, "update-ref", `refs/handoff-remotes/${ref.slice("refs/handoff/".length)}/origin`, ref);
    expect(doctor(dir).refs).toMatchObject({ own: 1, others: 0, tracking: { origin: 1 } });
  });
});

function add(dir: string, refspec: string): void {
  git(dir, "config", "--add", "remote.origin.fetch", refspec);
}

/** A log whose format nobody knows yet. */
function newer(dir: string): string {
  return logOf(dir, `100644 blob ${stored(dir, "2\n")}`);
}

/** A commit whose tree has this entry as its `format`. */
function logOf(dir: string, format: string): string {
  writeFileSync(join(dir, ".git/tree"), `${format}\tformat\n`);
  const tree = git(dir, "-c", "alias.make=!git mktree <.git/tree", "make");
  return git(dir, "commit-tree", "-m", "a log", tree);
}

function stored(dir: string, text: string): string {
  writeFileSync(join(dir, ".git/blob"), text);
  return git(dir, "hash-object", "-w", ".git/blob");
}
