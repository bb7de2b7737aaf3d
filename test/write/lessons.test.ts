// Lessons go to their own file, in one form, however they are said.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { formatLesson } from "../../src/write/lessons.js";
import { git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { complaint, handoffRefs } from "./store.js";

let repo: string;
beforeEach(() => {
  repo = makeRepo("lessons");
});
const file = () => join(repo, ".git/handoff/lessons.md");
const ENTRY = /^- \d{4}-\d\d-\d\d /;

it("formats date, branch and text, further lines indented", () => {
  expect(formatLesson(" one\ntwo\r\nthree \n", "feat/x", new Date("2026-05-01T10:00:00Z"))).toBe(
    "- 2026-05-01 feat/x: one\n  two\n  three\n",
  );
});

describe("git handoff lesson", () => {
  it("adds to the file in one form, and says where", () => {
    const one = handoff(repo, ["lesson", "look", "first"]);
    expect(one).toEqual({ code: 0, stdout: `Lesson noted in ${file()}.\n`, stderr: "" });
    git(repo, "switch", "-q", "--detach");
    handoff(repo, ["lesson", "then ask\nothers"]);
    const [title, , first, second, rest] = readFileSync(file(), "utf8").split("\n");
    expect([title, rest]).toEqual(["# Lessons", "  others"]);
    expect([first, second]).toEqual([
      expect.stringMatching(/^- \d{4}-\d\d-\d\d main: look first$/),
      expect.stringMatching(/^- \d{4}-\d\d-\d\d HEAD: then ask$/),
    ]);
    expect([handoffRefs(repo), git(repo, "status", "--porcelain")]).toEqual(["", ""]);
  });

  it("is shared by linked work trees", () => {
    const tree = join(tempDir(), "tree");
    git(repo, "worktree", "add", "-qb", "side", tree);
    expect(handoff(tree, ["lesson", "x"]).stdout).toBe(`Lesson noted in ${file()}.\n`);
  });

  it.each([
    ["notes/lessons.md", (at: string) => join(at, "notes/lessons.md")],
    ["~/my-lessons.md", () => join(String(process.env.HOME), "my-lessons.md")],
  ])("goes where handoff.lessons says: %s", (value, place) => {
    git(repo, "config", "handoff.lessons", value);
    mkdirSync(join(repo, "notes"));
    writeFileSync(join(repo, "notes/lessons.md"), "mine, without a newline");
    handoff(join(repo, "src"), ["lesson", "x"]);
    expect(readFileSync(place(repo), "utf8").trimEnd().split("\n").at(-1)).toMatch(ENTRY);
    expect(existsSync(file())).toBe(false);
  });

  it("says why it cannot", () => {
    git(repo, "config", "handoff.lessons", "README.md/x");
    const failed = handoff(repo, ["lesson", "x"]);
    expect([failed.code, failed.stderr]).toEqual([
      128,
      expect.stringMatching(/^fatal: cannot write the lessons to '.*README\.md\/x': /),
    ]);
    const empty = handoff(repo, ["lesson", " "]);
    expect([empty.code, complaint(empty)]).toEqual([129, "error: no lesson: say it in a sentence"]);
    expect(handoff(tempDir(), ["lesson", "x"]).code).toBe(128);
  });
});

describe("lessons of a handoff", () => {
  const input = "intent: x\nlessons: [one, two]\n";

  it("are noted when it is written, and are no part of it", () => {
    const { code, stdout } = handoff(repo, ["write", "--from", "-"], { input });
    expect([code, stdout.split("\n")[1]]).toEqual([0, `2 lessons noted in ${file()}.`]);
    expect(
      readFileSync(file(), "utf8")
        .split("\n")
        .filter((line) => ENTRY.test(line)),
    ).toHaveLength(2);
    expect(handoff(repo, ["show", "--raw"]).stdout).not.toContain("\nlessons:");
  });

  it("are shown, not noted, by a dry run", () => {
    const { stderr } = handoff(repo, ["write", "--from", "-", "--dry-run"], { input });
    expect(stderr).toContain("would note the lesson: one\nwould note the lesson: two\n");
    expect(existsSync(file())).toBe(false);
  });

  it("are not noted when nothing is written", () => {
    handoff(repo, ["write", "-m", "open"]);
    expect(handoff(repo, ["write", "--from", "-"], { input }).code).toBe(1);
    expect(existsSync(file())).toBe(false);
  });

  it("that cannot be noted are told; the handoff stands", () => {
    git(repo, "config", "handoff.lessons", "README.md/x");
    const { code, stdout, stderr } = handoff(repo, ["write", "--from", "-"], { input });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Handoff written: ")]);
    expect(stderr).toMatch(/^warning: cannot write the lessons to .*; not noted: one; two$/m);
  });
});
