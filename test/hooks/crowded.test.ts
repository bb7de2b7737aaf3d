import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentText } from "../support/documents.js";
import { fakePackage, gitRun, installHook } from "../support/hook.js";
import { writeLog } from "../support/logs.js";
import { git, handoff, makeRepo, put, root, tempDir } from "../support/repo.js";

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

/** Adds one of another writer, for `other` too. */
function besides(dir: string): void {
  const text = documentText({ intent: "The good one", written: "2026-01-01T10:00:00+00:00" });
  writeLog(dir, "refs/handoff-remotes/other/ada-3f9a2c/origin", [{ folder: "open", text }]);
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

  it("is read as far as anybody reads, with what others wrote, and the rest is counted", () => {
    const dir = crowded(20_000);
    besides(dir);
    const { code, stdout } = handoff(dir, ["read", "other"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2000 of 20001 open handoffs for other, newest first .* git handoff list\)\.$/m);
    expect(stdout).not.toContain("\n\n\n");
    const { handoffs, warnings } = JSON.parse(handoff(dir, ["read", "other", "--json"]).stdout) as {
      handoffs: { intent: string }[];
      warnings: string[];
    };
    expect(handoffs).toHaveLength(2000);
    expect(handoffs.map(({ intent }) => intent)).toContain("The good one");
    expect(warnings).toContain("18001 more open handoffs for other not shown: git handoff list --all");
    // What is left out is reached all the same.
    expect(handoff(dir, ["list", "--all"]).stdout.trimEnd().split("\n")).toHaveLength(20_001);
    expect(handoff(dir, ["show", "20260501T100000Z-go-on-with-the-parser-0"]).stdout).toContain("go on 0");
    git(dir, "switch", "-q", "other");
    const { stderr } = handoff(dir, ["write", "-m", "mine"]);
    expect(stderr).toContain(", and 19981 more (git handoff list). Say --append or --overwrite.");
  });

  it("is shown at a session start, with what others wrote counted in", () => {
    const dir = crowded(20_000);
    besides(dir);
    git(dir, "switch", "-q", "other");
    const { code, stdout } = handoff(dir, ["session-start"], { input: JSON.stringify({ cwd: dir }) });
    expect(code).toBe(0);
    expect(stdout).toContain("500 of 20001 open handoffs for other");
    expect(stdout).toContain("19501 more open handoffs for other not shown: git handoff list --all");
  });

  it("is not passed over in silence where a session start runs out of time", () => {
    const dir = crowded(1500);
    git(dir, "switch", "-q", "other");
    const bin = tempDir("bin");
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const slow = `case " $* " in *" cat-file "*) exec sleep 20 ;; esac`;
    put(bin, "git", `#!/bin/sh\n${slow}\nexec '${real}' "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH ?? ""}` };
    const input = JSON.stringify({ cwd: dir, hook_event_name: "SessionStart" });
    const { code, stdout } = handoff(dir, ["session-start"], { input, env });
    expect({ code, said: JSON.parse(stdout) }).toEqual({
      code: 0,
      said: {
        hookSpecificOutput: {
          hookEventName: "SessionStart",
          additionalContext: "A handoff is open here, but it could not be shown. See: git handoff read\n",
        },
      },
    });
  });

  it("of a few hundred is gathered as ever", () => {
    const dir = crowded(300);
    git(dir, "switch", "-q", "other");
    const { stdout } = spawnSync("sh", [hook, "--answers"], { cwd: dir, encoding: "utf8" });
    expect(stdout.split("intent: go on").length - 1).toBe(300);
  });
});
