// What the tool adds, checks and warns of when a document is written.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { commit, git, handoff, makeRepo, put } from "../support/repo.js";
import { complaint, handoffRefs, stored, writeJson } from "./store.js";

let repo: string;
beforeEach(() => {
  repo = makeRepo("doc");
});

const spine = { state: "x", next: ["x"], pointers: ["x"] };

function write(input: Record<string, unknown>, ...args: string[]) {
  const written = writeJson(repo, ["--from", "-", ...args], {
    input: JSON.stringify({ intent: "x", ...spine, ...input }),
  });
  return { ...stored(repo, written), warnings: written.warnings };
}

describe("the place of writing", () => {
  it("records uncommitted files, at most 20, and warns", () => {
    for (let n = 10; n < 35; n++) put(repo, `f${n}.txt`, "x");
    const { meta, warnings } = write({});
    expect(meta.git).toBe(`main @ ${git(repo, "rev-parse", "HEAD")} (dirty)`);
    expect(meta.dirty_files).toHaveLength(20);
    expect(meta.dirty_files?.[0]).toBe("f10.txt");
    expect(warnings).toEqual([
      "uncommitted changes are not part of the handoff: f10.txt, f11.txt, f12.txt, f13.txt, f14.txt and 20 more",
    ]);
  });

  it("takes over an agent's session, and what the caller says of it first", () => {
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s-1" };
    const one = stored(repo, writeJson(repo, ["-m", "x"], { env }));
    expect(one.meta).toMatchObject({
      harness: "claude-code",
      session: { runtime: "claude-code", id: "s-1", context: "unknown" },
    });
    const input = "intent: x\nharness: mine\nsession: {context: plan}\n";
    const two = stored(repo, writeJson(repo, ["--from", "-", "--overwrite"], { env, input }));
    expect(two.meta).toMatchObject({
      harness: "mine",
      session: { runtime: "claude-code", id: "s-1", context: "plan" },
    });
  });

  it("names the repository by its remote, without credentials", () => {
    git(repo, "remote", "add", "origin", "https://ada:secret@example.com/o/r.git");
    expect(write({}).meta.repository).toBe("https://example.com/o/r.git");
  });

  it("warns when the document says another branch", () => {
    const { meta, warnings } = write({ task_key: "other", breaking: true });
    expect(meta.task_key).toBe("main");
    expect(meta).not.toHaveProperty("breaking");
    expect(warnings).toEqual([
      "task_key 'other' is not this branch; the handoff is written for main",
      "breaking is for inbox handoffs; left out",
    ]);
  });
});

describe("rejections", () => {
  const good = {
    kind: "structural",
    claim: "c",
    anchor: "src/parser.ts",
    predicate: "grep -q 'class Parser' src/parser.ts",
  };

  it("are completed, and told what they lack in the park document's words", () => {
    const { meta, warnings } = write({
      rejections: [
        good,
        { ...good, predicate: "" },
        { ...good, anchor: null, claim: "d" },
        { ...good, predicate: "true" },
      ],
    });
    expect(meta.rejections[0]).toEqual({ ...good, fallback: "drop and surface to user" });
    expect(meta.rejections.map(({ low_info }) => low_info)).toEqual([undefined, undefined, undefined, true]);
    expect(warnings).toEqual([
      "Rejection 2 has no predicate. It will be marked cannot-evaluate on every read and surfaced unconditionally. Recommend authoring one.",
      "Rejection 3 has no anchor. The evaluator has no idea what to check against. Recommend authoring one (e.g., a file path, a function signature, a dependency name+version).",
      expect.stringContaining("Rejection 4 has a low-information predicate"),
    ]);
  });

  it("of an unknown kind become untyped, with a warning", () => {
    const { meta, warnings } = write({
      rejections: [good, good, good, { ...good, kind: "Structural", claim: "d" }],
    });
    expect(meta.rejections[3]?.kind).toBe("untyped");
    expect(warnings).toEqual([expect.stringContaining('Rejection 4 has the unrecognized kind "Structural"')]);
  });

  it("are counted as the appended document counts them", () => {
    write({ rejections: [good] });
    const { warnings } = write({ rejections: [{ claim: "e", predicate: "x" }] }, "--append");
    expect(warnings[0]).toContain('Rejection 2 has the unrecognized kind ""');
  });

  it("may be untyped up to a third", () => {
    const untyped = { ...good, kind: "untyped" };
    expect(write({ rejections: [good, good, untyped] }).warnings).toEqual([]);
    expect(write({ rejections: [good, untyped] }, "--overwrite").warnings[0]).toBe(
      "1 of 2 rejections are untyped. That's a signal the closed enumeration isn't matching what you're trying to capture. Consider re-classifying.",
    );
  });

  it("cannot be freed of low_info by their author", () => {
    const { meta } = write({ rejections: [{ ...good, predicate: "true", low_info: false }] });
    expect(meta.rejections[0]?.low_info).toBe(true);
  });
});

describe("evidence", () => {
  it("is recorded with the id of what is there", () => {
    const oid = commit(repo, { "a.txt": "one\ntwo\n", "dir/b": "b" });
    const places = ["a.txt", "dir", `commit:${oid.slice(0, 10)}`, "https://example.com/run/1", "a.txt:2"];
    const { meta, warnings } = write({
      artifacts: places.map((evidence) => ({ claim: evidence, evidence, oid: "0".repeat(40) })),
    });
    expect(meta.artifacts.map((artifact) => artifact.oid)).toEqual([
      git(repo, "rev-parse", "HEAD:a.txt"),
      git(repo, "rev-parse", "HEAD:dir"),
      oid,
      undefined,
      expect.stringMatching(/^[0-9a-f]{40}$/),
    ]);
    expect([meta.unresolved, warnings]).toEqual([[], []]);
  });

  it.each([
    ["a claim alone", ["--done", "tests are green"], "tests are green", "no evidence named"],
    ["an empty place", ["--done", "=shipped"], "shipped", "no evidence named"],
    ["a file that is not there", ["--done", "gone.ts=ported"], "ported", "evidence 'gone.ts'"],
    ["a line past the end", ["--done", "README.md:99=told"], "told", "evidence 'README.md:99'"],
    [
      "a commit from elsewhere",
      ["--done", `commit:${"1".repeat(40)}=fixed`],
      "fixed",
      "evidence 'commit:111",
    ],
    ["a path outside", ["--done", "../x=y"], "y", "evidence '../x'"],
    ["prose", ["--done", "all tests pass=green"], "green", "evidence 'all tests pass'"],
  ])("that is %s makes a gap, not something done", (_, args, claim, what) => {
    const { meta, warnings } = write({}, ...args);
    expect(meta.artifacts).toEqual([]);
    expect(meta.unresolved).toEqual([{ kind: "gap", text: expect.stringContaining(`${claim}: ${what}`) }]);
    expect(warnings).toEqual([`not recorded as done: ${meta.unresolved[0]?.text}`]);
  });

  it("behind a link out of the work tree is no evidence", () => {
    symlinkSync("/etc/passwd", join(repo, "link"));
    expect(write({}, "--done", "link=x").meta.artifacts).toEqual([]);
  });
});

describe("what is not known", () => {
  it("is written unknown, and work without an association is a gap", () => {
    const { meta, warnings } = write({
      work: [
        { store: "jira", id: "AB-1" },
        { id: "2", association: "this session" },
      ],
      observed: { by: "me" },
      spans: [{ work: "AB-1", source: "log", from: null }].map(({ from: _, ...span }) => span),
      links: [{ rel: "parent", target: "20260101T000000Z-x-1234567" }],
      allowance: { remaining: 3 },
    });
    const unknown = "unknown";
    expect(meta).toMatchObject({
      work: [
        { store: "jira", project: unknown, id: "AB-1", association: unknown },
        { store: unknown, project: unknown, id: "2", association: "this session" },
      ],
      observed: { by: "me", at: unknown, cutoff: unknown },
      spans: [{ work: "AB-1", source: "log", from: unknown, to: unknown, digest: unknown }],
      links: [{ rel: "parent", target: "20260101T000000Z-x-1234567", evidence: unknown }],
      allowance: {
        remaining: 3,
        state: unknown,
        incident: unknown,
        helper_used: unknown,
        repair_bound: unknown,
        operator_action: unknown,
        evidence: [],
      },
      unresolved: [{ kind: "gap", text: "work jira/AB-1: no recorded association with this session" }],
    });
    expect(warnings).toEqual(["work jira/AB-1 has no recorded association with this session"]);
  });

  it("is not said twice when a document is written again", () => {
    const first = writeJson(repo, ["--from", "-"], { input: "intent: x\nwork: [{id: '1'}]\n" });
    const input = git(repo, "show", `${first.ref}:${first.path}`);
    const { meta } = stored(repo, writeJson(repo, ["--from", "-", "--overwrite", "-m", "y"], { input }));
    expect(meta.unresolved).toHaveLength(1);
  });
});

describe("a document from before", () => {
  it("that is closed is refused, whatever its time", () => {
    const first = writeJson(repo, ["-m", "x", "--state", "s"]);
    const input = `${git(repo, "show", `${first.ref}:${first.path}`)}\n`;
    handoff(repo, ["close", first.handle]);
    const before = handoffRefs(repo);
    const result = handoff(repo, ["write", "--from", "-"], { input });
    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`This very document was recorded before: ${first.id} (closed)`),
    });
    expect(handoffRefs(repo)).toBe(before);
  });

  it("for an inbox is no journal handoff", () => {
    const result = handoff(repo, ["write", "--from", "-"], { input: "intent: x\ndelivery: pushed\n" });
    expect(result.code).toBe(129);
    expect(complaint(result)).toBe("error: delivery: pushed is for write --inbox and for send");
  });
});

describe("the body's sections", () => {
  it("are missed when they are not there", () => {
    expect(writeJson(repo, ["-m", "x"]).warnings).toEqual([
      'The body has no "## State" section.',
      'The body has no "## Next steps" section.',
      'The body has no "## Pointers" section.',
    ]);
    expect(write({ impact: "y" }, "--overwrite").warnings[0]).toContain('"## Impact here" belongs to inbox');
  });
});
