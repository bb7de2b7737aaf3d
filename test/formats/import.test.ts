// `git handoff import` as a user calls it.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { commit, git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { evidenceFile, journalFile, parkFile } from "./sources.js";

let repo: string;
let outside: string;
beforeEach(() => {
  repo = makeRepo("import");
  outside = tempDir("outside");
});

function put(path: string, content: string): string {
  const full = join(outside, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

interface ImportReport {
  files: {
    path: string;
    outcome: string | null;
    state: string;
    branch: string;
    ref: string | null;
    handle: string;
    oid: string;
  }[];
  failed: { path: string; reason: string }[];
}

function imported(dir: string, ...args: string[]): ImportReport {
  const { stdout } = handoff(dir, ["import", "--json", ...args]);
  return JSON.parse(stdout) as ImportReport;
}

function refs(dir = repo): string[] {
  return git(dir, "for-each-ref", "--format=%(refname) %(objectname)", "refs/handoff")
    .split("\n")
    .filter(Boolean);
}

/** `<folder> <blob>` of every stored document. */
function stored(dir: string): string[] {
  return refs(dir)
    .flatMap((line) => git(dir, "ls-tree", "-r", line.split(" ")[1] ?? "").split("\n"))
    .filter((line) => line.includes("/"))
    .map((line) => `${line.split("\t")[1]?.split("/")[0]} ${line.split(" ")[2]?.slice(0, 40)}`)
    .sort();
}

describe("a park file", () => {
  it("goes to the branch whose name it is written from, and is shown there", () => {
    git(repo, "switch", "-qc", "feat/park");
    const path = put(
      "tasks/repo/handoff/feat-park.md",
      parkFile(
        "  - kind: structural\n    claim: No regex\n    anchor: a\n    predicate: grep -q Parser src/parser.ts\n",
      ),
    );
    const { code, stdout, stderr } = handoff(repo, ["import", path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^Imported: [0-9a-f]{7} Ship the parser \(park, open on feat\/park\) from \/.*\n {2}understood: task_key, project, written, intent, rejections \(1\)\n {2}in the body: the text\n$/,
    );
    expect(refs()[0]).toMatch(/^refs\/handoff\/feat\/park\/ada-/);
    const { stdout: block } = handoff(repo, ["read"]);
    expect(block).toContain(
      "Open handoff detected for feat/park (written 2026-05-01T10:00:00Z by unknown, unknown).",
    );
    expect(block).toMatch(/Holding .*\n {4}\[structural\] No regex\n/);
  });

  it("twice is once, also under another name or from another place", () => {
    const path = put("handoff/feat-park.md", parkFile("  []\n"));
    expect(imported(repo, path).files[0]).toMatchObject({ outcome: "imported", branch: "feat-park" });
    const before = refs();
    expect(imported(repo, path).files[0]).toMatchObject({ outcome: "known", ref: null });
    expect(imported(repo, put("x/y.md", readFileSync(path, "utf8"))).files[0]?.outcome).toBe("known");
    expect(refs()).toEqual(before);
    expect(handoff(repo, ["import", path]).stdout).toMatch(/^Known already: /);
  });

  it("says where a known one is here, not where its source has it; what was redacted is not said to be open", () => {
    const path = put("handoff/feat-park.md", parkFile("  []\n"));
    const [file] = imported(repo, path).files;
    handoff(repo, ["close", file?.handle ?? ""]);
    expect(imported(repo, path).files[0]).toMatchObject({ outcome: "known", state: "closed" });
    expect(handoff(repo, ["import", path]).stdout).toContain("(park, closed on feat-park)");
    expect(handoff(repo, ["redact", file?.handle ?? "", "--yes"]).code).toBe(0);
    expect(imported(repo, path).files[0]).toMatchObject({ outcome: "gone", state: "gone", ref: null });
    expect(handoff(repo, ["import", path]).stdout).toMatch(
      /^Not taken in, as it was pruned or redacted here: .*\(park, gone on feat-park\)/,
    );
    expect(handoff(repo, ["list", "--all", "--closed"]).stdout).toBe("");
  });

  it("imported again after it was closed there is closed here; never the other way", () => {
    git(repo, "branch", "feat/park");
    const text = parkFile("  []\n");
    const open = put("handoff/feat-park.md", text);
    const closed = put("handoff/feat-park.md.closed-20260502T110000Z", text);
    imported(repo, open);
    expect(imported(repo, closed).files[0]?.outcome).toBe("ended");
    expect(imported(repo, closed).files[0]?.outcome).toBe("known");
    expect(imported(repo, open).files[0]?.outcome).toBe("known");
    expect(handoff(repo, ["list", "--all"]).stdout).toBe("");
    const log = handoff(repo, ["log", "feat/park"]).stdout;
    expect(log).toContain("reason: closed 20260502T110000Z");
  });

  it("closed comes in closed", () => {
    const path = put("handoff/main.md.closed-20260502", parkFile("  []\n").replace("feat-park", "main"));
    expect(imported(repo, path).files[0]).toMatchObject({
      state: "closed",
      branch: "main",
      outcome: "imported",
    });
    expect(handoff(repo, ["read"]).stdout).toBe("No open handoff for main.\n");
    expect(handoff(repo, ["list", "--closed"]).stdout).toContain("closed");
  });

  it("goes where --branch says", () => {
    const path = put("handoff/feat-park.md", parkFile("  []\n"));
    expect(imported(repo, "--branch", "main", path).files[0]?.branch).toBe("main");
    const { code, stderr } = handoff(repo, ["import", "--branch", "a..b", path]);
    expect({ code, stderr }).toEqual({ code: 128, stderr: "fatal: 'a..b' is not a valid branch name\n" });
  });
});

it("two people who import the same files have the same handoffs", () => {
  const folder = dirname(put("all/handoff/feat-park.md", parkFile("  []\n")));
  put("all/handoff/other.md.closed-x", parkFile("  []\n", "x: 1\n"));
  put("all/handoffs/2026-05-01_1000_a.md", journalFile({ focus: "Ask bob@example.org" }));
  put(
    "all/handoffs/inbox/2026-05-01_1000_a.md",
    journalFile({ breaking: "true # c" }, "## Impact here\n\nx\n"),
  );
  put(
    "all/.agents/ao/handoff/handoff-20260501T100000Z.json",
    evidenceFile({ id: "handoff-20260501T100000Z", goal: "x" }),
  );
  put("all/notes/x.md", "x");
  const all = dirname(folder);
  const other = makeRepo("elsewhere");
  commit(other, { a: "1" }, "bob's own");
  git(other, "config", "user.email", "bob@example.org");
  git(other, "config", "user.name", "Bob");
  git(other, "remote", "add", "origin", "https://example.org/x.git");
  expect(imported(repo, all).files).toHaveLength(5);
  handoff(other, ["import", all], { env: { HOME: outside, USER: "bob", TZ: "Asia/Tokyo" } });
  expect(stored(other)).toEqual(stored(repo));
  expect(stored(repo)).toHaveLength(5);
});

describe("a folder", () => {
  it("comes in as a whole, one commit a branch, its bad files reported", () => {
    put("s/a.md", "# A\n");
    put("s/b.md", "# B\n");
    put("s/c.md", "");
    const { code, stdout, stderr } = handoff(repo, ["import", join(outside, "s")]);
    expect(code).toBe(0);
    expect(stdout.match(/^Imported: /gm)).toHaveLength(2);
    expect(stderr).toMatch(/^warning: .*a\.md: says no branch; taken for the current one, main$/m);
    expect(stderr).toMatch(/^warning: .*c\.md: empty$/m);
    expect(git(repo, "rev-list", "--count", refs()[0]?.split(" ")[1] ?? "")).toBe("1");
    expect(git(repo, "log", "-1", "--format=%s", refs()[0]?.split(" ")[1] ?? "")).toBe("import: 2 handoffs");
  });

  it("with nothing in it is a negative answer", () => {
    put("s/c.md", "");
    const { code, stdout, stderr } = handoff(repo, ["import", join(outside, "s")]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^warning: .*c\.md: empty\nNo handoff was taken in\.\n$/);
    expect(handoff(repo, ["import", "nowhere.md"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "warning: nowhere.md: no such file\nNo handoff was taken in.\n",
    });
    expect(handoff(repo, ["import", "--json", "nowhere.md"])).toMatchObject({ code: 1, stderr: "" });
  });
});

it("a dry run says the same and changes nothing", () => {
  const path = put("handoff/feat-park.md", parkFile("  []\n"));
  const { code, stdout } = handoff(repo, ["import", "-n", path]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Would be imported: [0-9a-f]{7} Ship the parser \(park, open on feat-park\)/);
  const { files } = imported(repo, "--dry-run", path);
  expect(files[0]).toMatchObject({ outcome: null, state: "open", ref: null });
  expect(refs()).toEqual([]);
  expect(git(repo, "config", "--get-regexp", "^core.bare")).not.toContain("handoff");
  expect(imported(repo, path).files[0]?.handle).toBe(files[0]?.handle);
});

it("in JSON every key is there", () => {
  const path = put("handoff/feat-park.md", parkFile("  []\n"));
  put("handoff/empty.md", "");
  const report = imported(repo, dirname(path)) as unknown as Record<string, unknown>;
  expect(report).toEqual({
    format: 1,
    dry_run: false,
    files: [
      {
        path,
        form: "park",
        outcome: "imported",
        state: "open",
        branch: "feat-park",
        id: expect.stringMatching(/^20260501T100000Z-ship-parser-[0-9a-f]{7}$/),
        handle: expect.stringMatching(/^[0-9a-f]{7}$/),
        ref: expect.stringMatching(/^refs\/handoff\/feat-park\/ada-/),
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        intent: "Ship the parser",
        understood: ["task_key", "project", "written", "intent"],
        body: ["the text"],
        warnings: ["no branch is written feat-park; taken for a branch of that name"],
      },
    ],
    failed: [{ path: join(outside, "handoff/empty.md"), reason: "empty" }],
    warnings: [`${join(outside, "handoff/empty.md")}: empty`],
  });
});

it("never touches a source file", () => {
  const path = put("handoffs/inbox/2026-05-01_1000_a.md", journalFile({ breaking: "true" }));
  const before = [readFileSync(path, "utf8"), statSync(path).mtimeMs, statSync(dirname(path)).mtimeMs];
  imported(repo, outside);
  expect([readFileSync(path, "utf8"), statSync(path).mtimeMs, statSync(dirname(path)).mtimeMs]).toEqual(
    before,
  );
});

it("an inbox item is unread on every branch until it is acknowledged, here or in .acked", () => {
  put(
    "handoffs/inbox/2026-05-01_1000_a.md",
    journalFile({ breaking: "true   # c", focus: "One" }, "## Impact here\n\nRename it.\n"),
  );
  put("handoffs/inbox/2026-05-02_1000_b.md", journalFile({ breaking: "false", focus: "Two" }));
  put("handoffs/inbox/.acked", "2026-05-02_1000_b.md\n");
  imported(repo, outside);
  git(repo, "switch", "-qc", "other");
  const { stdout } = handoff(repo, ["inbox"]);
  expect(stdout).toContain("Unread handoffs in this repo's inbox: 1  (1 BREAKING)");
  expect(stdout).toContain("Rename it.");
  put("handoffs/inbox/.acked", "2026-05-01_1000_a.md\n2026-05-02_1000_b.md\n");
  expect(imported(repo, outside).files.map(({ outcome }) => outcome)).toEqual(["ended", "known"]);
  expect(handoff(repo, ["inbox", "--json"]).stdout).toContain('"inbox": []');
});

it("works where nothing is checked out, and in a bare repository", () => {
  git(repo, "switch", "-q", "--detach");
  const named = put("handoff/feat-park.md", parkFile("  []\n"));
  const unnamed = put("x.md", "# X\n");
  const report = imported(repo, named, unnamed);
  expect(report.files.map(({ branch }) => branch)).toEqual(["feat-park"]);
  expect(report.failed[0]?.reason).toBe("says no branch, and none is checked out: give --branch");
  const bare = join(tempDir("bare"), "b.git");
  git(repo, "clone", "-q", "--bare", repo, bare);
  expect(imported(bare, named).files[0]?.outcome).toBe("imported");
});

it("in a sha256 repository is the same, too", () => {
  const dir = makeRepo("sha256", ["--object-format=sha256"]);
  const path = put("handoff/feat-park.md", parkFile("  []\n"));
  expect(imported(dir, path).files[0]?.outcome).toBe("imported");
  expect(imported(dir, path).files[0]?.outcome).toBe("known");
});

describe("secrets and people in a source file", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const text = parkFile(
    `  - kind: structural\n    claim: Use ${token}\n    anchor: x\n    predicate: grep -q x src/x\n`,
  ).replace("Some scratch.", `Ask ann@corp.io, see /home/ann/notes and ${token}.`);

  it("are not stored, in no key and not in the header that is kept", () => {
    const { stderr } = handoff(repo, ["import", put("handoff/feat-park.md", text)]);
    expect(stderr).toMatch(/warning: .*: redacted in rejections\[0\]\.claim: github\n/);
    expect(stderr).toMatch(/warning: .*: redacted in body: github\n/);
    expect(stderr).toMatch(/warning: .*: redacted in body: email\n/);
    const raw = git(repo, "cat-file", "blob", stored(repo)[0]?.split(" ")[1] ?? "");
    expect(raw).not.toContain(token);
    expect(stderr).not.toContain(token);
    expect(raw).toContain("Ask [REDACTED:email], see ~/notes and [REDACTED:github].");
    expect(raw).toContain("    claim: Use [REDACTED:github]\n    anchor: x\n");
  });

  it("stay with --no-redact", () => {
    const { stderr } = handoff(repo, ["import", "--no-redact", put("handoff/feat-park.md", text)]);
    expect(stderr).not.toContain("redacted");
    expect(git(repo, "cat-file", "blob", stored(repo)[0]?.split(" ")[1] ?? "")).toContain(token);
  });
});

/** A folder of real handoffs, which are other people's and not kept here. */
const samples = process.env.HANDOFF_SAMPLES ?? "";

it.runIf(existsSync(samples))(
  "real handoffs come in, all of them, and keep every line but what was redacted",
  () => {
    const names = readdirSync(samples);
    expect(imported(repo, samples).files.map(({ path }) => basename(path))).toEqual(names);
    const raw = stored(repo).map((line) => git(repo, "cat-file", "blob", line.split(" ")[1] ?? ""));
    expect(raw).toHaveLength(names.length);
    const kept = new Set(raw.join("\n").split("\n"));
    const lost = names
      .flatMap((name) => readFileSync(join(samples, name), "utf8").split("\n"))
      .filter((line) => !kept.has(line));
    // Home folders, and nothing else.
    expect(lost.filter((line) => !/\/(?:home|Users)\/dev/.test(line))).toEqual([]);
    expect(
      lost.map((line) => line.replace(/\/(?:home|Users)\/dev/g, "~")).filter((line) => !kept.has(line)),
    ).toEqual([]);
  },
);
