// On a terminal the block has colours, and learning that it is one costs nothing.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitRun, installHook, openHandoff } from "../support/hook.js";
import { git, makeRepo, tempDir } from "../support/repo.js";
import { hasTerminal } from "../support/terminal.js";

function repository(): string {
  const dir = makeRepo("terminal");
  git(dir, "branch", "other");
  openHandoff(dir, "other");
  installHook(dir);
  return dir;
}

it.skipIf(!hasTerminal)("is coloured on a terminal, without Node loading what asks terminals", () => {
  const folder = tempDir("probe");
  const loaded = join(folder, "loaded");
  writeFileSync(
    join(folder, "probe.cjs"),
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(loaded)}, process.moduleLoadList.join("\\n")));\n`,
  );
  const { stdout } = spawnSync("script", ["-qec", "git switch -q other", "/dev/null"], {
    cwd: repository(),
    encoding: "utf8",
    input: "",
    env: {
      ...process.env,
      TERM: "xterm",
      SHELL: "/bin/sh",
      NODE_OPTIONS: `--require=${join(folder, "probe.cjs")}`,
    },
  });
  expect(stdout).toContain("go on");
  expect(stdout).toContain("\u001b[");
  const modules = readFileSync(loaded, "utf8").split("\n");
  expect(modules).toContain("NativeModule fs");
  expect(modules).not.toContain("NativeModule tty");
});

it("has no colours elsewhere, also where git is started from a terminal", () => {
  const { stderr } = gitRun(repository(), ["switch", "-q", "other"], { TERM: "xterm" });
  expect(stderr).toContain("go on");
  expect(stderr).not.toContain("\u001b[");
});
