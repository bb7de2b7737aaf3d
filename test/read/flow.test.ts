import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Frontmatter } from "../../src/document/types.js";
import type { RunGit } from "../../src/git/process.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { readBranch } from "../../src/read/flow.js";
import type { Report } from "../../src/surface/report.js";
import { documentText } from "../support/documents.js";
import { writeLog } from "../support/logs.js";
import { commit, git, makeRepo, tempDir } from "../support/repo.js";

const now = new Date("2026-05-03T10:00:00Z");

async function read(
  dir: string,
  options: { branch?: string; hook?: boolean } = {},
  run: RunGit = execaGit(),
): Promise<Report> {
  const repository = await Repository.open(dir, process.env, run);
  return readBranch(repository, { now, ...options });
}

const rejection = (predicate: string, parts: Partial<Frontmatter["rejections"][number]> = {}) => ({
  kind: "structural" as const,
  claim: `claim of ${predicate}`,
  anchor: "src/parser.ts",
  predicate,
  fallback: "drop and surface to user",
  ...parts,
});

function open(dir: string, branch: string, parts: Partial<Frontmatter>, body = ""): void {
  writeLog(dir, `refs/handoff/${branch}/ada-3f9a2c`, [
    { folder: "open", text: documentText({ task_key: branch, ...parts }, body) },
  ]);
}

describe("readBranch", () => {
  it("partitions rejections into gating and not", async () => {
    const dir = makeRepo();
    open(dir, "main", {
      rejections: [
        rejection("grep -q 'final class' src/parser.ts"),
        rejection("grep -q absent src/parser.ts"),
        rejection("make test"),
        rejection("true"),
        rejection("user still wants speed", { kind: "goal-conditional" }),
        rejection("grep -q 'final class' src/parser.ts", { withdrawn: "was wrong" }),
      ],
    });
    const { handoffs } = await read(dir);
    expect(handoffs[0]?.rejections.map((r) => [r.verdict, r.low_info, r.gating])).toEqual([
      ["holds", false, true],
      ["fails", false, false],
      ["cannot-evaluate", false, false],
      ["holds", true, false],
      ["cannot-evaluate", false, false],
      ["holds", false, false],
    ]);
  });

  it("gives head, branch, sections and freshness", async () => {
    const dir = makeRepo();
    const first = git(dir, "rev-parse", "HEAD");
    const head = commit(dir, { "more.txt": "more\n" });
    open(
      dir,
      "main",
      { git: `main @ ${first}` },
      "## State\n\nHalf.\n\n## Next steps\n\n1. One\n2. Two\n\n## Pointers\n\n- src/parser.ts\n",
    );
    const report = await read(dir);
    expect(report).toMatchObject({ format: 1, branch: "main", head, inbox: [], warnings: [] });
    expect(report.handoffs).toHaveLength(1);
    expect(report.handoffs[0]).toMatchObject({
      state: "open",
      writer: "ada-3f9a2c",
      own: true,
      sections: {
        state: "Half.",
        impact: null,
        next: ["One", "Two"],
        pointers: ["src/parser.ts"],
        skills: null,
      },
      freshness: { stale: false, ancestry: "ancestor", behind: 1, ageDays: 2 },
    });
  });

  it("asks a branch that is not checked out of its commit", async () => {
    const dir = makeRepo();
    git(dir, "switch", "-q", "-c", "feat");
    const head = commit(dir, { "src/parser.ts": "class Parser {}\n" });
    git(dir, "switch", "-q", "main");
    open(dir, "feat", { rejections: [rejection("grep -q 'final class' src/parser.ts")] });
    const report = await read(dir, { branch: "feat" });
    expect(report).toMatchObject({ branch: "feat", head });
    expect(report.handoffs[0]?.rejections[0]?.verdict).toBe("fails");
  });

  it("asks a branch that only a remote has of the remote's commit", async () => {
    const upstream = makeRepo();
    git(upstream, "switch", "-q", "-c", "feat");
    const head = commit(upstream, { "src/parser.ts": "class Parser {}\n" });
    git(upstream, "switch", "-q", "main");
    const dir = join(tempDir("clone"), "clone");
    git(upstream, "clone", "-q", upstream, dir);
    open(dir, "feat", { rejections: [rejection("grep -q 'final class' src/parser.ts")] });
    const report = await read(dir, { branch: "feat" });
    expect(report.head).toBe(head);
    expect(report.handoffs[0]?.rejections[0]?.verdict).toBe("fails");
  });

  it("says of a branch that is nowhere that nothing can be asked, and never calls it stale", async () => {
    const dir = makeRepo();
    open(dir, "gone", {
      git: `gone @ ${"d".repeat(40)}`,
      rejections: [rejection("grep -q 'final class' src/parser.ts")],
      artifacts: [{ claim: "parser", evidence: "src/parser.ts" }],
      watches: [{ until: "2026-05-01" }],
    });
    const { handoffs } = await read(dir, { branch: "gone" });
    expect(handoffs[0]).toMatchObject({
      freshness: { stale: false, ancestry: "unknown", note: "the branch is not in this repository" },
      rejections: [{ verdict: "cannot-evaluate", note: "the branch is not in this repository" }],
      artifacts: [{ verdict: "unchecked" }],
      watches: [{ due: null }],
    });
  });

  it("asks a bare repository's branch of its commit", async () => {
    const dir = join(tempDir("bare"), "bare.git");
    git(makeRepo(), "clone", "-q", "--bare", ".", dir);
    open(dir, "main", { rejections: [rejection("grep -q 'final class' src/parser.ts")] });
    const { handoffs } = await read(dir);
    expect(handoffs[0]?.rejections[0]?.verdict).toBe("holds");
  });

  it("is silent about the journal when detached, and still shows the inbox", async () => {
    const dir = makeRepo();
    open(dir, "main", {});
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", [
      {
        folder: "inbox",
        text: documentText({ delivery: "pushed", breaking: true }, "## Impact here\n\nAll.\n"),
      },
    ]);
    git(dir, "switch", "-q", "--detach");
    const report = await read(dir);
    expect(report).toMatchObject({ branch: null, handoffs: [] });
    expect(report.inbox).toMatchObject([{ breaking: true, impact: "All." }]);
  });

  it("shows a repository's inbox on every branch, a branch's on that branch, breaking ones first", async () => {
    const dir = makeRepo();
    const pushed = (intent: string, breaking: boolean) =>
      documentText({ delivery: "pushed", breaking, intent }, "## Impact here\n\nx\n");
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", [{ folder: "inbox", text: pushed("all", false) }]);
    writeLog(dir, "refs/handoff/main/eve-111111", [{ folder: "inbox", text: pushed("main alone", true) }]);
    writeLog(dir, "refs/handoff/feat/eve-111111", [{ folder: "inbox", text: pushed("feat alone", false) }]);
    expect((await read(dir)).inbox.map((item) => item.intent)).toEqual(["main alone", "all"]);
    expect((await read(dir, { branch: "feat" })).inbox.map((item) => item.intent)).toEqual([
      "feat alone",
      "all",
    ]);
  });

  it("works before the first commit", async () => {
    const dir = tempDir("unborn");
    git(dir, "init", "-q", "-b", "main");
    open(dir, "main", { git: "none" });
    expect(await read(dir)).toMatchObject({
      head: null,
      handoffs: [{ freshness: { ancestry: "none", stale: false } }],
    });
  });

  it("heeds handoff.maxAge", async () => {
    const dir = makeRepo();
    open(dir, "main", { git: `main @ ${git(dir, "rev-parse", "HEAD")}` });
    git(dir, "config", "handoff.maxAge", "1");
    expect((await read(dir)).handoffs[0]?.freshness).toMatchObject({ stale: true, ageDays: 2 });
  });

  it("names the relation of a sender that the user has named", async () => {
    const dir = makeRepo();
    git(dir, "config", "handoff.repo.orthanc.relation", "our image server");
    const from = { repo: "orthanc", git: "unknown" };
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", [
      {
        folder: "inbox",
        text: documentText({ delivery: "pushed", breaking: false, from }, "## Impact here\n\nx\n"),
      },
    ]);
    expect((await read(dir)).inbox).toMatchObject([
      { relation: "our image server", origin: { ancestry: "unchecked" } },
    ]);
  });

  it("shows what can be read beside what cannot", async () => {
    const dir = makeRepo();
    writeLog(dir, "refs/handoff/main/ada-3f9a2c", [
      { folder: "open", text: documentText() },
      { folder: "open", text: "---\nintent: [\n---\n" },
    ]);
    const report = await read(dir);
    expect(report.handoffs).toHaveLength(1);
    expect(report.warnings).toEqual([
      expect.stringMatching(
        /^Handoff file at refs\/handoff\/main\/ada-3f9a2c:open\/.*\.md is malformed; skipping\. Inspect manually\.$/,
      ),
    ]);
  });

  it("asks as many processes of git for thirty documents as for one", async () => {
    const counts: number[] = [];
    for (const documents of [1, 30]) {
      const dir = makeRepo();
      const here = git(dir, "rev-parse", "HEAD");
      commit(dir, { "more.txt": "x\n" });
      const entries = Array.from({ length: documents }, (_, i) => ({
        folder: "open" as const,
        text: documentText({
          intent: `intent ${i}`,
          git: `main @ ${here}`,
          rejections: [
            rejection("grep -q 'final class' src/parser.ts"),
            rejection(`grep -q x${i} src/parser.ts`),
          ],
          artifacts: [{ claim: "parser", evidence: "src/parser.ts", oid: "1".repeat(40) }],
        }),
      }));
      const inbox = entries.map(({ text }, i) => ({
        folder: "inbox" as const,
        text: `${text.replace("delivery: pulled", "delivery: pushed\nbreaking: false")}\n## Impact here\n\n${i}\n`,
      }));
      writeLog(dir, "refs/handoff/main/ada-3f9a2c", entries);
      writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", inbox);
      let calls = 0;
      const counting: RunGit = (args, options) => {
        calls++;
        return execaGit()(args, options);
      };
      const report = await read(dir, {}, counting);
      expect([report.handoffs.length, report.inbox.length]).toEqual([documents, documents]);
      counts.push(calls);
    }
    expect(counts[1]).toBe(counts[0]);
  });
});
