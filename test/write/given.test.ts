// What is given on the command line, in a file or on stdin, and what becomes of it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { commit, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { complaint, handoffRefs, stored, writeJson } from "./store.js";

let repo: string;
beforeEach(() => {
  repo = makeRepo("given");
});

const spine = ["--state", "Half done.", "--next", "Go on", "--pointer", "src/parser.ts"];

describe("flags", () => {
  it("make a whole document", () => {
    const head = git(repo, "rev-parse", "HEAD");
    const written = writeJson(repo, [
      ...["-m", "Finish the parser: comments", "--goal", "Ship it", "--summary", "Parsed a lot"],
      ...["--state", "Half\ndone.", "--next", "first", "--next", "second", "--pointer", "src/parser.ts"],
      ...["--done", "src/parser.ts=class is there", "--unresolved", "risk: slow", "--unresolved", "a: b"],
    ]);
    expect(written.warnings).toEqual([]);
    const { meta, body } = stored(repo, written);
    expect(meta).toMatchObject({
      handoff: 1,
      task_key: "main",
      project: "given",
      repository: "unknown",
      delivery: "pulled",
      author: "Ada Lovelace <ada@example.com>",
      harness: "unknown",
      session: { runtime: "unknown", id: "unknown", context: "unknown" },
      intent: "Finish the parser: comments",
      goal: "Ship it",
      summary: "Parsed a lot",
      git: `main @ ${head}`,
      rejections: [],
      artifacts: [
        {
          claim: "class is there",
          evidence: "src/parser.ts",
          oid: git(repo, "rev-parse", "HEAD:src/parser.ts"),
        },
      ],
      unresolved: [
        { kind: "risk", text: "slow" },
        { kind: "finding", text: "a: b" },
      ],
      allowance: "unknown",
      links: [],
      watches: [],
    });
    expect(meta.written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(body).toBe(
      "## State\n\nHalf\ndone.\n\n## Next steps\n\n1. first\n2. second\n\n## Pointers\n\n- src/parser.ts\n",
    );
    expect(meta).not.toHaveProperty("dirty_files");
    expect(meta).not.toHaveProperty("breaking");
    expect(meta).not.toHaveProperty("supersedes");
  });

  it("name id, handle, ref, path and commit so that git finds them", () => {
    const { id, handle, ref, path, commit: made } = writeJson(repo, ["-m", "Go on", ...spine]);
    expect(git(repo, "rev-parse", ref)).toBe(made);
    expect(git(repo, "rev-parse", `${ref}:${path}`).slice(0, 7)).toBe(handle);
    expect(path).toBe(`open/${id}.md`);
    expect(id).toMatch(new RegExp(`^\\d{8}T\\d{6}Z-go-${handle}$`));
    expect(ref).toMatch(/^refs\/handoff\/main\/ada-lovelace-[0-9a-f]{6}$/);
  });

  it("split --done at the first =", () => {
    commit(repo, { "a.txt": "x\n" });
    const { meta } = stored(repo, writeJson(repo, ["-m", "x", "--done", "a.txt=a=b"]));
    expect(meta.artifacts).toMatchObject([{ claim: "a=b", evidence: "a.txt" }]);
  });

  it.each(["skip", "Skip", "trivially recoverable from PR", ""])("take the goal '%s' for none", (goal) => {
    expect(stored(repo, writeJson(repo, ["-m", "x", "--goal", goal])).meta.goal).toBe(null);
  });

  it("complete what --from lacks, win over its scalars and add to its lists", () => {
    const input = "goal: from\nnext: only one\nunresolved:\n  - text: open\n";
    const args = ["--from", "-", "-m", "flag", "--goal", "flag", "--next", "two", "--unresolved", "gap: g"];
    const { meta, body } = stored(repo, writeJson(repo, args, { input }));
    expect(meta).toMatchObject({
      intent: "flag",
      goal: "flag",
      unresolved: [
        { kind: "finding", text: "open" },
        { kind: "gap", text: "g" },
      ],
    });
    expect(body).toBe("## Next steps\n\n1. only one\n2. two\n");
  });
});

describe("--from", () => {
  const meaning = {
    intent: "Fix: the # parser",
    goal: null,
    rejections: [
      {
        kind: "structural",
        claim: "no lexer: too much",
        anchor: "src/parser.ts",
        predicate: "grep -q 'class Parser' src/parser.ts",
        fallback: "drop and surface to user",
      },
    ],
    custom: { kept: ["as", 1, true] },
  };
  const yaml = `
# a comment
intent: "Fix: the # parser"
goal:
rejections:
  - kind: structural
    claim: "no lexer: too much"
    anchor: src/parser.ts
    predicate: grep -q 'class Parser' src/parser.ts
custom: {kept: [as, 1, true]}
`;
  const sections = "## State\n\nHalf.\n\n## Next steps\n\n1. On\n\n## Pointers\n\n- a\n";

  it.each([
    ["YAML", yaml],
    ["YAML with CRLF and a BOM", `\uFEFF${yaml.replaceAll("\n", "\r\n")}`],
    ["JSON", JSON.stringify(meaning)],
    ["JSON over lines", JSON.stringify(meaning, null, "\t")],
    ["Markdown", `---${yaml}---\n\n${sections}`],
    ["Markdown without a body", `---${yaml}---\n`],
  ])("takes %s", (_, input) => {
    const { meta, body } = stored(repo, writeJson(repo, ["--from", "-"], { input }));
    expect(meta).toMatchObject(meaning);
    expect(body).toBe(input.includes("## State") ? sections : "");
  });

  it("takes a Markdown body alone, whose headings would be comments to YAML", () => {
    const input = "## State\n\nDone: all of it\n\n## Notes\n\nkept\n";
    const { meta, body } = stored(repo, writeJson(repo, ["-m", "x", "--from", "-"], { input }));
    expect(body).toBe(input);
    expect(meta).not.toHaveProperty("Done");
  });

  it("reads a file relative to where it is called", () => {
    put(repo, "sub/h.yaml", "intent: from a file\n");
    const { meta } = stored(join(repo, "sub"), writeJson(join(repo, "sub"), ["--from", "h.yaml"]));
    expect(meta.intent).toBe("from a file");
  });

  it("puts named sections before the same ones of the body and keeps all others", () => {
    const input = JSON.stringify({
      intent: "x",
      state: "named",
      skills: "/tdd",
      body: "intro\n\n## State\n\ntold\n\n## Notes\n\nkept\n",
    });
    expect(stored(repo, writeJson(repo, ["--from", "-"], { input })).body).toBe(
      "intro\n\n## State\n\nnamed\n\ntold\n\n## Suggested skills\n\n/tdd\n\n## Notes\n\nkept\n",
    );
  });

  it("tells everything that is wrong at once, by key path and expected value", () => {
    const before = handoffRefs(repo);
    const input = `
rejections:
  - kind: structural
    claim: 5
  - predicate: x
unresolved: [{kind: maybe, text: y}]
links:
  - rel: sister
    target: a
watches:
  - note: nothing watched
written: yesterday
next: 7
`;
    const result = handoff(repo, ["write", "--from", "-"], { input });
    expect(result.code).toBe(129);
    expect(result.stdout).toBe("");
    expect(
      complaint(result)
        .replace(/^error: /gm, "")
        .split("\n")
        .sort(),
    ).toEqual(
      [
        "stdin: rejections[0].claim: expected a string, found 5",
        "stdin: rejections[1].claim: expected a string, found nothing",
        'stdin: unresolved[0].kind: expected "acceptance" | "finding" | "uncertainty" | "risk" | "gap", found "maybe"',
        'stdin: links[0].rel: expected "parent" | "resume" | "related", found "sister"',
        "stdin: watches[0]: expected one of until, ref or pr, found a map",
        'stdin: written: expected a time in ISO 8601 with its offset, as 2026-05-01T10:00:00+02:00, found "yesterday"',
        "stdin: next: expected a list or a string, found 7",
        "stdin: intent: expected a string, found nothing (give -m <text>, or intent in --from)",
      ].sort(),
    );
    expect(handoffRefs(repo)).toBe(before);
  });

  it.each([
    ["nothing", "", "stdin: empty"],
    ["blank lines", "\n \n", "stdin: empty"],
    ["a list", "- a\n", "stdin: expected a map of keys such as intent, found a list"],
    ["a sentence", "just words", "stdin: expected a map of keys such as intent, found a string"],
    ["only a comment", "# x\n", "stdin: expected a map of keys such as intent, found nothing"],
    ["a body twice", "---\nintent: x\nbody: a\n---\nb\n", "stdin: body: given twice"],
    ["broken YAML", "intent: [a\n", "stdin: not readable as YAML"],
    ["too much", `intent: ${"x".repeat(1 << 20)}`, "stdin: larger than 1 MiB"],
    ["an empty intent", "intent: ' '\n", "stdin: intent: expected a text that is not empty"],
  ])("refuses %s", (_, input, message) => {
    const result = handoff(repo, ["write", "--from", "-"], { input });
    expect(result.code).toBe(129);
    expect(complaint(result)).toContain(`error: ${message}`);
    expect(handoffRefs(repo)).toBe("");
  });

  it("says which file it cannot read", () => {
    expect(handoff(repo, ["write", "--from", "gone.md"])).toEqual({
      code: 128,
      stdout: "",
      stderr: "fatal: cannot read 'gone.md': no such file\n",
    });
    expect(handoff(repo, ["write", "--from", "src"]).stderr).toBe("fatal: cannot read 'src': is a folder\n");
  });

  it("warns of a key given twice and of bytes that are no text", () => {
    const file = join(tempDir(), "h.yaml");
    writeFileSync(file, Buffer.concat([Buffer.from("intent: a\nintent: b\ngoal: "), Buffer.from([0xff])]));
    const { warnings } = writeJson(repo, ["--from", file, ...spine]);
    expect(warnings).toEqual([
      expect.stringMatching(/h\.yaml: not valid UTF-8/),
      expect.stringMatching(/h\.yaml: intent: given twice/),
    ]);
  });
});

describe("with nothing to write", () => {
  it("does not wait where there is no terminal", () => {
    const result = handoff(repo, ["write"], { input: "intent: x\n" });
    expect(result.code).toBe(129);
    expect(complaint(result)).toBe("error: nothing to write: give -m <text> or --from <file|->");
  });

  it.each([
    [["-m", "x", "--append", "--overwrite"], "--append and --overwrite exclude each other"],
    [
      ["-m", "x", "--inbox", "--append", "--no-breaking"],
      "an inbox handoff stands alone: no --append or --overwrite",
    ],
    [["-m", "x", "--breaking"], "--breaking is for --inbox"],
    [["-m", "x", "--impact", "y"], "--impact is for --inbox"],
    [["-m", "x", "--branch", "y"], "--branch is for --inbox"],
    [["-m", "x", "--dry-run", "--output", "y"], "--dry-run and --output exclude each other"],
    [["-m", ""], "intent: expected a text that is not empty"],
  ])("refuses %j", (args, message) => {
    const result = handoff(repo, ["write", ...args]);
    expect(result.code).toBe(129);
    expect(complaint(result)).toContain(`error: ${message}`);
    expect(handoffRefs(repo)).toBe("");
  });
});

it("says which keys nobody reads, and what was perhaps meant", () => {
  const input = "intent: Go on\nrejection: [{claim: a}]\nTodo: [b]\nbody: '## State'\n";
  const { warnings } = writeJson(repo, ["--from", "-"], { input });
  expect(warnings).toContain("'rejection' is no key of a handoff: kept, but not shown (meant: rejections?)");
  expect(warnings).toContain("'Todo' is no key of a handoff: kept, but not shown");
});
