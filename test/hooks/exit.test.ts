import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakePackage, gitRun, installHook, openHandoff } from "../support/hook.js";
import { writeLog } from "../support/logs.js";
import { commit, git, makeRepo, tempDir } from "../support/repo.js";

/** On `main`, with an open handoff for `other`. */
function repo(): string {
  const dir = makeRepo("exit");
  git(dir, "branch", "other");
  openHandoff(dir, "other");
  return dir;
}

function switchWith(script: string, change: (text: string) => string = (text) => text) {
  const dir = repo();
  const path = installHook(dir, fakePackage(script));
  writeFileSync(path, change(readFileSync(path, "utf8")));
  const result = gitRun(dir, ["switch", "other"]);
  expect(git(dir, "symbolic-ref", "--short", "HEAD")).toBe("other");
  return result;
}

const HINT = "A handoff is open here, but it could not be shown. See: git handoff read\n";

describe("a checkout succeeds whatever becomes of the hook", () => {
  it.each([
    ["Node fails", "exit 3"],
    ["Node is killed", "kill -9 $$"],
    ["Node crashes", "kill -SEGV $$"],
    ["Node closes its input at once", "exec <&-; exit 1"],
  ])("%s, and it says so in one line", (_name, script) => {
    const { code, stderr } = switchWith(script);
    expect(code).toBe(0);
    expect(stderr).toBe(`Switched to branch 'other'\n${HINT}`);
  });

  it("Node hangs: it is ended, and nothing of it is left", () => {
    const dir = tempDir("pid");
    const file = join(dir, "pid");
    const { code, stderr } = switchWith(`echo $$ >'${file}'; exec sleep 60`, (text) =>
      text.replace("HANDOFF_LIMIT=6", "HANDOFF_LIMIT=1"),
    );
    expect(code).toBe(0);
    expect(stderr).toContain(HINT);
    expect(existsSync(`/proc/${readFileSync(file, "utf8").trim()}`)).toBe(false);
  });

  it("Node is gone, and no git-handoff is on PATH", () => {
    const dir = repo();
    installHook(dir, { node: "/nowhere/node", home: "/nowhere" });
    const { code, stderr } = gitRun(dir, ["switch", "other"], { PATH: "/usr/bin:/bin" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Switched to branch 'other'\n${HINT}` });
  });

  it("Node is gone: git-handoff on PATH shows it", () => {
    const dir = repo();
    const bin = tempDir("bin");
    writeFileSync(join(bin, "git-handoff"), '#!/bin/sh\ncat >/dev/null\necho "BY PATH $1"\n');
    chmodSync(join(bin, "git-handoff"), 0o755);
    installHook(dir, { node: "", home: "" });
    const { code, stderr } = gitRun(dir, ["switch", "other"], { PATH: `${bin}:${process.env.PATH}` });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "Switched to branch 'other'\nBY PATH post-checkout\n",
    });
  });

  it("in a folder whose name a shell would take apart", () => {
    const dir = repo();
    const { node, home } = fakePackage();
    const odd = join(tempDir("odd"), "a b;$(touch x)`y`");
    mkdirSync(join(odd, "dist"), { recursive: true });
    writeFileSync(join(odd, "dist/hook.cjs"), "");
    writeFileSync(join(odd, "node"), readFileSync(node));
    chmodSync(join(odd, "node"), 0o755);
    installHook(dir, { node: join(odd, "node"), home: odd });
    expect(home).not.toBe(odd);
    expect(gitRun(dir, ["switch", "other"]).stderr).toBe("Switched to branch 'other'\nSHOWN\n");
  });

  it.each([
    ["its output is closed", ">&- 2>&-"],
    ["the disk is full", ">/dev/full 2>/dev/full"],
    ["nobody reads", "| true"],
  ])("%s", (_name, redirection) => {
    const dir = repo();
    const path = installHook(dir, fakePackage());
    git(dir, "symbolic-ref", "HEAD", "refs/heads/other");
    const script = `{ sh '${path}' a b 1; echo "$?" >code; } ${redirection}`;
    spawnSync("sh", ["-c", script], { cwd: dir });
    expect(readFileSync(join(dir, "code"), "utf8")).toBe("0\n");
  });

  it("a broken repository", () => {
    const dir = repo();
    const path = installHook(dir, fakePackage());
    for (const damage of [
      "rm -r .git/refs",
      "echo nonsense >.git/HEAD",
      "rm -r .git/objects",
      "rm -r .git",
    ]) {
      const kept = readFileSync(existsSync(path) ? path : join(dir, "hook"));
      writeFileSync(join(dir, "hook"), kept);
      spawnSync("sh", ["-c", damage], { cwd: dir });
      const { status } = spawnSync("sh", ["hook", "a", "b", "1"], { cwd: dir });
      expect(status).toBe(0);
    }
  });

  it.each(["dash", "bash", "busybox"])("under %s", (shell) => {
    const args = shell === "busybox" ? ["sh"] : [];
    if (spawnSync(shell, [...args, "-c", "exit 0"]).status !== 0) return;
    const dir = repo();
    const path = installHook(dir, fakePackage());
    git(dir, "symbolic-ref", "HEAD", "refs/heads/other");
    const run = (...extra: string[]) =>
      spawnSync(shell, [...args, ...extra, path, "a", "b", "1"], { cwd: dir, encoding: "utf8" });
    expect(run()).toMatchObject({ status: 0, stdout: "SHOWN\n", stderr: "" });
    expect(run("-e")).toMatchObject({ status: 0, stdout: "SHOWN\n", stderr: "" });
  });
});

describe("nothing to show", () => {
  /** Runs the hook with a git that counts its calls; returns them. */
  function gitCalls(dir: string): string[] {
    const path = installHook(dir, fakePackage());
    const bin = tempDir("bin");
    const log = join(bin, "log");
    const real = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
    writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real}' "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    const { stdout, status } = spawnSync("sh", [path, "a", "b", "1"], {
      cwd: dir,
      encoding: "utf8",
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  }

  it("costs two git processes in an ordinary repository, a linked worktree and a submodule", () => {
    const dir = repo();
    expect(gitCalls(dir)).toHaveLength(2);
    git(dir, "worktree", "add", "-q", "../linked", "-b", "linked");
    expect(gitCalls(join(dir, "../linked"))).toHaveLength(2);
    git(dir, "submodule", "add", "-q", makeRepo("library"), "library");
    expect(gitCalls(join(dir, "library"))).toHaveLength(2);
  });

  it("costs none when HEAD is detached", () => {
    const dir = repo();
    git(dir, "switch", "-q", "--detach");
    expect(gitCalls(dir)).toEqual([]);
  });

  it("is what a closed handoff is, whoever closed it", () => {
    const dir = repo();
    openHandoff(dir, "main");
    const closed = git(dir, "rev-parse", "refs/handoff/main/ada-3f9a2c");
    openHandoff(dir, "main", undefined, "closed");
    git(dir, "update-ref", "refs/handoff/main/bob-111111", "refs/handoff/main/ada-3f9a2c");
    git(dir, "update-ref", "refs/handoff/main/ada-3f9a2c", closed);
    expect(gitCalls(dir)).toHaveLength(2);
  });

  it("is what another branch's handoff is, even one whose name begins alike", () => {
    const dir = repo();
    for (const branch of ["main/deeper", "mainly", "other"]) {
      git(dir, "update-ref", `refs/handoff/${branch}/eve-222222`, "refs/handoff/other/ada-3f9a2c");
    }
    expect(gitCalls(dir)).toHaveLength(2);
  });
});

describe("what cannot be judged in the shell is left to Node", () => {
  const shows = (dir: string) => {
    const path = installHook(dir, fakePackage());
    return spawnSync("sh", [path, "a", "b", "1"], { cwd: dir, encoding: "utf8" }).stdout;
  };

  it("a log of a newer format", () => {
    const dir = repo();
    writeLog(dir, "refs/handoff/main/ada-3f9a2c", [], "2\n");
    expect(shows(dir)).toBe("SHOWN\n");
  });

  it("a ref that is broken beside one that is not", () => {
    for (const broken of ["0123456789012345678901234567890123456789", "nonsense"]) {
      const dir = repo();
      openHandoff(dir, "main");
      writeFileSync(join(dir, ".git/refs/handoff/main/aaa-000000"), `${broken}\n`);
      expect(shows(dir)).toBe("SHOWN\n");
    }
  });

  it("a log that holds one write alone", () => {
    const dir = repo();
    writeLog(
      dir,
      "refs/handoff/main/ada-3f9a2c",
      [{ folder: "open", text: "x" }],
      "1\n",
      "write: x\n\nHandoff-Event: write\n",
    );
    expect(shows(dir)).toBe("SHOWN\n");
    writeLog(
      dir,
      "refs/handoff/main/bob-111111",
      [{ folder: "closed", text: "x" }],
      "1\n",
      "close: x\n\nHandoff-Event: close\n",
    );
    expect(shows(dir)).toBe("");
  });

  it.each(["blob:none", "tree:0"])("a partial clone (%s) in which the documents are absent", (filter) => {
    const upstream = repo();
    git(upstream, "config", "uploadpack.allowFilter", "true");
    git(upstream, "config", "uploadpack.allowAnySHA1InWant", "true");
    openHandoff(upstream, "main");
    const dir = join(tempDir("partial"), "clone");
    git(upstream, "clone", "-q", `--filter=${filter}`, `file://${upstream}`, dir);
    git(dir, "fetch", "-q", "origin", "+refs/handoff/*:refs/handoff-remotes/*/origin");
    expect(shows(dir)).toBe("SHOWN\n");
  });

  it("a partial clone in which all is closed costs at most three git processes and shows nothing", () => {
    const upstream = repo();
    git(upstream, "config", "uploadpack.allowFilter", "true");
    openHandoff(upstream, "main", undefined, "closed");
    const dir = join(tempDir("partial"), "clone");
    git(upstream, "clone", "-q", "--filter=blob:none", `file://${upstream}`, dir);
    git(dir, "fetch", "-q", "origin", "+refs/handoff/*:refs/handoff-remotes/*/origin");
    expect(shows(dir)).toBe("");
  });
});

it("hostile branch names are only ever names", () => {
  for (const name of [
    "a;b",
    "a$b",
    "a$(touch\u{24}IFS'x')",
    "`touch$IFS'x'`",
    "日本語",
    "a'b\"c",
    "-dash".slice(1),
    "a%2Fb",
    "feat/ünï",
    "HEAD2",
  ]) {
    const dir = makeRepo("names");
    git(dir, "update-ref", `refs/heads/${name}`, commit(dir, {}));
    openHandoff(dir, name);
    installHook(dir, fakePackage());
    expect(gitRun(dir, ["checkout", name, "--"]).stderr).toContain("SHOWN");
    expect(existsSync(join(dir, "x"))).toBe(false);
  }
});
