import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentText } from "../support/documents.js";
import { writeLog } from "../support/logs.js";
import { commit, git, handoff, makeRepo, tempDir } from "../support/repo.js";

const rejection = (predicate: string) => ({
  kind: "structural" as const,
  claim: "Parser stays final",
  anchor: "src/parser.ts",
  predicate,
  fallback: "drop and surface to user",
});

/** A repository whose `main` has one open handoff; its handle. */
function parked(
  parts: Parameters<typeof documentText>[0] = {},
  body = "## State\n\nHalf done.\n",
): { dir: string; handle: string } {
  const dir = makeRepo();
  const text = documentText(
    { git: `main @ ${git(dir, "rev-parse", "HEAD")}`, written: new Date().toISOString(), ...parts },
    body,
  );
  const [handle = ""] = writeLog(dir, "refs/handoff/main/ada-3f9a2c", [{ folder: "open", text }]);
  return { dir, handle };
}

const pushed = (breaking: boolean, intent = "Rename the field") =>
  documentText({ delivery: "pushed", breaking, intent }, "## Impact here\n\nThe field is called name now.\n");

describe("read", () => {
  it("shows the current branch's handoff, also as `git handoff` and `resume`, from a subfolder and a worktree", () => {
    const { dir, handle } = parked();
    const { code, stdout, stderr } = handoff(dir, ["read"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(
      `-> Proceeding. To re-examine the handoff later, run git handoff show ${handle}\n`,
    );
    expect(handoff(dir, []).stdout).toBe(stdout);
    expect(handoff(join(dir, "src"), ["resume"]).stdout).toBe(stdout);
    git(dir, "worktree", "add", "-q", "../linked");
    expect(handoff(join(dir, "../linked"), ["read", "main"]).stdout).toBe(stdout);
  });

  it("takes a branch, a handle, a whole id or a unique prefix", () => {
    const { dir, handle } = parked();
    git(dir, "switch", "-q", "-c", "other");
    const { stdout } = handoff(dir, ["read", "main"]);
    expect(stdout).toContain("Open handoff detected for main ");
    const id = JSON.parse(handoff(dir, ["read", "main", "--json"]).stdout).handoffs[0].id;
    for (const name of [handle, id, handle.slice(0, 5), id.slice(0, 20)]) {
      expect(handoff(dir, ["read", name]).stdout).toBe(stdout);
    }
  });

  it("says that nothing is open, and where something is", () => {
    const { dir } = parked();
    git(dir, "switch", "-q", "-c", "other");
    expect(handoff(dir, ["read"])).toEqual({
      code: 0,
      stdout: "No open handoff for other.\nOpen on other branches: main\n",
      stderr: "",
    });
    expect(handoff(makeRepo(), ["read"]).stdout).toBe("No open handoff for main.\n");
    expect(handoff(dir, ["read", "nowhere"]).stdout).toContain("No open handoff for nowhere.\n");
  });

  it("never takes an inbox item for the handoff to go on with", () => {
    const { dir, handle } = parked();
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", [{ folder: "inbox", text: pushed(true) }]);
    const report = JSON.parse(handoff(dir, ["read", "--json"]).stdout);
    expect(report.handoffs.map((h: { handle: string }) => h.handle)).toEqual([handle]);
    expect(report.inbox).toHaveLength(1);
    expect(handoff(dir, ["read"]).stdout).toMatch(
      /^Unread handoffs .*\n[\s\S]*Open handoff detected for main/,
    );
  });

  it("shows the inbox alone when detached, and nothing when there is none", () => {
    const { dir } = parked();
    git(dir, "switch", "-q", "--detach");
    expect(handoff(dir, ["read"])).toEqual({ code: 0, stdout: "", stderr: "" });
    writeLog(dir, "refs/handoff/HEAD/ada-3f9a2c", [{ folder: "inbox", text: pushed(false) }]);
    expect(handoff(dir, ["read"]).stdout).toMatch(
      /^Unread handoffs in this repo's inbox: 1 {2}\(0 BREAKING\)\n/,
    );
  });

  it("prints every key of the report as JSON, and nothing else", () => {
    const { dir, handle } = parked({ rejections: [rejection("grep -q 'final class' src/parser.ts")] });
    const { stdout } = handoff(dir, ["read", "--json"]);
    const report = JSON.parse(stdout);
    expect(Object.keys(report)).toEqual(["format", "branch", "head", "handoffs", "inbox", "warnings"]);
    expect(Object.keys(report.handoffs[0])).toEqual([
      ...[
        "id",
        "handle",
        "state",
        "writer",
        "author",
        "written",
        "harness",
        "intent",
        "goal",
        "summary",
        "sections",
      ],
      ...[
        "git",
        "dirty_files",
        "from",
        "session",
        "allowance",
        "links",
        "work",
        "observed",
        "spans",
        "freshness",
      ],
      ...["rejections", "artifacts", "unresolved", "watches"],
    ]);
    expect(report.handoffs[0]).toMatchObject({
      handle,
      state: "open",
      summary: null,
      freshness: { stale: false, ancestry: "ancestor", behind: 0, as: null, ageDays: 0, note: null },
      rejections: [{ verdict: "holds", gating: true, low_info: false, withdrawn: null, note: null }],
    });
    expect(JSON.parse(handoff(makeRepo(), ["read", "--json"]).stdout)).toMatchObject({
      handoffs: [],
      inbox: [],
    });
  });

  it("keeps to what an agent takes, and says how to see the rest", () => {
    const { dir, handle } = parked({}, `## State\n\n${"word ".repeat(4000)}\n\n## Next steps\n\n1. Go on\n`);
    const { stdout } = handoff(dir, ["read"]);
    expect(stdout.length).toBeLessThanOrEqual(8000);
    expect(stdout).toContain(`(cut to fit: State; the whole: git handoff show ${handle})`);
    expect(stdout).toContain("  Next steps:\n    1. Go on\n");
  });

  it("works where a work tree is not: bare, and outside any repository", () => {
    const { dir } = parked({ rejections: [rejection("grep -q 'final class' src/parser.ts")] });
    const bare = join(tempDir("bare"), "bare.git");
    git(dir, "clone", "-q", "--mirror", dir, bare);
    expect(handoff(bare, ["read"]).stdout).toContain("... (1 holding)");
    const { code, stdout, stderr } = handoff(tempDir("none"), ["read"]);
    expect({ code, stdout }).toEqual({ code: 128, stdout: "" });
    expect(stderr).toMatch(/^fatal: not a git repository/);
  });
});

describe("check", () => {
  it("is quiet and 0 when everything stands, or nothing is open", () => {
    const { dir } = parked({
      rejections: [rejection("grep -q 'final class' src/parser.ts"), rejection("make test")],
      artifacts: [{ claim: "parser", evidence: "src/parser.ts", oid: "" }].map(({ claim, evidence }) => ({
        claim,
        evidence,
      })),
    });
    expect(handoff(dir, ["check"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(handoff(makeRepo(), ["check"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each([
    [
      "failed",
      { rejections: [rejection("grep -q absent src/parser.ts")] },
      /^\w{7} {2}fails {4}\[structural\] Parser stays final — /,
    ],
    [
      "changed",
      { artifacts: [{ claim: "parser", evidence: "src/parser.ts", oid: "1".repeat(40) }] },
      /^\w{7} {2}changed {2}src\/parser.ts — parser/,
    ],
    [
      "went missing",
      { artifacts: [{ claim: "gone", evidence: "src/gone.ts" }] },
      /^\w{7} {2}missing {2}src\/gone.ts — gone/,
    ],
    ["is stale", { written: "2020-01-01T00:00:00Z" }, /^\w{7} {2}stale {4}STALE: /],
  ])("exits 1 and names what %s", (_name, parts, line) => {
    const { dir } = parked(parts);
    const { code, stdout } = handoff(dir, ["check"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(line);
    expect(handoff(dir, ["check", "--json"]).code).toBe(1);
  });

  it("asks another branch of its commit", () => {
    const { dir } = parked({ rejections: [rejection("grep -q 'final class' src/parser.ts")] });
    git(dir, "switch", "-q", "-c", "other");
    commit(dir, { "src/parser.ts": "class Parser {}\n" });
    expect(handoff(dir, ["check", "main"]).code).toBe(0);
  });
});

describe("show", () => {
  it("prints the whole document and every verdict", () => {
    const { dir, handle } = parked({ rejections: [rejection("grep -q absent src/parser.ts")] });
    for (const args of [["show"], ["show", handle]]) {
      const { code, stdout } = handoff(dir, args);
      expect(code).toBe(0);
      expect(stdout).toContain("intent: Finish the parser\n");
      expect(stdout).toContain("## State\n\nHalf done.\n");
      expect(stdout).toMatch(
        /\nVerdicts:\n {2}freshness .*\n {2}fails {12}\[structural\] Parser stays final — /,
      );
    }
  });

  it("prints the stored bytes exactly with --raw", () => {
    const dir = makeRepo();
    const text = "---\r\nhandoff: 1\r\nintent: \u001b[31mred\u202e\r\n---\r\n\r\nno end of line";
    const [handle = ""] = writeLog(dir, "refs/handoff/main/ada-3f9a2c", [{ folder: "open", text }]);
    expect(handoff(dir, ["show", "--raw", handle]).stdout).toBe(text);
    expect(handoff(dir, ["show", handle]).stdout).not.toMatch(/[\u001b\u202e\r]/);
  });

  it("shows closed, acknowledged and unread ones by handle, with the inbox's two checks", () => {
    const dir = makeRepo();
    const [closed = "", inbox = "", acked = ""] = writeLog(dir, "refs/handoff/main/ada-3f9a2c", [
      { folder: "closed", text: documentText({ intent: "closed" }) },
      { folder: "inbox", text: pushed(true) },
      { folder: "acked", text: pushed(false, "acked") },
    ]);
    expect(handoff(dir, ["show", closed]).stdout).toContain("(closed, main, ada-3f9a2c)");
    expect(handoff(dir, ["show", acked]).stdout).toContain("(acked, main, ada-3f9a2c)");
    expect(handoff(dir, ["show", inbox]).stdout).toMatch(/\n {2}origin .*\n {2}destination /);
    expect(JSON.parse(handoff(dir, ["show", inbox, "--json"]).stdout)).toMatchObject({
      handoffs: [{ state: "inbox", sections: { impact: "The field is called name now." } }],
      inbox: [{ breaking: true }],
    });
  });

  it("is a negative answer when there is nothing to show", () => {
    const dir = makeRepo();
    expect(handoff(dir, ["show"])).toEqual({ code: 1, stdout: "", stderr: "No open handoff for main.\n" });
    expect(handoff(dir, ["show", "0000000"])).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("inbox", () => {
  it("lists what is unread, breaking first, uncut", () => {
    const dir = makeRepo();
    const texts = [false, true, false].map((breaking, i) =>
      pushed(breaking, `item ${i} ${"word ".repeat(900)}`),
    );
    const [, breaking = ""] = writeLog(
      dir,
      "refs/handoff/HEAD/ada-3f9a2c",
      texts.map((text) => ({ folder: "inbox", text })),
    );
    const { code, stdout } = handoff(dir, ["inbox"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Unread handoffs in this repo's inbox: 3 {2}\(1 BREAKING\)\n/);
    expect(stdout.match(/^ {2}(?:!! BREAKING {2})?[0-9a-f]{7}$/gm)?.[0]).toBe(`  !! BREAKING  ${breaking}`);
    expect(stdout.length).toBeGreaterThan(12_000);
    expect(JSON.parse(handoff(dir, ["inbox", "--json"]).stdout)).toMatchObject({
      handoffs: [],
      inbox: { length: 3 },
    });
  });

  it("is no error when empty", () => {
    const { dir } = parked();
    expect(handoff(dir, ["inbox"])).toEqual({
      code: 0,
      stdout: "No unread handoffs in this repo's inbox.\n",
      stderr: "",
    });
  });
});

it("every surface shows what cannot be read, without hiding the rest", () => {
  const { dir } = parked();
  mkdirSync(join(dir, "empty"));
  writeLog(dir, "refs/handoff/main/bob-111111", [{ folder: "open", text: "---\nintent: [\n---\n" }]);
  writeLog(dir, "refs/handoff/main/eve-222222", [], "2\n");
  const { stdout } = handoff(dir, ["read"]);
  expect(stdout).toMatch(
    /^warning: Handoff file at refs\/handoff\/main\/bob-111111:open\/.* is malformed; skipping\. Inspect manually\.$/m,
  );
  expect(stdout).toMatch(/^warning: refs\/handoff\/main\/eve-222222: written by a newer git-handoff$/m);
  expect(stdout).toContain("Open handoff detected for main");
});

describe("an open handoff that cannot be read, alone on its branch", () => {
  const way = (handle: string) =>
    `${handle} cannot be read: git handoff show ${handle} prints it, git handoff close ${handle} puts it away`;
  const broken = () => {
    const dir = makeRepo();
    const entry = { folder: "open", text: "---\nintent: [\n---\nby hand\n" } as const;
    const [handle = ""] = writeLog(dir, "refs/handoff/main/bob-111111", [entry]);
    return { dir, handle };
  };

  it("is skipped by read, which names the way out", () => {
    const { dir, handle } = broken();
    const { stdout } = handoff(dir, ["read"]);
    expect(stdout).toMatch(/ is malformed; skipping\. Inspect manually\.\n/);
    expect(stdout).toContain(`warning: ${way(handle)}\n`);
    expect(stdout).toContain("No open handoff for main.\n");
  });

  it.each([[], ["--append"], ["--overwrite"]])("and by write %s, which says so and leaves it", (...mode) => {
    const { dir, handle } = broken();
    const { code, stderr } = handoff(dir, ["write", "-m", "go on", ...mode]);
    expect(code).toBe(0);
    expect(stderr).toContain(`warning: ${way(handle)}\n`);
    const listed = handoff(dir, ["list"]).stdout;
    expect(listed).toMatch(/ open .* go on\n/);
    expect(listed).toMatch(/ open .* \(not readable\)\n/);
    expect(handoff(dir, ["write", "-m", "another"])).toMatchObject({
      code: 1,
      stderr: expect.not.stringContaining(handle),
    });
    const dry = handoff(dir, ["write", "-m", "another", "--append", "--dry-run"]);
    expect(dry).toMatchObject({ stdout: expect.not.stringContaining(handle) });
    expect(dry.stderr).toContain(`warning: ${way(handle)}\n`);
  });

  it("goes by that way", () => {
    const { dir, handle } = broken();
    expect(handoff(dir, ["show", handle]).stdout).toContain("by hand");
    expect(handoff(dir, ["close", handle]).stdout).toContain(`Closed: ${handle}`);
    expect(handoff(dir, ["read"]).stdout).toBe("No open handoff for main.\n");
  });

  it("is skipped by reopen, and acknowledged in the inbox", () => {
    const { dir } = broken();
    handoff(dir, ["write", "-m", "go on"]);
    const { id } = JSON.parse(handoff(dir, ["list", "--json"]).stdout).handoffs.find(
      ({ intent }: { intent: string | null }) => intent === "go on",
    );
    expect(handoff(dir, ["close", id]).code).toBe(0);
    expect(handoff(dir, ["reopen", id]).code).toBe(0);
    const note = { folder: "inbox", text: "---\nintent: [\n---\na note\n" } as const;
    const [sent = ""] = writeLog(dir, "refs/handoff/HEAD/bob-111111", [note]);
    expect(handoff(dir, ["read"]).stdout).toContain(`git handoff ack ${sent} puts it away\n`);
    expect(handoff(dir, ["ack", sent]).code).toBe(0);
  });
});
