import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentText } from "../support/documents.js";
import { type GitRun, gitRun, installHook } from "../support/hook.js";
import { writeLog } from "../support/logs.js";
import { commit, git, handoff, makeRepo, tempDir } from "../support/repo.js";

/** On `main`, with an open handoff for `other`, whose parser is no longer final; the real hook and Node. */
function parked(branch = "other", init: string[] = []): string {
  const dir = makeRepo("places", init);
  git(dir, "update-ref", `refs/heads/${branch}`, "HEAD");
  git(dir, "checkout", "-q", branch, "--");
  const tip = commit(dir, { "src/parser.ts": "class Parser {}\n" });
  git(dir, "switch", "-q", "main");
  const rejection = {
    kind: "structural" as const,
    claim: "Parser stays final",
    anchor: "src/parser.ts",
    predicate: "grep -q 'final class' src/parser.ts",
    fallback: "drop and surface to user",
  };
  writeLog(dir, `refs/handoff/${branch}/ada-3f9a2c`, [
    {
      folder: "open",
      text: documentText({ task_key: branch, git: `${branch} @ ${tip}`, rejections: [rejection] }),
    },
  ]);
  installHook(dir);
  return dir;
}

function expectShown({ code, stderr }: GitRun, branch = "other"): void {
  expect(code).toBe(0);
  expect(stderr).toContain(`Open handoff detected for ${branch} (`);
  expect(stderr).toContain("reason: predicate failed");
  expect(stderr).toContain("ancestor of HEAD, nothing since");
}

describe("the hook and its Node", () => {
  it("in the main checkout", () => {
    expectShown(gitRun(parked(), ["switch", "other"]));
  });

  it("from a subfolder", () => {
    const dir = parked();
    expectShown(gitRun(join(dir, "src"), ["switch", "other"]));
  });

  it("in a linked worktree, at its making and at a switch in it, whose GIT_DIR reaches no other repository", () => {
    const dir = parked();
    expectShown(gitRun(dir, ["worktree", "add", "../linked", "other"]));
    const config = readFileSync(join(dir, ".git/config"), "utf8");
    git(join(dir, "../linked"), "switch", "-q", "--detach");
    expectShown(gitRun(join(dir, "../linked"), ["switch", "other"]));
    expect(readFileSync(join(dir, ".git/config"), "utf8")).toBe(config);
  });

  it("with --git-dir and --work-tree, and with a git directory kept elsewhere", () => {
    const dir = parked();
    const top = tempDir("top");
    expectShown(gitRun(top, [`--git-dir=${dir}/.git`, `--work-tree=${top}`, "checkout", "-f", "other"]));
    const elsewhere = parked();
    git(elsewhere, "init", "-q", `--separate-git-dir=${join(tempDir("separate"), "g")}`);
    expectShown(gitRun(elsewhere, ["switch", "other"]));
  });

  it("in a submodule", () => {
    const dir = makeRepo();
    git(dir, "submodule", "add", "-q", parked(), "library");
    const library = join(dir, "library");
    git(library, "fetch", "-q", "origin", "+refs/handoff/*:refs/handoff-remotes/*/origin");
    installHook(library);
    expectShown(gitRun(library, ["switch", "other"]));
  });

  it("in a sha256 repository", () => {
    expectShown(gitRun(parked("other", ["--object-format=sha256"]), ["switch", "other"]));
  });

  it("with reftable, where this git has it", () => {
    const probe = gitRun(tempDir("probe"), ["init", "-q", "--ref-format=reftable", "r"]);
    if (probe.code !== 0) return;
    expectShown(gitRun(parked("other", ["--ref-format=reftable"]), ["switch", "other"]));
  });

  it("before the first commit of a branch", () => {
    const dir = parked();
    const { code, stderr } = gitRun(dir, ["checkout", "--orphan", "fresh"]);
    expect({ code, shown: stderr.includes("Open handoff") }).toEqual({ code: 0, shown: false });
    writeLog(dir, "refs/handoff/born/ada-3f9a2c", [{ folder: "open", text: documentText({ git: "none" }) }]);
    git(dir, "switch", "-q", "-f", "main");
    expect(gitRun(dir, ["checkout", "--orphan", "born"]).stderr).toContain(
      "none: written before the first commit",
    );
  });

  it.each(["a;b", "a$b", "日本語", "feat/ünï", "v1.0", "a'b\"c", "a&b|c", "a%2Fb", "(a)", "a\\".slice(0, 1)])(
    "on a branch named %s",
    (branch) => {
      const dir = parked(branch);
      expectShown(gitRun(dir, ["checkout", branch, "--"]), branch);
      expect(handoff(dir, ["read"]).stdout).toContain(`Open handoff detected for ${branch} (`);
    },
  );

  it("says nothing to a program that closed its error stream, and lets the checkout succeed", () => {
    const dir = parked();
    const { code } = gitRun(dir, ["-c", `alias.x=!git switch other 2>&-`, "x"]);
    expect(code).toBe(0);
    expect(git(dir, "symbolic-ref", "--short", "HEAD")).toBe("other");
  });

  it("starts no git that a hostile configuration could make run something", () => {
    const dir = parked();
    const trap = join(tempDir("trap"), "ran");
    mkdirSync(join(trap, ".."), { recursive: true });
    for (const key of ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand", "core.askPass"]) {
      git(dir, "config", key, `touch '${trap}' #`);
    }
    git(dir, "config", "filter.x.clean", `touch '${trap}'`);
    writeLog(dir, "refs/handoff/main/ada-3f9a2c", [{ folder: "open", text: documentText() }]);
    const hook = join(dir, ".git/hooks/post-checkout");
    git(dir, "-c", "core.fsmonitor=false", "symbolic-ref", "HEAD", "refs/heads/other");
    const { code } = gitRun(dir, ["-c", "core.fsmonitor=false", "-c", `alias.x=!sh '${hook}' a b 1`, "x"]);
    expect({ code, ran: existsSync(trap) }).toEqual({ code: 0, ran: false });
  });
});
