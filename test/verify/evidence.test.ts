import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkEvidence, observeEvidence, parseEvidence } from "../../src/verify/evidence.js";
import { commit, git, makeRepo, put, tempDir } from "../support/repo.js";
import { factsOf } from "./corpus/facts.js";

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}\n`).join("");

describe("what an evidence text names", () => {
  test.each([
    ["src/a.ts", { kind: "path", path: "src/a.ts" }],
    ["./src//a.ts", { kind: "path", path: "src/a.ts" }],
    ["docs/", { kind: "path", path: "docs" }],
    ["with space.md", { kind: "path", path: "with space.md" }],
    ["src/a.ts:12", { kind: "lines", path: "src/a.ts", from: 12, to: 12 }],
    ["src/a.ts:12-15", { kind: "lines", path: "src/a.ts", from: 12, to: 15 }],
    ["commit:abc1234", { kind: "commit", commit: "abc1234" }],
    [`commit:${"A".repeat(40)}`, { kind: "commit", commit: "a".repeat(40) }],
    ["https://example.com/a?b=c", { kind: "url", url: "https://example.com/a?b=c" }],
  ])("%s", (text, expected) => expect(parseEvidence(text)).toEqual(expected));

  test.each([
    "",
    "   ",
    "/etc/passwd",
    "../other/file",
    "src/../../x",
    ".git/config",
    "src/a.ts:0",
    "src/a.ts:9-3",
    ".",
    "commit:HEAD",
    "commit:--output=x",
    "a\nb",
    "a\0b",
  ])("%j names none, with a reason", (text) => {
    expect(parseEvidence(text)).toEqual({ kind: "none", note: expect.stringMatching(/\S/) });
  });
});

test("whatever the text, what is looked at is inside the repository", () => {
  const piece = fc.constantFrom(
    "..",
    ".",
    "/",
    "a",
    ".git",
    ":",
    "1",
    "-",
    "\\",
    "C:",
    "\u200c",
    "commit:",
    "\0",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, (evidence) => {
      const parsed = parseEvidence(evidence);
      if (!("path" in parsed)) return;
      const parts = parsed.path.split("/");
      expect(parts.some((part) => ["", ".", "..", ".git"].includes(part))).toBe(false);
    }),
  );
});

describe("seen when written", () => {
  test("a file: the blob id git would store, committed or not", async () => {
    const dir = makeRepo();
    put(dir, "new.txt", "not added\n");
    const facts = await factsOf(dir);
    for (const path of ["README.md", "new.txt"]) {
      expect(await observeEvidence(path, facts)).toEqual({
        exists: true,
        oid: git(dir, "hash-object", path),
        note: null,
      });
    }
  });

  test("a folder: the tree id git would store, with uncommitted files and without ignored ones", async () => {
    const dir = makeRepo();
    commit(dir, { "docs/a.md": "a\n", "docs/deep/b.md": "b\n", ".gitignore": "*.log\n" });
    put(dir, "docs/c.md", "not added\n");
    put(dir, "docs/a.md", "changed\n");
    put(dir, "docs/x.log", "ignored\n");
    symlinkSync("a.md", join(dir, "docs/link"));
    const seen = await observeEvidence("docs", await factsOf(dir));
    git(dir, "add", "-A");
    git(dir, "commit", "-qm", "all");
    expect(seen).toEqual({ exists: true, oid: git(dir, "rev-parse", "HEAD:docs"), note: null });
  });

  test("lines: the blob id of those lines, as sed prints them", async () => {
    const dir = makeRepo();
    put(dir, "a.txt", lines("a", 9));
    const wanted = execFileSync("sh", ["-c", "sed -n 3,5p a.txt | git hash-object --stdin"], { cwd: dir });
    const facts = await factsOf(dir);
    expect((await observeEvidence("a.txt:3-5", facts)).oid).toBe(wanted.toString().trim());
    expect(await observeEvidence("a.txt:9-10", facts)).toEqual({
      exists: false,
      oid: null,
      note: "has only 9 lines",
    });
  });

  test("a commit must be here; abbreviated it is found", async () => {
    const dir = makeRepo();
    const oid = git(dir, "rev-parse", "HEAD");
    const facts = await factsOf(dir);
    expect(await observeEvidence(`commit:${oid.slice(0, 9)}`, facts)).toEqual({
      exists: true,
      oid,
      note: null,
    });
    expect(await observeEvidence(`commit:${"1".repeat(40)}`, facts)).toMatchObject({
      exists: false,
      oid: null,
    });
    expect(await observeEvidence(`commit:${git(dir, "rev-parse", "HEAD:README.md")}`, facts)).toMatchObject({
      exists: false,
    });
  });

  test("a URL is taken as it is; prose, what is absent or outside is not evidence", async () => {
    const dir = makeRepo();
    symlinkSync("/etc", join(dir, "out"));
    const facts = await factsOf(dir);
    expect(await observeEvidence("https://example.com/", facts)).toEqual({
      exists: true,
      oid: null,
      note: null,
    });
    for (const text of [
      "tests are green",
      "gone.txt",
      "gone.txt:3",
      "/etc/hostname",
      "out/hostname",
      "src:3",
      "",
    ]) {
      expect(await observeEvidence(text, facts), text).toMatchObject({ exists: false, oid: null });
    }
  });

  test("a path with a filter driver exists, without an id, and no program is run", async () => {
    const dir = makeRepo();
    const ran = join(dir, "ran");
    commit(dir, { ".gitattributes": "*.bin filter=evil\n", "a.bin": "data\r\n" });
    git(dir, "config", "filter.evil.clean", `touch ${ran}; cat`);
    git(dir, "config", "filter.evil.required", "true");
    const seen = await observeEvidence("a.bin", await factsOf(dir));
    expect(seen).toEqual({ exists: true, oid: null, note: expect.stringContaining("filter") });
    expect(existsSync(ran)).toBe(false);
  });

  test.each([
    ["* text=auto", "a\r\nb\r\n"],
    ["* text", "a\r\nb\rc\r\n"],
    ["* text eol=crlf", "a\r\nb\r\n"],
    ["* eol=lf", "a\r\nb\r\n"],
    ["* crlf", "a\r\nb\r\n"],
    ["* crlf=input", "a\r\nb\r\n"],
    ["* -text", "a\r\nb\r\n"],
    ["* binary", "a\r\nb\r\n"],
    ["* text=auto", "a\r\nb\rc\r\n"],
    ["* text=auto", "a\r\nb\0c\r\n"],
    ["* text=auto", `a\r\n${"\x01".repeat(9)}\r\n`],
    ["* text=auto", "a\r\nb\r\n\x1a"],
    ["* ident", "$Id: 123 $ and $Id$\n$Id: open\n"],
    ["* ident text", "$Id: 123 $\r\n"],
    ["", "a\r\nb\r\n"],
  ])("line endings under %j: %j is what git add stores", async (attributes, content) => {
    for (const autocrlf of ["false", "true", "input"]) {
      const dir = makeRepo();
      commit(dir, { ".gitattributes": `${attributes}\n` });
      git(dir, "config", "core.autocrlf", autocrlf);
      put(dir, "f", content);
      const seen = await observeEvidence("f", await factsOf(dir));
      git(dir, "-c", "core.safecrlf=false", "add", "f");
      expect(seen.oid, autocrlf).toBe(git(dir, "rev-parse", ":f"));
    }
  });

  test("a file the index has with CRLF keeps it under text=auto", async () => {
    const dir = makeRepo();
    commit(dir, { f: "a\r\n" });
    put(dir, ".gitattributes", "* text=auto\n");
    put(dir, "f", "a\r\nb\r\n");
    const seen = await observeEvidence("f", await factsOf(dir));
    git(dir, "add", "f");
    expect(seen.oid).toBe(git(dir, "rev-parse", ":f"));
  });
});

describe("checked when read", () => {
  /** Sees each place, lets `change` happen, and checks. */
  async function thenChanged(dir: string, places: string[], change: () => void) {
    const facts = await factsOf(dir);
    const since = `main @ ${facts.head}`;
    const claims = await Promise.all(
      places.map(async (evidence) => {
        const { oid } = await observeEvidence(evidence, facts);
        return { evidence, since, ...(oid === null ? {} : { oid }) };
      }),
    );
    change();
    const later = await factsOf(dir);
    return { results: await checkEvidence(claims, later), facts: later, claims };
  }

  test("unchanged: verified, without a process", async () => {
    const dir = makeRepo();
    commit(dir, { "a.txt": lines("a", 20) });
    const { results, facts } = await thenChanged(dir, ["a.txt", "a.txt:3-5", "README.md"], () => {});
    expect(results.map(({ verdict }) => verdict)).toEqual(["verified", "verified", "verified"]);
    expect(facts.calls).toEqual([]);
  });

  test("changed, moved and missing", async () => {
    const dir = makeRepo();
    commit(dir, { "a.txt": lines("a", 20), "b.txt": "b\n", "docs/x.md": "x\n" });
    const { results } = await thenChanged(
      dir,
      ["a.txt", "a.txt:3-5", "a.txt:20", "b.txt", "docs", "https://example.com/"],
      () => {
        put(dir, "a.txt", `new\nlines\n${lines("a", 20).replace("a 20", "a last")}`);
        put(dir, "docs/y.md", "y\n");
        git(dir, "rm", "-q", "b.txt");
      },
    );
    expect(results).toEqual([
      { verdict: "changed", note: null },
      { verdict: "verified", note: "now at lines 5-7" },
      { verdict: "changed", note: null },
      { verdict: "missing", note: null },
      { verdict: "changed", note: null },
      { verdict: "unchecked", note: null },
    ]);
  });

  test("a renamed file is missing, and the note names the new path", async () => {
    const dir = makeRepo();
    commit(dir, { "old/a.txt": lines("a", 30), "old/b.txt": lines("b", 30), "c.txt": lines("c", 30) });
    const { results } = await thenChanged(dir, ["old/a.txt", "old/a.txt:4", "old", "c.txt"], () => {
      git(dir, "mv", "old", "new");
      git(dir, "commit", "-qm", "move");
      commit(dir, { "new/a.txt": lines("a", 31) });
      git(dir, "mv", "c.txt", "d.txt");
    });
    expect(results).toEqual([
      { verdict: "missing", note: "renamed to new/a.txt" },
      { verdict: "missing", note: "renamed to new/a.txt" },
      { verdict: "missing", note: "renamed to new" },
      { verdict: "missing", note: "renamed to d.txt" },
    ]);
  });

  test("asked of a commit, and in a bare repository: the same verdicts", async () => {
    const dir = makeRepo();
    commit(dir, { "a.txt": lines("a", 20), "b.txt": "b\n", "docs/x.md": "x\n", "gone.txt": lines("g", 20) });
    const places = ["a.txt", "a.txt:3-5", "b.txt", "docs", "gone.txt", "README.md"];
    const { claims } = await thenChanged(dir, places, () => {
      git(dir, "checkout", "-q", "-b", "topic");
      git(dir, "mv", "gone.txt", "there.txt");
      commit(dir, { "a.txt": `first\n${lines("a", 20)}`, "b.txt": "B\n", "docs/y.md": "y\n" });
      git(dir, "checkout", "-q", "main");
    });
    const tip = git(dir, "rev-parse", "topic");
    const bare = tempDir("bare");
    git(dir, "clone", "-q", "--bare", dir, bare);
    git(bare, "symbolic-ref", "HEAD", "refs/heads/topic");
    for (const facts of [await factsOf(dir, { commit: tip, head: tip }), await factsOf(bare)]) {
      expect(await checkEvidence(claims, facts)).toEqual([
        { verdict: "changed", note: null },
        { verdict: "verified", note: "now at lines 4-6" },
        { verdict: "changed", note: null },
        { verdict: "changed", note: null },
        { verdict: "missing", note: "renamed to there.txt" },
        { verdict: "verified", note: null },
      ]);
    }
  });

  test("the same content under other line endings is verified", async () => {
    const dir = makeRepo();
    commit(dir, { ".gitattributes": "* text=auto\n", "a.txt": "one\ntwo\n" });
    const { results } = await thenChanged(dir, ["a.txt", "a.txt:2"], () =>
      put(dir, "a.txt", "one\r\ntwo\r\n"),
    );
    expect(results.map(({ verdict }) => verdict)).toEqual(["verified", "verified"]);
  });

  test("a filter that came later makes it unchecked, never changed; nothing runs", async () => {
    const dir = makeRepo();
    commit(dir, { "a.bin": "data\n" });
    const ran = join(dir, "ran");
    const { results } = await thenChanged(dir, ["a.bin"], () => {
      put(dir, ".gitattributes", "*.bin filter=lfs\n");
      git(dir, "config", "filter.lfs.clean", `touch ${ran}; cat`);
      put(dir, "a.bin", "pointer\n");
    });
    expect(results).toEqual([{ verdict: "unchecked", note: expect.stringContaining("filter") }]);
    expect(existsSync(ran)).toBe(false);
  });

  test("commits: verified, missing, and unchecked where the clone is shallow", async () => {
    const dir = makeRepo();
    const oid = git(dir, "rev-parse", "HEAD");
    commit(dir, { "a.txt": "a\n" });
    const claims = [{ evidence: `commit:${oid}`, oid }, { evidence: `commit:${"2".repeat(40)}` }];
    expect((await checkEvidence(claims, await factsOf(dir))).map(({ verdict }) => verdict)).toEqual([
      "verified",
      "missing",
    ]);
    const shallow = join(tempDir("shallow"), "clone");
    git(dir, "clone", "-q", "--depth=1", `file://${dir}`, shallow);
    expect((await checkEvidence(claims, await factsOf(shallow))).map(({ verdict }) => verdict)).toEqual([
      "unchecked",
      "unchecked",
    ]);
  });

  test("a sparse checkout leaves files out; they are what the index says", async () => {
    const dir = makeRepo();
    commit(dir, { "docs/x.md": "x\n", "kept/a.txt": "a\n" });
    const { results } = await thenChanged(dir, ["docs/x.md", "kept/a.txt", "docs"], () =>
      git(dir, "sparse-checkout", "set", "kept"),
    );
    expect(existsSync(join(dir, "docs/x.md"))).toBe(false);
    expect(results[0]).toEqual({ verdict: "verified", note: null });
    expect(results[1]).toEqual({ verdict: "verified", note: null });
    expect(results[2]?.verdict).not.toBe("changed");
  });

  test("a partial clone verifies by ids and downloads nothing", async () => {
    const dir = makeRepo();
    commit(dir, { "a.txt": "a\n", "b.txt": "b\n" });
    const { claims } = await thenChanged(dir, ["a.txt", "b.txt", "b.txt:1"], () =>
      commit(dir, { "b.txt": "B\n" }),
    );
    git(dir, "config", "uploadpack.allowFilter", "true");
    const partial = join(tempDir("partial"), "clone");
    git(dir, "clone", "-q", "--filter=blob:none", "--no-checkout", `file://${dir}`, partial);
    const head = git(partial, "rev-parse", "HEAD");
    const objects = git(partial, "count-objects", "-v");
    const results = await checkEvidence(claims, await factsOf(partial, { commit: head }));
    expect(results.map(({ verdict }) => verdict)).toEqual(["verified", "changed", "unchecked"]);
    expect(git(partial, "count-objects", "-v")).toBe(objects);
  });

  test("a file that is called like a line of another", async () => {
    const dir = makeRepo();
    commit(dir, { "a:1": "odd\n" });
    const { results } = await thenChanged(dir, ["a:1"], () => {});
    expect(results).toEqual([{ verdict: "verified", note: null }]);
  });

  test("through a link inside the repository, in the work tree and in a commit; never through one that leads out", async () => {
    const dir = makeRepo();
    commit(dir, { "real/a.txt": "a\n" });
    symlinkSync("real", join(dir, "link"));
    symlinkSync("/etc", join(dir, "out"));
    commit(dir, {});
    const { results, claims } = await thenChanged(dir, ["link/a.txt", "link", "link/a.txt:1"], () => {});
    const expected = ["verified", "verified", "verified"];
    expect(results.map(({ verdict }) => verdict)).toEqual(expected);
    const facts = await factsOf(dir, { commit: git(dir, "rev-parse", "HEAD") });
    expect((await checkEvidence(claims, facts)).map(({ verdict }) => verdict)).toEqual(expected);
    for (const asked of [facts, await factsOf(dir)]) {
      const oid = "1".repeat(40);
      expect(await checkEvidence([{ evidence: "out/hostname", oid }], asked)).toEqual([
        { verdict: "unchecked", note: "leads out of the repository" },
      ]);
    }
  });

  test("a sha256 repository; an id of the other hash is unchecked", async () => {
    const dir = makeRepo("sha256", ["--object-format=sha256"]);
    commit(dir, { "docs/a.txt": lines("a", 9) });
    const { results, claims } = await thenChanged(dir, ["docs/a.txt", "docs", "docs/a.txt:2-3"], () => {});
    expect(results.map(({ verdict }) => verdict)).toEqual(["verified", "verified", "verified"]);
    expect(claims.map(({ oid }) => oid?.length)).toEqual([64, 64, 64]);
    expect(claims[1]?.oid).toBe(git(dir, "rev-parse", "HEAD:docs"));
    const other = [{ evidence: "docs/a.txt", oid: "1".repeat(40) }];
    expect((await checkEvidence(other, await factsOf(dir)))[0]?.verdict).toBe("unchecked");
  });

  test("out of time is unchecked, said so", async () => {
    const dir = makeRepo();
    const facts = await factsOf(dir, { deadline: Date.now() - 1 });
    const claims = [{ evidence: "README.md", oid: "1".repeat(40) }];
    expect(await checkEvidence(claims, facts)).toEqual([{ verdict: "unchecked", note: "out of time" }]);
  });

  test("without an id it cannot be verified; nonsense is unchecked or missing, never a crash", async () => {
    const dir = makeRepo();
    mkdirSync(join(dir, "empty"));
    const facts = await factsOf(dir);
    const evidence = [
      "README.md",
      "README.md:1",
      "README.md:99",
      "tests are green",
      "../x",
      "",
      "empty",
      "commit:zz",
    ];
    const results = await checkEvidence(
      evidence.map((each) => ({ evidence: each })),
      facts,
    );
    expect(results.map(({ verdict }) => verdict)).toEqual([
      "unchecked",
      "unchecked",
      "unchecked",
      "missing",
      "unchecked",
      "unchecked",
      "unchecked",
      "unchecked",
    ]);
    expect((await checkEvidence([{ evidence: "README.md", oid: "--help" }], facts))[0]?.verdict).toBe(
      "unchecked",
    );
  });

  test("processes stay bounded as claims grow", async () => {
    const dir = makeRepo();
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`f/${at}.txt`, lines(`f${at}`, 20)]),
    );
    commit(dir, files);
    const counts: number[] = [];
    for (const count of [2, 200]) {
      const places = Object.keys(files).slice(0, count);
      const { facts } = await thenChanged(dir, places, () => {
        for (const path of places) put(dir, path, `${files[path]}more\r\n`);
        git(dir, "rm", "-qf", places[0] ?? "");
      });
      counts.push(facts.calls.length);
      git(dir, "reset", "-q", "--hard");
    }
    expect(counts[1]).toBe(counts[0]);
    expect(counts[1]).toBeLessThanOrEqual(6);
  });
});
