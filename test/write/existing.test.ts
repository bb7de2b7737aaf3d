// Writing beside an open handoff: refused, appended, overwritten.
import { beforeEach, describe, expect, it } from "vitest";
import { git, handoff, makeRepo } from "../support/repo.js";
import { folder, handoffRefs, type JsonWrite, stored, writeJson } from "./store.js";

let repo: string;
let first: JsonWrite;
beforeEach(() => {
  repo = makeRepo("existing");
  first = writeJson(repo, ["--from", "-"], {
    input: `
intent: Begin
goal: Ship
custom: kept
rejections: [{kind: structural, claim: a, anchor: src/parser.ts, predicate: test -f src/parser.ts}]
artifacts: [{claim: parser, evidence: src/parser.ts}]
allowance: {remaining: 2, helper_used: true}
state: First state.
next: [one]
body: "## Notes\\n\\nkept as they are\\n"
`,
  });
});

describe("a plain write", () => {
  it.each([
    ["-m", "Again"],
    ["--edit", "-m", "Again"],
    ["-m", "Again", "--json"],
  ])("exits 1, writes nothing and names the open one (%j)", (...args) => {
    const before = handoffRefs(repo);
    const result = handoff(repo, ["write", ...args], { env: { GIT_EDITOR: "false" } });
    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: `An open handoff exists for main: ${first.id}. Say --append or --overwrite.\n`,
    });
    expect(handoffRefs(repo)).toBe(before);
  });

  it("is free on another branch, and after close", () => {
    git(repo, "switch", "-qc", "feat/x");
    expect(handoff(repo, ["write", "-m", "Again"]).code).toBe(0);
    git(repo, "switch", "-q", "main");
    handoff(repo, ["close"]);
    expect(handoff(repo, ["write", "-m", "Again"]).code).toBe(0);
  });

  it("as a dry run shows the document and warns", () => {
    const { code, stdout, stderr } = handoff(repo, ["write", "-m", "Again", "--dry-run"]);
    expect([code, stdout.includes("intent: Again")]).toEqual([0, true]);
    expect(stderr).toContain(
      `warning: an open handoff exists for main: ${first.id}; to write this one say --append or --overwrite\n`,
    );
  });
});

describe("--append", () => {
  it("keeps everything, adds and replaces, and closes the earlier one", () => {
    const before = stored(repo, first);
    const second = writeJson(repo, ["--append", "--from", "-", "--next", "two"], {
      input: `
intent: Go on
summary: new
rejections:
  - {kind: contractual, claim: b, anchor: x, predicate: test -f README.md}
  - {kind: structural, claim: a, anchor: src/parser.ts, predicate: test -f src/parser.ts}
allowance: {remaining: 1, helper_used: false}
state: Second state.
`,
    });
    const { meta, body } = stored(repo, second);
    expect(meta).toMatchObject({
      intent: "Go on",
      goal: "Ship",
      summary: "new",
      custom: "kept",
      supersedes: [first.id],
      allowance: { remaining: 1, helper_used: true },
    });
    expect(meta.rejections.map(({ claim }) => claim)).toEqual(["a", "b"]);
    expect(meta.artifacts).toEqual(before.meta.artifacts);
    expect(body).toBe(
      "## State\n\nFirst state.\n\nSecond state.\n\n## Next steps\n\n1. one\n2. two\n\n## Notes\n\nkept as they are\n",
    );
    expect(folder(repo, second.ref, "open")).toEqual([`${second.id}.md`]);
    expect(folder(repo, second.ref, "closed")).toEqual([`${first.id}.md`]);
    expect(git(repo, "log", "-1", "--format=%s%n%(trailers)", second.ref)).toContain(
      `Handoff-Supersedes: ${first.id}`,
    );
  });

  it("asks the intent anew", () => {
    const result = handoff(repo, ["write", "--append", "--state", "x"]);
    expect(result.code).toBe(129);
    expect(result.stderr).toContain("error: intent: expected a string, found nothing");
  });

  it("keeps proof that is no longer there: it was seen", () => {
    git(repo, "rm", "-q", "src/parser.ts");
    const { meta } = stored(repo, writeJson(repo, ["--append", "-m", "y"]));
    expect(meta.artifacts).toMatchObject([{ evidence: "src/parser.ts" }]);
    expect(meta.unresolved).toEqual([]);
  });
});

describe("--overwrite", () => {
  it("starts anew but for the allowance, warns, and closes the earlier one", () => {
    const second = writeJson(repo, ["--overwrite", "-m", "Anew"]);
    const { meta, body } = stored(repo, second);
    expect(meta).toMatchObject({
      goal: null,
      rejections: [],
      supersedes: [first.id],
      allowance: { remaining: 2, helper_used: true },
    });
    expect([meta.custom, body]).toEqual([undefined, ""]);
    expect(second.warnings).toContain(`closed and no longer surfaced: ${first.id}`);
    expect(folder(repo, second.ref, "closed")).toEqual([`${first.id}.md`]);
    expect(git(repo, "log", "-1", "--format=%(trailers:key=Handoff-Event,valueonly)", second.ref)).toContain(
      "supersede",
    );
  });

  it("as a dry run says what would be closed", () => {
    const { stdout } = handoff(repo, ["write", "--overwrite", "-m", "Anew", "--dry-run", "--json"]);
    expect((JSON.parse(stdout) as JsonWrite).warnings).toContain(
      `would be closed and no longer surfaced: ${first.id}`,
    );
    expect(folder(repo, first.ref, "open")).toEqual([`${first.id}.md`]);
  });
});
