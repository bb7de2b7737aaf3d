// The completion as a user has it: git's own completion calls ours.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bashCompletion } from "../../../src/commands/usage/bash.js";
import { git, makeRepo, program, tempDir } from "../../support/repo.js";
import { seed } from "../../support/seed.js";

const OWN = [
  "/usr/share/bash-completion/completions/git",
  "/usr/share/git/completion/git-completion.bash",
].find((path) => existsSync(path));

describe.skipIf(!OWN)("bash completion", () => {
  const place = tempDir("complete");
  let repo = "";
  let handle = "";

  beforeAll(async () => {
    repo = makeRepo("complete");
    git(repo, "branch", "feat/parser");
    git(repo, "remote", "add", "upstream", "/nowhere");
    ({ handle } = await seed(repo));
    mkdirSync(join(place, "bin"));
    symlinkSync(program, join(place, "bin/git-handoff"));
    writeFileSync(join(place, "git-handoff"), bashCompletion());
  });

  /** What pressing Tab after these words offers. */
  function offered(...words: string[]): string[] {
    const wrapper = words[0] === "git" ? "__git_wrap__git_main" : "__git_wrap_git_handoff";
    const script = `
      . "${OWN}"
      . "${place}/git-handoff"
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=\${#COMP_LINE} COMPREPLY=()
      ${wrapper}
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync("bash", ["-c", script, "bash", ...words], {
      cwd: repo,
      encoding: "utf8",
      env: { ...process.env, PATH: `${join(place, "bin")}:${process.env.PATH}` },
    });
    return output
      .split("\n")
      .map((word) => word.trimEnd())
      .filter(Boolean);
  }

  it("offers commands and branches first", () => {
    expect(offered("git", "handoff", "")).toEqual(
      expect.arrayContaining(["write", "close", "main", "feat/parser"]),
    );
    expect(offered("git", "handoff", "re")).toEqual(["read", "resume", "reopen", "redact"]);
    expect(offered("git", "handoff", "")).not.toContain("complete-handles");
  });

  it("offers a command's options, with = where a value follows", () => {
    expect(offered("git", "handoff", "ack", "--")).toEqual(["--decline", "--reason=", "--json"]);
    expect(offered("git", "handoff", "--")).toEqual(["--json"]);
  });

  it("offers what an option or an operand takes", () => {
    expect(offered("git", "handoff", "export", "--format", "")).toEqual(["park", "evidence", "inbox"]);
    expect(offered("git", "handoff", "export", "--format", "p")).toEqual(["park"]);
    expect(offered("git", "handoff", "push", "up")).toEqual(["upstream"]);
    expect(offered("git", "handoff", "mv", "feat")).toEqual(["feat/parser"]);
    expect(offered("git", "handoff", "completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(offered("git", "handoff", "write", "-m", "")).toEqual([]);
  });

  it("offers handles", () => {
    expect(offered("git", "handoff", "close", "")).toEqual([handle]);
    expect(offered("git", "handoff", "show", handle.slice(0, 3))).toEqual([handle]);
    expect(offered("git", "handoff", "")).toContain(handle);
  });

  it("works behind options of git, and as git-handoff", () => {
    expect(offered("git", "-C", repo, "handoff", "mv", "feat")).toEqual(["feat/parser"]);
    expect(offered("git-handoff", "mv", "feat")).toEqual(["feat/parser"]);
    expect(offered("git-handoff", "clo")).toEqual(["close"]);
  });
});
