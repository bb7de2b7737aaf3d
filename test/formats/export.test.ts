// `git handoff export` as a user calls it.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Frontmatter } from "../../src/document/types.js";
import { EXPORT_FORMATS } from "../../src/formats/types.js";
import { git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";
import { RULES } from "./rules.js";
import { evidenceFile, journalFile, parkFile } from "./sources.js";

const rich: Partial<Frontmatter> = {
  task_key: "feat/park",
  goal: "Green by Friday",
  harness: "claude-code",
  repository: "https://example.com/x.git",
  git: `feat/park @ ${"ab12".repeat(10)} (dirty)`,
  dirty_files: ["a.ts"],
  written: "2026-05-01T10:00:00+02:00",
  session: { runtime: "claude-code", id: "s-1", context: "unknown" },
  rejections: [
    {
      kind: "structural",
      claim: "Use --> arrows: no",
      anchor: "src/parser.ts",
      predicate: "grep -q 'a # b: c' src/parser.ts",
      fallback: "drop and surface to user",
    },
    {
      kind: "untyped",
      claim: "Taken back",
      anchor: null,
      predicate: "",
      fallback: "drop and surface to user",
      withdrawn: "was wrong",
    },
  ],
  artifacts: [{ claim: "Parser done", evidence: "src/parser.ts", oid: "ab12".repeat(10) }],
  unresolved: [
    { kind: "risk", text: "docs lag" },
    { kind: "gap", text: "no tests" },
  ],
  links: [{ rel: "parent", target: "x", evidence: "unknown" }],
  watches: [{ pr: 4, state: "open", note: "n" }],
};

let repo: string;
beforeEach(() => {
  repo = makeRepo("export");
});

function exported(dir: string, ...args: string[]) {
  const { code, stdout, stderr } = handoff(dir, ["export", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

function blobs(dir: string): string[] {
  return git(dir, "for-each-ref", "--format=%(objectname)", "refs/handoff")
    .split("\n")
    .filter(Boolean)
    .flatMap((oid) => git(dir, "ls-tree", "-r", oid).split("\n"))
    .filter((line) => line.includes("/"))
    .map((line) => line.split(/\s/)[2] ?? "");
}

describe.each(EXPORT_FORMATS)("%s", (format) => {
  it("goes out by the format's rules and comes in elsewhere as the same document", async () => {
    const { handle, oid } = await seed(repo, { branch: "feat/park", meta: rich });
    const out = tempDir("out");
    expect(exported(repo, "--format", format, "--output", out, handle)).toMatch(/^Handoff exported: \//);
    const [name = ""] = readdirSync(out);
    const text = readFileSync(join(out, name), "utf8");
    expect(RULES[format](text, name)).toEqual([]);
    expect(exported(repo, "--format", format, handle)).toBe(text);
    const other = makeRepo("other");
    const { stderr } = handoff(other, ["import", join(out, name)]);
    expect(stderr).toBe("");
    expect(blobs(other)).toEqual([oid]);
    expect(git(other, "for-each-ref", "--format=%(refname)")).toContain("refs/handoff/feat/park/");
    // And back home it is known.
    expect(handoff(repo, ["import", join(out, name)]).stdout).toMatch(/^Known already: /);
  });

  it.each([
    [
      "park",
      "feat-park.md",
      parkFile("  - kind: structural\n    claim: a: b\n    anchor: x\n    predicate: true\n", "owner: ada\n"),
    ],
    [
      "evidence",
      "handoff-20260501T100000.5Z.json",
      evidenceFile({
        id: "handoff-20260501T100000.5Z",
        summary: "s",
        continuation: "c",
        open_risks: ["r"],
        type: "auto",
        state: { git_dirty: true, git_branch: "b" },
      }),
    ],
    [
      "inbox",
      "2026-05-01_1000_a.md",
      journalFile(
        { breaking: "true  # c", from: "\n  repo: o\n  git: main @ 72745e1" },
        "## Impact here\n\nx\n",
      ),
    ],
    ["markdown", "n.md", "---\nstatus: doing # what\n---\n# Note\n"],
    ["yaml", "n.yaml", "---\ndate: 2026-02-08\n---\nnow: go\nnext:\n  - a\n"],
  ])("takes what came from %s by its own rules, and back", (_, name, text) => {
    const source = join(tempDir("source"), name);
    writeFileSync(source, text);
    handoff(repo, ["import", source]);
    const [oid = ""] = blobs(repo);
    const out = tempDir("out");
    const args = ["export", "--format", format, "--output", `${out}/new/`, oid.slice(0, 7)];
    const warning = name === "n.md" && format === "evidence" ? expect.stringContaining("1970-01-01") : "";
    expect(handoff(repo, args)).toMatchObject({ code: 0, stderr: warning });
    const [written = ""] = readdirSync(join(out, "new"));
    expect(RULES[format](readFileSync(join(out, "new", written), "utf8"), written)).toEqual([]);
    const other = makeRepo("other");
    expect(handoff(other, ["import", join(out, "new", written)]).code).toBe(0);
    expect(blobs(other)).toEqual([oid]);
  });
});

describe("a time that is not known", () => {
  it.each(["unknown", "last spring"])("of %s the evidence form makes one, and says so", async (written) => {
    const { handle, oid } = await seed(repo, { meta: { written } });
    const { stdout, stderr } = handoff(repo, ["export", "--format", "evidence", handle]);
    expect(JSON.parse(stdout)).toMatchObject({ created_at: "1970-01-01T00:00:00Z" });
    expect(stderr).toBe(
      "warning: when it was written is not known; the format needs a time, so the file says 1970-01-01\n",
    );
    const path = join(tempDir("dated"), "x.json");
    writeFileSync(path, stdout);
    const other = makeRepo("other");
    expect(handoff(other, ["import", path]).code).toBe(0);
    expect(blobs(other)).toEqual([oid]);
  });

  it.each(["park", "inbox"])("the %s form has a word for that", async (format) => {
    const { handle } = await seed(repo, { meta: { written: "unknown" } });
    const { stdout, stderr } = handoff(repo, ["export", "--format", format, handle]);
    expect(stdout).toMatch(/^(written|created): "?unknown"?$/m);
    expect(stderr).toBe("");
  });
});

describe("a file changed after its export", () => {
  it("is taken as it now is, and the rest stays as it was", async () => {
    const { handle } = await seed(repo, { branch: "feat/park", meta: rich });
    const park = exported(repo, "--format", "park", handle)
      .replace("intent: Fix the parser", "intent: Fix it: now")
      .replace(
        "rejections:\n",
        "rejections:\n  - kind: structural\n    claim: New\n    anchor: a\n    predicate: true\n    fallback: ask\n",
      )
      .concat("\nMore scratch.\n");
    const path = join(tempDir("changed"), "feat-park.md");
    writeFileSync(path, park);
    const other = makeRepo("other");
    const { stderr } = handoff(other, ["import", path]);
    expect(stderr).toContain("changed since it was exported, taken as it now is: rejections");
    const [oid = ""] = blobs(other);
    const raw = git(other, "cat-file", "blob", oid);
    expect(raw).toContain('intent: "Fix it: now"');
    expect(raw).toContain("claim: New");
    expect(raw).toContain("harness: claude-code");
    expect(raw).toContain("runtime: claude-code");
    expect(raw).toMatch(/- src\/parser\.ts\n\nMore scratch\.$/);
    expect(raw).not.toContain("<!-- git-handoff");
  });

  it("an evidence file's continuation is the next steps", async () => {
    const { handle } = await seed(repo, { branch: "feat/park", meta: rich });
    const fields = JSON.parse(exported(repo, "--format", "evidence", handle)) as Record<string, unknown>;
    const path = join(tempDir("changed"), "x.json");
    writeFileSync(path, JSON.stringify({ ...fields, continuation: "Ask Bob", goal: "Other" }));
    const other = makeRepo("other");
    handoff(other, ["import", path]);
    const raw = git(other, "cat-file", "blob", blobs(other)[0] ?? "");
    expect(raw).toContain("## Next steps\n\n1. Ask Bob\n");
    expect(raw).toContain("goal: Other\n");
    expect(raw).toContain("## State\n\nHalf done.");
    expect(raw).toContain("harness: claude-code");
  });

  it("a damaged block stays in the body, with a warning", async () => {
    const { handle } = await seed(repo, { branch: "feat/park", meta: rich });
    const path = join(tempDir("changed"), "feat-park.md");
    writeFileSync(path, exported(repo, "--format", "park", handle).replace('"meta": {', '"meta": ['));
    const other = makeRepo("other");
    expect(handoff(other, ["import", path]).stderr).toContain(
      "its git-handoff block is damaged and stays in the body",
    );
    expect(git(other, "cat-file", "blob", blobs(other)[0] ?? "")).toContain("<!-- git-handoff");
  });
});

describe("where it goes", () => {
  it("park: a closed handoff gets the name of a closed one", async () => {
    const { handle } = await seed(repo, { branch: "feat/park", meta: rich });
    handoff(repo, ["close", handle]);
    const out = tempDir("out");
    exported(repo, "--format", "park", "--output", out, handle);
    expect(readdirSync(out)).toEqual([expect.stringMatching(/^feat-park\.md\.closed-\d{8}T\d{6}Z$/)]);
    const other = makeRepo("other");
    handoff(other, ["import", out]);
    expect(handoff(other, ["list", "--all", "--closed"]).stdout).toMatch(/ closed +feat\/park /);
  });

  it("evidence: named by its id, never into the legacy folder, never over another", async () => {
    const { handle } = await seed(repo, {
      branch: "feat/park",
      meta: { ...rich, written: "2026-05-01T10:00:00.25+02:00" },
    });
    const legacy = join(repo, ".agents/handoff");
    const folder = join(repo, ".agents/ao/handoff");
    mkdirSync(legacy, { recursive: true });
    symlinkSync("handoff", join(repo, ".agents/link"));
    for (const output of [
      ".agents/handoff",
      ".agents/handoff/x.json",
      ".agents/handoff/",
      ".agents/link/x.json",
    ]) {
      const { code, stderr } = handoff(repo, ["export", "--format", "evidence", "--output", output, handle]);
      expect({ code, stderr }).toEqual({
        code: 128,
        stderr: `fatal: '${output}' is the format's legacy folder, which is read only: use .agents/ao/handoff\n`,
      });
    }
    expect(readdirSync(legacy)).toEqual([]);
    exported(repo, "--format", "evidence", "--output", `${folder}/`, handle);
    const name = "handoff-20260501T080000.250000000Z.json";
    expect(readdirSync(folder)).toEqual([name]);
    exported(repo, "--format", "evidence", "--output", folder, handle);
    writeFileSync(join(folder, name), "{}");
    const { code, stderr } = handoff(repo, ["export", "--format", "evidence", "--output", folder, handle]);
    expect({ code, stderr }).toEqual({
      code: 128,
      stderr: `fatal: '${join(folder, name)}' is there already and is another handoff\n`,
    });
    expect(readFileSync(join(folder, name), "utf8")).toBe("{}");
  });

  it("inbox: named by its minute and intent; pushed ones below the journal", async () => {
    const { handle } = await seed(repo, { branch: "feat/park", meta: rich });
    const item = await seed(repo, {
      branch: "HEAD",
      meta: { delivery: "pushed", breaking: true, intent: "Rename amount" },
      body: "## Impact here\n\nx\n",
    });
    const folder = join(tempDir("lb"), "handoffs");
    exported(repo, "--format", "inbox", "--output", `${folder}/`, handle);
    exported(repo, "--format", "inbox", "--output", `${folder}/`, item.handle);
    expect(readdirSync(folder)).toEqual(["2026-05-01_1000_fix-parser.md", "inbox"]);
    expect(readdirSync(join(folder, "inbox"))).toEqual(["2026-05-01_1000_rename-amount.md"]);
    const text = readFileSync(join(folder, "inbox/2026-05-01_1000_rename-amount.md"), "utf8");
    expect(text).toContain(`project: ${repo}\ncreated: 2026-05-01T10:00\n`);
    expect(text).toContain("\nbreaking: true\n");
  });

  it("to a file that is named, over what is there; without a folder it fails", async () => {
    const { handle } = await seed(repo, { branch: "feat/park", meta: rich });
    writeFileSync(join(repo, "x.md"), "old");
    exported(repo, "--format", "park", "--output", "x.md", handle);
    expect(readFileSync(join(repo, "x.md"), "utf8")).toContain("task_key: feat-park\n");
    const { code, stderr } = handoff(repo, ["export", "--format", "park", "--output", "no/x.md", handle]);
    expect({ code, stderr }).toEqual({
      code: 128,
      stderr: `fatal: cannot write '${join(repo, "no/x.md")}': no such folder\n`,
    });
    expect(existsSync(join(repo, "no"))).toBe(false);
  });
});

it("wants to know the format, and a handoff that there is", async () => {
  const { handle } = await seed(repo);
  expect(handoff(repo, ["export", handle])).toMatchObject({ code: 129, stdout: "" });
  expect(handoff(repo, ["export", "--format", "park", "zzzzzzz"])).toMatchObject({
    code: 1,
    stderr: "No handoff is named 'zzzzzzz'.\n",
  });
});
