import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakePackage, gitRun, installHook } from "../support/hook.js";
import { git, makeRepo, root } from "../support/repo.js";

/** On `main`; a teammate's log with this many open documents for `other`, as a fetch brings it. */
function crowded(count: number): string {
  const dir = makeRepo("crowded");
  git(dir, "branch", "other");
  const file = (path: string, text: string) =>
    `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const documents = Array.from({ length: count }, (_, n) =>
    file(`open/20260501T100000Z-go-on-with-the-parser-${n}.md`, `---\nhandoff: 1\nintent: go on ${n}\n---\n`),
  );
  const log = "refs/handoff-remotes/other/mal-3f9a2c/origin";
  const head = `commit ${log}\ncommitter M <m@example.com> 1770000000 +0000\ndata 8\nwrite: x\n`;
  const input = `${head}${file("format", "1\n")}${documents.join("")}`;
  execFileSync("git", ["fast-import", "--quiet"], { cwd: dir, input });
  return dir;
}

const hook = join(root, "hooks/post-checkout");

describe("a log with more open documents than a team writes", () => {
  it("is not gathered by the shell: Node is started without it", () => {
    const dir = crowded(1500);
    installHook(dir, fakePackage('echo "GIVEN $(wc -c)"'));
    const { code, stderr } = gitRun(dir, ["switch", "other"]);
    expect(code).toBe(0);
    expect(Number(/GIVEN (\d+)/.exec(stderr)?.[1])).toBeLessThan(100);
    expect(stderr).toContain("SHOWN");
  });

  it("is told apart from nothing at a session start", () => {
    const dir = crowded(1500);
    git(dir, "switch", "-q", "other");
    const { stdout } = spawnSync("sh", [hook, "--answers", "all"], { cwd: dir, encoding: "utf8" });
    expect(stdout).toBe("git-handoff answers 0\0\0");
  });

  it("of a few hundred is gathered as ever", () => {
    const dir = crowded(300);
    git(dir, "switch", "-q", "other");
    const { stdout } = spawnSync("sh", [hook, "--answers"], { cwd: dir, encoding: "utf8" });
    expect(stdout.split("intent: go on").length - 1).toBe(300);
  });
});
