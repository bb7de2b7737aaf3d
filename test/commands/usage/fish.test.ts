// The completion as fish has it, for `git handoff` and for `git-handoff`.
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fishCompletion } from "../../../src/commands/usage/fish.js";
import { git, makeRepo, program, tempDir } from "../../support/repo.js";
import { seed } from "../../support/seed.js";

const version = spawnSync("fish", ["--version"], { encoding: "utf8" });
// Older ones do not hand completions of `git <command>` on to `git-<command>`.
const called = /version [1-3]\./.test(version.stdout ?? "")
  ? ["git-handoff"]
  : ["git-handoff", "git handoff"];

describe.skipIf(version.error)("fish completion", () => {
  const place = tempDir("fish");
  let repo = "";
  let handle = "";

  beforeAll(async () => {
    repo = makeRepo("fish");
    git(repo, "branch", "feat/parser");
    ({ handle } = await seed(repo, { meta: { intent: "Fix: the parser" } }));
    mkdirSync(join(place, "bin"));
    mkdirSync(join(place, "fish/completions"), { recursive: true });
    symlinkSync(program, join(place, "bin/git-handoff"));
    writeFileSync(join(place, "fish/completions/git-handoff.fish"), fishCompletion());
  });

  function offered(line: string): string[] {
    const { stdout, stderr } = spawnSync("fish", ["-c", 'complete -C "$LINE"'], {
      cwd: repo,
      encoding: "utf8",
      env: {
        ...process.env,
        LINE: line,
        XDG_CONFIG_HOME: place,
        PATH: `${join(place, "bin")}:${process.env.PATH}`,
      },
    });
    expect(stderr).toBe("");
    return stdout.split("\n").filter(Boolean);
  }

  it.each(called)("serves %s", (name) => {
    expect(offered(`${name} clo`)).toEqual(["close\tclose journal handoffs"]);
    expect(offered(`${name} fea`)).toEqual(["feat/parser"]);
    expect(offered(`${name} close `)).toEqual([`${handle}\tmain: Fix: the parser`]);
    const options = offered(`${name} ack --`).map((word) => word.split("\t")[0]);
    // fish adds git's own --help.
    expect(options.filter((word) => word !== "--help")).toEqual(["--decline", "--json", "--reason"]);
    expect(offered(`${name} export --format `).map((word) => word.split("\t")[0])).toEqual([
      "evidence",
      "inbox",
      "park",
    ]);
  });
});
