// Clones that do not have everything, and machines whose grep or gh is another one.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProgram } from "../../../src/verify/predicate/program.js";
import { commit, git, makeRepo, put, tempDir } from "../../support/repo.js";
import { snapshot } from "../../support/tree.js";
import { askAll, factsOf } from "./ask.js";
import { ABSENT_OID } from "./table.js";

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

/** A PATH with git and these scripts only. */
function onlyPrograms(scripts: Record<string, string>): string {
  const bin = tempDir("bin");
  const real = findProgram("git", path) ?? "";
  symlinkSync(real, join(bin, "git"));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  process.env.PATH = bin;
  return bin;
}

describe("a machine whose grep is not GNU's", () => {
  beforeEach(() => {
    onlyPrograms({
      grep: 'case "$1" in --version) echo "grep (BSD grep, GNU compatible) 2.6.0-FreeBSD";; *) exit 0;; esac',
    });
  });

  it("answers as GNU grep does wherever that is certain", async () => {
    const dir = makeRepo();
    put(dir, "words.txt", "foo bar\nfoobar\nÉcole\n");
    writeFileSync(join(dir, "latin1.txt"), Buffer.from("caf\xe9 plain\n", "latin1"));
    const rows: [string, string, string | null][] = [
      ["grep -q foobar words.txt", "holds", null],
      ["grep -q nothing words.txt", "fails", "pattern not found in words.txt"],
      ["grep -q 'foo\\|nothing' words.txt", "holds", null],
      ["grep -qw 'foo' words.txt", "holds", null],
      ["grep -q '\\<bar\\>' words.txt", "holds", null],
      ["grep -qi 'école' words.txt", "holds", null],
      ["grep -qE '(o)\\1b' words.txt", "holds", null],
      ["grep -qx 'foo.*' words.txt", "holds", null],
      ["grep -q plain latin1.txt", "holds", null],
      ["grep -q 'pl..n' latin1.txt", "cannot-evaluate", "not UTF-8"],
      ["grep -qw 'x*' words.txt", "cannot-evaluate", "only GNU grep can tell, and it is not here"],
      ["grep -qP 'foo(?=bar)' words.txt", "cannot-evaluate", "only GNU grep can tell, and it is not here"],
    ];
    const answers = await askAll(
      rows.map(([predicate]) => predicate),
      await factsOf(dir),
    );
    expect(rows.map(([predicate], at) => [predicate, answers[at]?.verdict, answers[at]?.note])).toEqual(rows);
  });
});

describe("gh", () => {
  const log = (): string => join(tempDir("gh"), "log");
  const state = '.state == "OPEN"';

  it("is asked in one fixed form", async () => {
    const file = log();
    onlyPrograms({
      gh: `for a; do echo "$a" >>${file}; done; echo GIT_DIR=$GIT_DIR GH_REPO=$GH_REPO >>${file}; echo true`,
    });
    const dir = makeRepo();
    process.env.GH_REPO = "someone/else";
    process.env.GIT_DIR = "/nowhere";
    const facts = await factsOf(dir).catch(() => null);
    delete process.env.GIT_DIR;
    const [answer] = await askAll(
      [`gh pr view 12 --json state,title -q '${state}'`],
      facts ?? (await factsOf(dir)),
    );
    delete process.env.GH_REPO;
    expect(answer).toMatchObject({ verdict: "holds" });
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(file, "utf8").split("\n")).toEqual([
      "pr",
      "view",
      "--json=state,title",
      `--jq=${state}`,
      "--",
      "12",
      "GIT_DIR= GH_REPO=",
      "",
    ]);
  });

  it.each([
    ["echo true", `gh pr view 1 --json state --jq '${state}'`, "holds"],
    ["echo false", `gh pr view 1 --json state --jq '${state}'`, "fails"],
    ["echo false", `! gh pr view 1 --json state --jq '${state}'`, "holds"],
    ["echo null", "gh pr view 1 --json mergedAt --jq '.mergedAt != null'", "fails"],
    ["exit 0", "gh pr view 1 --json state --jq='.state==\"MERGED\"'", "fails"],
    ["echo OPEN", "gh pr view 1 --json state --jq .state", "cannot-evaluate"],
    ["echo '{}'", "gh issue view 7", "holds"],
    ["echo '{}'", "gh release view v1.2.3", "holds"],
    ["echo '{}'", "gh run view 123456", "holds"],
    ["echo 'error connecting to api.github.com' >&2; exit 1", "gh issue view 7", "cannot-evaluate"],
    ["exit 4", `gh pr view 1 --json state --jq '${state}'`, "cannot-evaluate"],
    ["sleep 30", "gh pr view 1", "cannot-evaluate"],
  ])("%s: %s", { timeout: 20_000 }, async (script, predicate, verdict) => {
    onlyPrograms({ gh: script, sleep: "exec /bin/sleep $1" });
    const [answer] = await askAll([predicate], await factsOf(makeRepo(), { predicateTimeout: 700 }));
    expect(answer?.verdict).toBe(verdict);
  });

  it("is never started inside a git hook", async () => {
    const file = log();
    onlyPrograms({ gh: `echo run >>${file}` });
    const [answer] = await askAll(["gh pr view 1"], await factsOf(makeRepo(), { hook: true }));
    expect(answer).toMatchObject({ verdict: "cannot-evaluate", note: expect.stringContaining("network") });
    const { existsSync } = await import("node:fs");
    expect(existsSync(file)).toBe(false);
  });

  it("is said to be missing", async () => {
    onlyPrograms({});
    const [answer] = await askAll(["gh pr view 1"], await factsOf(makeRepo()));
    expect(answer).toMatchObject({ verdict: "cannot-evaluate", note: "gh is not installed" });
  });

  it("is not taken from a relative folder of PATH", () => {
    const dir = makeRepo();
    mkdirSync(join(dir, "bin"));
    writeFileSync(join(dir, "bin/gh"), "#!/bin/sh\n");
    chmodSync(join(dir, "bin/gh"), 0o755);
    expect(findProgram("gh", `bin:.::${join(dir, "bin")}`)).toBe(join(dir, "bin/gh"));
    expect(findProgram("gh", "bin:.:")).toBeNull();
  });
});

describe("a clone that does not have everything", () => {
  const origin = (): string => {
    const dir = makeRepo("origin");
    commit(dir, { "a.txt": "one\n" }, "second");
    commit(dir, { "a.txt": "two\n" }, "third");
    git(dir, "config", "uploadpack.allowFilter", "true");
    git(dir, "config", "uploadpack.allowAnySHA1InWant", "true");
    return dir;
  };

  it("says nothing about what may lie before a shallow end", async () => {
    const from = origin();
    const old = git(from, "rev-parse", "HEAD~2");
    const clone = join(tempDir("shallow"), "clone");
    git(from, "clone", "-q", "--depth=2", `file://${from}`, clone);
    const facts = await factsOf(clone);
    expect(facts.repository.shallow).toBe(true);
    const rows: [string, string][] = [
      [`git cat-file -e ${old}`, "cannot-evaluate"],
      [`! git cat-file -e ${ABSENT_OID}`, "cannot-evaluate"],
      [`git merge-base --is-ancestor ${old} HEAD`, "cannot-evaluate"],
      ["git merge-base --is-ancestor HEAD~1 HEAD", "holds"],
      ["git merge-base --is-ancestor HEAD HEAD~1", "cannot-evaluate"],
      ["git cat-file -e HEAD~1:a.txt", "holds"],
      ["git ls-files --error-unmatch a.txt", "holds"],
      ["git show-ref --verify refs/heads/gone", "fails"],
      ["git diff --quiet HEAD~1 HEAD -- a.txt", "fails"],
    ];
    const answers = await askAll(
      rows.map(([predicate]) => predicate),
      facts,
    );
    expect(rows.map(([predicate], at) => [predicate, answers[at]?.verdict])).toEqual(rows);
  });

  it("downloads nothing for a verdict", async () => {
    const from = origin();
    const clone = join(tempDir("partial"), "clone");
    git(from, "clone", "-q", "--filter=blob:none", `file://${from}`, clone);
    const before = snapshot(clone);
    const facts = await factsOf(clone);
    expect(facts.repository.partial).toBe(true);
    const commitFacts = await factsOf(clone, { commit: git(clone, "rev-parse", "HEAD~1") });
    const rows = [
      "git cat-file -e HEAD~1:a.txt",
      "git grep -q one HEAD~1 -- a.txt",
      "git cat-file -e HEAD:gone.txt",
    ];
    expect((await askAll(rows, facts)).map((one) => one.verdict)).toEqual(rows.map(() => "cannot-evaluate"));
    const [read] = await askAll(["grep -q one a.txt"], commitFacts);
    expect(read).toMatchObject({
      verdict: "cannot-evaluate",
      note: "a.txt is not here (the clone is partial)",
    });
    const here = await askAll(
      ["grep -q two a.txt", "git grep -q two -- a.txt", "git diff --quiet HEAD~1 HEAD -- a.txt"],
      facts,
    );
    expect(here.map((one) => one.note ?? one.verdict)).toEqual([
      "holds",
      "holds",
      "HEAD~1 and HEAD differ in a.txt",
    ]);
    expect(snapshot(clone)).toEqual(before);
  });

  it("asks a bare repository's commit", async () => {
    const from = origin();
    const bare = join(tempDir("bare"), "bare.git");
    git(from, "clone", "-q", "--bare", from, bare);
    const facts = await factsOf(bare, { commit: git(bare, "rev-parse", "HEAD") });
    const rows: [string, string][] = [
      ["grep -q two a.txt", "holds"],
      ["grep -q one a.txt", "fails"],
      ["git grep -q two -- a.txt", "holds"],
      ["git ls-files --error-unmatch a.txt", "holds"],
      ["test -e gone.txt", "fails"],
      ["git diff --quiet HEAD~1 -- a.txt", "fails"],
      ["git diff --quiet -- a.txt", "holds"],
    ];
    const answers = await askAll(
      rows.map(([predicate]) => predicate),
      facts,
    );
    expect(rows.map(([predicate], at) => [predicate, answers[at]?.verdict])).toEqual(rows);
  });
});
