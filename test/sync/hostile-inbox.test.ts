// Items from strangers: shown or skipped with a warning, never run, never in the way.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Frontmatter } from "../../src/document/types.js";
import { countGit } from "../support/count.js";
import { documentText } from "../support/documents.js";
import { gitRun, installHook } from "../support/hook.js";
import { writeLog } from "../support/logs.js";
import { commit, git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { snapshot } from "../support/tree.js";

const IMPACT = "## Impact here\n\nCallers break\n";

/** What a stranger's push leaves: a ref of the right form with this document. Returns the handle. */
function deliver(dest: string, meta: Partial<Frontmatter>, body = IMPACT): string {
  return deliverText(
    dest,
    documentText({ task_key: "HEAD", delivery: "pushed", breaking: false, ...meta }, body),
  );
}

function deliverText(dest: string, text: string): string {
  const input = { cwd: dest, input: text, encoding: "utf8" } as const;
  const handle = execFileSync("git", ["hash-object", "-w", "--stdin"], input).slice(0, 7);
  writeLog(dest, `refs/handoff/HEAD/eve-666666-${handle}`, [{ folder: "inbox", text }]);
  return handle;
}

/** Every surface; none may fail. */
function surfaces(dest: string): string[] {
  const request = JSON.stringify({ cwd: dest, source: "startup", session_id: tempDir("session") });
  const shown = [[], ["inbox"], ["read", "--json"], ["inbox", "--json"], ["list"], ["check"]].map((args) => {
    const { code, stdout, stderr } = handoff(dest, args);
    expect([0, args[0] === "check" ? 1 : 0]).toContain(code);
    expect(stderr).not.toMatch(/fatal|at .*\.js:/);
    return stdout + stderr;
  });
  const agent = handoff(dest, ["session-start", "--agent", "claude-code"], { input: request });
  expect(agent.code).toBe(0);
  const hook = gitRun(dest, ["checkout", "-q", "-B", "elsewhere"]);
  expect(hook.code).toBe(0);
  return [...shown, agent.stdout, hook.stderr];
}

function destination(): string {
  const dest = makeRepo("dest");
  installHook(dest);
  return dest;
}

describe("hostile items", () => {
  it("control characters, escapes and bidi overrides reach no terminal", () => {
    const dest = destination();
    const evil = "red \u001b[31m\u001b]0;title\u0007 \u202Eback\u2066 \u0000bell\u0007 \u009b2J";
    deliver(
      dest,
      {
        intent: evil,
        author: `Eve ${evil} <e@x>`,
        from: { repo: evil, git: `${evil} @ x` },
        git: evil,
        breaking: true,
      },
      `## Impact here\n\n${evil}\n`,
    );
    for (const text of surfaces(dest)) {
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/);
    }
    expect(handoff(dest, []).stdout).toContain("red");
    expect(JSON.parse(handoff(dest, ["inbox", "--json"]).stdout).inbox).toMatchObject([{ intent: evil }]);
  });

  it("a mebibyte of text: skipped with a warning, or cut to what an agent takes", () => {
    const dest = destination();
    const small = deliver(dest, { intent: "the small one" });
    deliver(dest, { intent: "too large" }, `${IMPACT}\n${"x".repeat(1 << 20)}\n`);
    const long = deliver(
      dest,
      { intent: "long", breaking: true },
      `## Impact here\n\n${"long words ".repeat(90_000)}\n`,
    );
    const [read, inbox] = surfaces(dest);
    for (const text of [read, inbox]) {
      expect(text).toContain("is larger than 1 MiB; skipping.");
      for (const handle of [small, long]) expect(text).toContain(`git handoff ack ${handle}`);
    }
    expect(handoff(dest, []).stdout.length).toBeLessThanOrEqual(8_000);
    expect(handoff(dest, ["ack", long]).code).toBe(0);
  });

  it.each([
    ["broken frontmatter", "---\nintent: [\n---\n"],
    ["no frontmatter", "hello\n"],
    ["bytes that are no text", "\u0000\u0001\u0002"],
    ["nothing", ""],
  ])("%s: one warning, the others shown, and it can be acknowledged away", (_name, text) => {
    const dest = destination();
    const good = deliver(dest, { intent: "the good one" });
    const bad = deliverText(dest, text);
    const [read] = surfaces(dest);
    expect(read?.match(/is malformed; skipping\. Inspect manually\./g)).toHaveLength(1);
    expect(read).toContain(`git handoff ack ${good}`);
    expect(handoff(dest, ["ack", bad])).toMatchObject({ code: 0 });
    expect(surfaces(dest)[0]).not.toContain("malformed");
  });

  it("from.project at devices, pipes, the network and what is no repository: nobody waits, nothing is opened", () => {
    const dest = destination();
    const fifo = join(tempDir(), "fifo");
    execFileSync("mkfifo", [fifo]);
    const devices = ["/dev", "/dev/zero", "/dev/stdin", "/proc/self/cwd", fifo, "/net/host"];
    const shares = ["//host/share/x", "\\\\host\\share\\x", "C:\\x", "file:///etc"];
    const nothing = [tempDir("plain"), "/nowhere", "relative/path", "~/x", "", `${dest}\n`];
    for (const project of [...devices, ...shares, ...nothing])
      deliver(dest, { from: { repo: project || "none", project, git: "main @ 1234567" } });
    surfaces(dest);
    const report = JSON.parse(handoff(dest, ["inbox", "--json"]).stdout);
    expect(report.inbox).toHaveLength(16);
    expect(report.inbox.map((each: { origin: { ancestry: string } }) => each.origin.ancestry)).toEqual(
      report.inbox.map(() => "unchecked"),
    );
  });

  it("from.project at a repository whose configuration runs programs: asked, and nothing runs or is written", () => {
    const [dest, origin] = [destination(), makeRepo("origin")];
    const oid = commit(origin, { "f.txt": "f", ".gitattributes": "* filter=evil diff=evil\n" });
    const mark = join(tempDir(), "ran");
    const program = join(tempDir(), "evil");
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>'${mark}'\ncat\n`);
    chmodSync(program, 0o755);
    for (const key of [
      ...["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "pager.rev-list"],
      ...[
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
      ],
      ...[
        "filter.evil.process",
        "uploadpack.packObjectsHook",
        "gpg.program",
        "credential.helper",
        "alias.rev-parse",
      ],
    ])
      git(origin, "config", key, program);
    git(origin, "config", "core.hooksPath", join(program, ".."));
    git(origin, "config", "log.showSignature", "true");
    for (const name of ["post-index-change", "reference-transaction", "post-checkout"])
      writeFileSync(join(program, "..", name), `#!/bin/sh\necho ${name} >>'${mark}'\n`, { mode: 0o755 });
    writeFileSync(mark, "");
    const rejections = [
      { kind: "structural", claim: "c", anchor: null, predicate: "git grep -q f -- f.txt", fallback: "" },
      { kind: "structural", claim: "d", anchor: null, predicate: "git diff --quiet -- f.txt", fallback: "" },
    ] as Frontmatter["rejections"];
    const handle = deliver(dest, {
      from: { repo: "origin", project: origin, git: `main @ ${oid}` },
      rejections,
      artifacts: [{ claim: "done", evidence: "f.txt", oid: git(origin, "rev-parse", "HEAD:f.txt") }],
    });
    writeFileSync(mark, "");
    const before = snapshot(origin);
    surfaces(dest);
    handoff(dest, ["show", handle]);
    expect(execFileSync("cat", [mark], { encoding: "utf8" })).toBe("");
    expect(snapshot(origin)).toEqual(before);
    const report = JSON.parse(handoff(dest, ["inbox", "--json"]).stdout);
    expect(report.inbox).toMatchObject([{ handle, origin: { ancestry: "ancestor" } }]);
  });

  it("GIT_* of an outer git does not turn the question to another repository", () => {
    const [dest, origin] = [destination(), makeRepo("origin")];
    const oid = commit(origin, { "only.txt": "there" });
    deliver(dest, { from: { repo: "origin", project: origin, git: `main @ ${oid}` } });
    const env = {
      GIT_DIR: join(dest, ".git"),
      GIT_WORK_TREE: dest,
      GIT_INDEX_FILE: join(dest, ".git/index"),
    };
    const report = JSON.parse(handoff(dest, ["inbox", "--json"], { env }).stdout);
    expect(report.inbox).toMatchObject([{ origin: { ancestry: "ancestor" } }]);
  });

  it("names that would reach elsewhere in a path or a pattern stay data", () => {
    const dest = destination();
    deliver(dest, {
      from: { repo: "../../etc\u0000x\nurl", git: "../.. @ --output=x" },
      git: "*/../main @ -x",
    });
    surfaces(dest);
    expect(existsSync(join(dest, "x"))).toBe(false);
  });
});

describe("200 items", () => {
  function crowded(): { dest: string; breaking: string[]; others: string[] } {
    const [dest, origin] = [destination(), makeRepo("origin")];
    const [here, there] = [git(dest, "rev-parse", "HEAD"), git(origin, "rev-parse", "HEAD")];
    const [breaking, others]: [string[], string[]] = [[], []];
    for (let n = 0; n < 200; n++) {
      const loud = n % 10 === 3;
      const handle = deliver(dest, {
        intent: `item ${n}`,
        breaking: loud,
        written: new Date(Date.UTC(2026, 4, 1, 10, 0, n)).toISOString().replace(".000Z", "+00:00"),
        git: `main @ ${here}`,
        from: { repo: "origin", project: origin, git: `main @ ${there}` },
      });
      (loud ? breaking : others).unshift(handle);
    }
    return { dest, breaking, others };
  }

  it("in order, counted, within an agent's bound, for the same processes as two", {
    timeout: 180_000,
  }, async () => {
    const { dest, breaking, others } = crowded();
    const report = JSON.parse(handoff(dest, ["inbox", "--json"]).stdout);
    expect(report.inbox.map((each: { handle: string }) => each.handle)).toEqual([...breaking, ...others]);
    const all = handoff(dest, ["inbox"]).stdout;
    expect(all.match(/git handoff ack [0-9a-f]{7} {2}/g)).toHaveLength(200);
    const read = handoff(dest, []).stdout;
    expect(read.length).toBeLessThanOrEqual(8_000);
    expect(read).toContain("Unread handoffs in this repo's inbox: 200  (20 BREAKING)");
    expect(read.indexOf(String(breaking[0]))).toBeGreaterThan(0);
    expect(read).toMatch(/\.\.\. \(\d+ more unread handoffs cut to fit; all of them: git handoff inbox\)/);
    for (const handle of breaking.filter((each) => read.includes(each)))
      expect(read).toContain(`git handoff ack ${handle}`);
    const count = async () =>
      (await countGit((env) => handoff(dest, [], { env }))).calls.map(([verb]) => verb).sort();
    const many = await count();
    const rest = [...breaking.slice(1), ...others.slice(1)];
    for (let at = 0; at < rest.length; at += 100) handoff(dest, ["ack", ...rest.slice(at, at + 100)]);
    const few = await count();
    // Up to 64 logs are read in one go, more in two.
    expect(many.length).toBeLessThanOrEqual(few.length + 2);
    expect(handoff(dest, []).stdout).toContain("inbox: 2  (1 BREAKING)");
  });
});
