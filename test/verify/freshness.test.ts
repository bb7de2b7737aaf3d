import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { likeness, parsePatches } from "../../src/verify/freshness/change.js";
import { parseRecordedCommit } from "../../src/verify/freshness/written-at.js";
import { checkFreshness, FRESHNESS_BOUNDS } from "../../src/verify/freshness.js";
import { commit, git, makeRepo, put } from "../support/repo.js";
import { factsOf } from "./corpus/facts.js";

const AMPLE = { commits: 5, each: 30_000, total: 60_000 };
const written = "2026-05-01T10:00:00Z";
const rows = (edits: Record<number, string> = {}) =>
  Array.from({ length: 20 }, (_, at) => `${edits[at + 1] ?? `row number ${at + 1}`}\n`).join("");

describe("what a document says about its commit", () => {
  const oid = "0123456789abcdef0123456789abcdef01234567";
  test.each([
    [`main @ ${oid}`, { kind: "commit", id: oid, branch: "main" }],
    [`main @ ${oid} (dirty)`, { kind: "commit", id: oid, branch: "main" }],
    [`a @ b @ ${oid}`, { kind: "commit", id: oid, branch: "a @ b" }],
    [`deadbeef @ ${oid}`, { kind: "commit", id: oid, branch: "deadbeef" }],
    ["main @ abc1234", { kind: "commit", id: "abc1234", branch: "main" }],
    ["main @ ABC1234, 3 files changed", { kind: "commit", id: "abc1234", branch: "main" }],
    [oid, { kind: "commit", id: oid, branch: null }],
    [`${"ab".repeat(32)}`, { kind: "commit", id: "ab".repeat(32), branch: null }],
    ["none", { kind: "none" }],
    ["unknown", { kind: "unknown" }],
    ["", { kind: "unknown" }],
    ["main", { kind: "unknown" }],
    ["main @ --output=x", { kind: "unknown" }],
    ["main @ HEAD~1", { kind: "unknown" }],
    ["main @ feedbackloop", { kind: "unknown" }],
  ])("%j", (text, expected) => expect(parseRecordedCommit(text)).toEqual(expected));
});

describe("age", () => {
  const at = async (when: string, maxAge = 7) => {
    const facts = await factsOf(repo, { maxAge });
    return (await checkFreshness([{ git: `main @ ${facts.head}`, written: when }], facts))[0];
  };
  const repo = makeRepo();

  test("older than the limit is stale, whatever the ancestry", async () => {
    expect(await at("2026-04-20T12:00:00Z")).toMatchObject({
      stale: true,
      ancestry: "ancestor",
      ageDays: 11,
      note: "older than 7 days (handoff.maxAge)",
    });
    expect(await at("2026-04-25T12:00:00+02:00")).toMatchObject({ stale: false, ageDays: 6, note: null });
    expect(await at("2026-04-20T12:00:00Z", 30)).toMatchObject({ stale: false, ageDays: 11 });
  });

  test.each(["2026-06-01T00:00:00Z", "yesterday", ""])("%j: unknown, said so, never stale", async (when) => {
    expect(await at(when)).toMatchObject({
      stale: false,
      ageDays: null,
      note: expect.stringMatching(/^age unknown/),
    });
  });

  test("a clock that is seconds ahead is no future", async () => {
    expect(await at("2026-05-01T12:00:20Z")).toMatchObject({ ageDays: 0, note: null });
  });
});

describe("cost", () => {
  test("HEAD itself costs nothing, one ancestor one process, a known one nothing", async () => {
    const repo = makeRepo();
    const old = git(repo, "rev-parse", "HEAD");
    const head = commit(repo, { a: "a\n" });
    const facts = await factsOf(repo);
    const ask = (oid: string, known = {}) =>
      checkFreshness([{ git: `main @ ${oid}`, written }], facts, known);
    expect((await ask(head))[0]).toMatchObject({ ancestry: "ancestor", behind: 0 });
    expect(facts.calls).toEqual([]);
    expect((await ask(old, { ancestors: new Map([[old, 1]]) }))[0]).toMatchObject({ behind: 1 });
    expect(facts.calls).toEqual([]);
    expect((await ask(old))[0]).toMatchObject({ ancestry: "ancestor", behind: 1 });
    expect(facts.calls).toHaveLength(1);
  });

  test("processes do not grow with the documents", async () => {
    const repo = makeRepo();
    const oids = [git(repo, "rev-parse", "HEAD")];
    for (let at = 0; at < 40; at++) oids.push(commit(repo, { a: `${at}\n` }, `c${at}`));
    const counts: number[] = [];
    for (const size of [3, 40, 200]) {
      const facts = await factsOf(repo);
      const documents = Array.from({ length: size }, (_, at) => ({
        git: `main @ ${oids[at % 40]}`,
        written,
      }));
      const verdicts = await checkFreshness(documents, facts, {}, AMPLE);
      expect(verdicts.map(({ behind }) => behind)).toEqual(documents.map((_, at) => 40 - (at % 40)));
      counts.push(facts.calls.length);
    }
    expect(counts).toEqual([4, 4, 4]);
  });

  test("behind is counted across merges", async () => {
    const repo = makeRepo();
    const oids = [git(repo, "rev-parse", "HEAD")];
    for (let at = 0; at < 4; at++) {
      git(repo, "checkout", "-q", "-b", `side${at}`);
      oids.push(commit(repo, { [`side${at}`]: "x\n" }), commit(repo, { [`side${at}`]: "y\n" }));
      git(repo, "checkout", "-q", "main");
      oids.push(commit(repo, { a: `${at}\n` }));
      if (at % 2 === 0) git(repo, "merge", "-q", "--no-ff", "-m", "merge", `side${at}`);
    }
    const facts = await factsOf(repo);
    const here = oids.filter((oid) => git(repo, "rev-list", "HEAD").includes(oid));
    const verdicts = await checkFreshness(
      here.map((oid) => ({ git: `main @ ${oid}`, written })),
      facts,
      {},
      AMPLE,
    );
    expect(verdicts.map(({ behind }) => behind)).toEqual(
      here.map((oid) => Number(git(repo, "rev-list", "--count", `${oid}..HEAD`))),
    );
  });

  test("at most five commits that HEAD does not have are compared; the others are unknown, said so", async () => {
    const repo = makeRepo();
    const oids = Array.from({ length: 7 }, (_, at) => {
      git(repo, "checkout", "-q", "-b", `b${at}`, "main");
      return commit(repo, { [`f${at}`]: "x\n" }, `b${at}`);
    });
    git(repo, "checkout", "-q", "main");
    commit(repo, { other: "x\n" });
    const documents = [...oids, ...oids].map((oid) => ({ git: `x @ ${oid}`, written }));
    const facts = await factsOf(repo);
    const verdicts = await checkFreshness(documents, facts, {}, AMPLE);
    const expected = [...new Array(5).fill("diverged"), "unknown", "unknown"];
    expect(verdicts.map(({ ancestry }) => ancestry)).toEqual([...expected, ...expected]);
    expect(verdicts[6]).toMatchObject({ stale: false, note: expect.stringContaining("more than 5") });
    expect(facts.calls.length).toBeLessThanOrEqual(2 + 5 * 9 + 1);
  });

  test("out of time is unknown, said so, never stale", async () => {
    const repo = makeRepo();
    git(repo, "checkout", "-q", "-b", "topic");
    const oid = commit(repo, { a: "a\n" });
    git(repo, "checkout", "-q", "main");
    commit(repo, { b: "b\n" });
    const documents = [{ git: `topic @ ${oid}`, written }];
    const late = await factsOf(repo, { deadline: Date.now() - 1 });
    expect(await checkFreshness(documents, late)).toMatchObject([
      { ancestry: "unknown", stale: false, note: expect.stringContaining("time") },
    ]);
    expect(late.calls).toEqual([]);
    const facts = await factsOf(repo);
    expect(
      await checkFreshness(documents, facts, {}, { ...FRESHNESS_BOUNDS, each: 0, total: 60_000 }),
    ).toMatchObject([{ ancestry: "unknown", stale: false, note: expect.stringContaining("too far") }]);
  });
});

test("hostile configuration runs nothing, writes nothing and changes no verdict", async () => {
  const repo = makeRepo();
  commit(repo, { "f.txt": rows(), ".gitattributes": "*.txt diff=evil filter=evil\n" });
  git(repo, "checkout", "-q", "-b", "topic");
  const oid = commit(repo, { "f.txt": rows({ 3: "three" }) }, "topic");
  git(repo, "checkout", "-q", "main");
  commit(repo, { other: "x\n" });
  git(repo, "cherry-pick", oid);
  const ran = join(repo, "..", "ran");
  const script = join(repo, "..", "evil");
  writeFileSync(script, `#!/bin/sh\ntouch '${ran}'\ncat\n`);
  chmodSync(script, 0o755);
  for (const [key, value] of [
    ["core.fsmonitor", script],
    ["core.pager", script],
    ["diff.external", script],
    ["diff.evil.command", script],
    ["diff.evil.textconv", script],
    ["filter.evil.clean", script],
    ["filter.evil.smudge", script],
    ["gpg.program", script],
    ["log.showSignature", "true"],
    ["color.ui", "always"],
    ["diff.noprefix", "true"],
    ["diff.renames", "copies"],
    ["log.showRoot", "false"],
  ] as const) {
    git(repo, "config", key, value);
  }
  const before = snapshot(join(repo, ".git"));
  const [verdict] = await checkFreshness(
    [{ git: `topic @ ${oid}`, written }],
    await factsOf(repo),
    {},
    AMPLE,
  );
  expect(verdict).toMatchObject({ ancestry: "rewritten", as: git(repo, "rev-parse", "HEAD"), note: null });
  expect(existsSync(ran)).toBe(false);
  expect(snapshot(join(repo, ".git"))).toEqual(before);
});

function snapshot(dir: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(dir, name)).isFile())
      .map((name) => [name, readFileSync(join(dir, name), "latin1")]),
  );
}

test("hostile text in place of a commit asks git nothing odd", async () => {
  const repo = makeRepo();
  const facts = await factsOf(repo);
  const texts = ["x @ --all", "x @ HEAD", "x @ :/first", "x @ abcd\n--all", "x @ @{-1}", "$(id) @ 0000"];
  const verdicts = await checkFreshness(
    texts.map((text) => ({ git: text, written })),
    facts,
  );
  expect(verdicts.map(({ ancestry }) => ancestry)).toEqual(texts.map(() => "unknown"));
});

describe("how alike two changes are", () => {
  const repo = makeRepo();
  const base = commit(repo, { f: rows() }, "base");
  const patch = (edits: Record<number, string>, more: Record<string, string> = {}) => {
    git(repo, "checkout", "-q", "-f", base);
    const oid = commit(repo, { f: rows(edits), ...more });
    const output = git(repo, "diff-tree", "-p", "--full-index", oid);
    return parsePatches(`${output}\n`)[0]?.patch ?? new Map();
  };
  const one = patch({ 3: "a change of this row that is long enough to tell" });

  test.each([
    ["the same", patch({ 3: "a change of this row that is long enough to tell" }), "exact"],
    [
      "with another file",
      patch({ 3: "a change of this row that is long enough to tell" }, { g: "g\n" }),
      "exact",
    ],
    ["other blanks", patch({ 3: "a  change of this row that is long enough to tell " }), "whitespace"],
    ["more rows", patch({ 3: "a change of this row that is long enough to tell", 15: "x" }), "contained"],
    [
      "other rows around it",
      patch({ 1: "x", 3: "a change of this row that is long enough to tell" }),
      "contained",
    ],
    ["another change", patch({ 3: "another" }), null],
    ["another row", patch({ 9: "a change of this row that is long enough to tell" }), null],
  ])("%s", (_name, other, expected) => expect(likeness(one, other)).toBe(expected));

  test("nothing is in nothing", () => expect(likeness(new Map(), one)).toBeNull());

  test("a short change within a larger one proves nothing", () => {
    expect(likeness(patch({ 3: "}" }), patch({ 3: "}", 15: "x" }))).toBeNull();
  });
});

test("a sha256 repository", async () => {
  const repo = makeRepo("sha256", ["--object-format=sha256"]);
  git(repo, "checkout", "-q", "-b", "topic");
  const oid = commit(repo, { f: rows() }, "topic");
  git(repo, "checkout", "-q", "main");
  const stale = await checkFreshness([{ git: `topic @ ${oid}`, written }], await factsOf(repo), {}, AMPLE);
  expect(stale[0]).toMatchObject({ ancestry: "diverged", stale: true });
  commit(repo, { g: "g\n" }, "main");
  git(repo, "cherry-pick", oid);
  const fresh = await checkFreshness([{ git: `topic @ ${oid}`, written }], await factsOf(repo), {}, AMPLE);
  expect(fresh[0]).toMatchObject({ ancestry: "rewritten", as: git(repo, "rev-parse", "HEAD"), stale: false });
});

test("one commit for many documents is asked once", async () => {
  const repo = makeRepo();
  git(repo, "checkout", "-q", "-b", "topic");
  const oid = commit(repo, { f: rows() }, "topic");
  git(repo, "checkout", "-q", "main");
  put(repo, "g", "g\n");
  commit(repo, {}, "other");
  const counts = await Promise.all(
    [1, 200].map(async (size) => {
      const facts = await factsOf(repo);
      await checkFreshness(new Array(size).fill({ git: `topic @ ${oid}`, written }), facts, {}, AMPLE);
      return facts.calls.length;
    }),
  );
  expect(counts[0]).toBe(counts[1]);
});
