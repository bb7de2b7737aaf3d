// Entries that are broken, huge, foreign or newer: one warning each, the others shown, checkout exits 0. And what
// no command may touch.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/spec.js";
import { documentText } from "../support/documents.js";
import { gitRun, installHook } from "../support/hook.js";
import { writeLog } from "../support/logs.js";
import { git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { snapshot } from "../support/tree.js";
import { expectTidy } from "./program.js";

const REF = "refs/handoff/main/eve-0e0e0e";

function store(dir: string, type: "blob" | "tree" | "commit", content: string | Uint8Array): string {
  const args = ["hash-object", "-w", "--literally", "-t", type, "--stdin"];
  return execFileSync("git", args, { cwd: dir, input: content, encoding: "utf8" }).trim();
}

function tree(dir: string, rows: readonly (readonly [mode: string, name: string, oid: string])[]): string {
  const parts = rows.flatMap(([mode, name, oid]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(oid, "hex"),
  ]);
  return store(dir, "tree", Buffer.concat(parts));
}

/** Points eve's ref at a commit of this tree. */
function point(dir: string, root: string): void {
  const by = "Eve <eve@example.com> 1777629600 +0000";
  put(
    dir,
    `.git/${REF}`,
    `${store(dir, "commit", `tree ${root}\nauthor ${by}\ncommitter ${by}\n\nwrite: x\n`)}\n`,
  );
}

function folder(dir: string, name: string, entries: string, format = "1\n"): void {
  point(
    dir,
    tree(dir, [
      ["100644", "format", store(dir, "blob", format)],
      ["40000", name, entries],
    ]),
  );
}

/** A log of eve's with one entry of these bytes. */
function entry(dir: string, bytes: string | Uint8Array, mode = "100644"): void {
  const oid = store(dir, "blob", bytes);
  folder(dir, "open", tree(dir, [[mode, `20260501T100000Z-broken-${oid.slice(0, 7)}.md`, oid]]));
}

const MALFORMED =
  /^Handoff file at refs\/handoff\/main\/eve-0e0e0e:open\/\S+ is malformed; skipping\. Inspect manually\.$/;
const absent = "1".repeat(40);

/** What a stranger may have pushed, and the warning it must give; null where it is none of our business. */
const ENTRIES: Record<string, { make(dir: string): void; warning: RegExp | null }> = {
  "no frontmatter": { make: (dir) => entry(dir, "just text\n"), warning: MALFORMED },
  "an empty document": { make: (dir) => entry(dir, ""), warning: MALFORMED },
  "frontmatter that is no YAML": { make: (dir) => entry(dir, "---\na: [\n---\n"), warning: MALFORMED },
  "bytes of no kind": {
    make: (dir) => entry(dir, Buffer.from([0, 255, 254, 1, 2, 0, 27, 91])),
    warning: MALFORMED,
  },
  "text that is not UTF-8": {
    make: (dir) =>
      entry(
        dir,
        Buffer.concat([
          Buffer.from("---\nhandoff: 1\nintent: caf"),
          Buffer.from([0xe9]),
          Buffer.from("\n---\n"),
        ]),
      ),
    warning: /UTF-8/,
  },
  "a document of two megabytes": {
    make: (dir) => entry(dir, documentText({ intent: "huge" }, `## State\n\n${"x".repeat(2 << 20)}\n`)),
    warning: /eve-0e0e0e.*(?:large|big|1 MiB|bytes)/,
  },
  "a newer format": {
    make: (dir) => folder(dir, "open", tree(dir, [["100644", "x.md", store(dir, "blob", "x")]]), "2\n"),
    warning: /eve-0e0e0e: written by a newer git-handoff/,
  },
  "an entry that is a link": {
    make: (dir) => entry(dir, "/etc/passwd", "120000"),
    warning: /eve-0e0e0e.*mode/,
  },
  "an entry that is a submodule": {
    make: (dir) => folder(dir, "open", tree(dir, [["160000", "20260501T100000Z-x-1111111.md", absent]])),
    warning: /eve-0e0e0e.*mode/,
  },
  "an entry whose document is missing": {
    make: (dir) => folder(dir, "open", tree(dir, [["100644", "20260501T100000Z-x-1111111.md", absent]])),
    warning: /1 handoffs? for main (?:is|are) not downloaded|eve-0e0e0e.*missing/,
  },
  "a name of control characters": {
    make: (dir) => folder(dir, "open", tree(dir, [["100644", "\x1b[2J\x07.md", store(dir, "blob", "x")]])),
    warning: /eve-0e0e0e.*name/,
  },
  "a folder that is missing": { make: (dir) => folder(dir, "open", absent), warning: /eve-0e0e0e/ },
  "a tree that is cut off": {
    make: (dir) => folder(dir, "open", store(dir, "tree", Buffer.from("100644 x.md\0abc"))),
    warning: /eve-0e0e0e/,
  },
  "a tree of another kind": {
    make: (dir) => point(dir, tree(dir, [["100644", "README", store(dir, "blob", "x")]])),
    warning: /eve-0e0e0e: not a handoff log; skipping/,
  },
  "a ref to a blob": {
    make: (dir) => put(dir, `.git/${REF}`, `${store(dir, "blob", "x")}\n`),
    warning: /eve-0e0e0e: not a handoff log; skipping/,
  },
  "a ref to nothing": { make: (dir) => put(dir, `.git/${REF}`, `${absent}\n`), warning: /eve-0e0e0e/ },
  "a ref that is garbage": { make: (dir) => put(dir, `.git/${REF}`, "garbage\n"), warning: null },
  "a ref of another tool": {
    make: (dir) => git(dir, "update-ref", "refs/handoff/seal", git(dir, "rev-parse", "HEAD")),
    warning: null,
  },
  "another tool's log of our shape": {
    make: (dir) => git(dir, "update-ref", REF, git(dir, "rev-parse", "HEAD")),
    warning: /eve-0e0e0e: not a handoff log; skipping/,
  },
};

test.each(Object.keys(ENTRIES))("%s beside a good handoff", (name) => {
  const { make, warning } = ENTRIES[name] ?? { make: () => {}, warning: null };
  const dir = makeRepo("entries");
  writeLog(dir, "refs/handoff/main/ada-3f9a2c", [
    { folder: "open", text: documentText({ intent: "The good one" }) },
  ]);
  make(dir);
  const { warnings, handoffs } = JSON.parse(handoff(dir, ["read", "--json"]).stdout) as {
    warnings: string[];
    handoffs: { intent: string }[];
  };
  expect(handoffs.map(({ intent }) => intent)).toContain("The good one");
  if (warning) expect(warnings).toEqual([expect.stringMatching(warning)]);
  else expect(warnings).toEqual([]);
  for (const args of [
    ["read"],
    ["list"],
    ["list", "--all", "--closed"],
    ["inbox"],
    ["log"],
    ["check"],
    ["doctor"],
  ])
    expectTidy(handoff(dir, args), args);
  git(dir, "branch", "other");
  installHook(dir);
  for (const branch of ["other", "main"]) {
    const { code, stdout, stderr } = gitRun(dir, ["checkout", "-q", branch]);
    expect({ code, crash: /^\s+at |Error\b/m.test(stderr) }, stderr).toEqual({ code: 0, crash: false });
    if (branch !== "main") continue;
    expect(`${stdout}${stderr}`).toContain("The good one");
    for (const each of warnings) expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toContain(each);
  }
  // And it does not stand in the way of a write.
  expect(handoff(dir, ["write", "--append", "-m", "further"])).toMatchObject({ code: 0 });
});

describe("in a repository that has everything", () => {
  let dir = "";
  let handle = "";
  beforeAll(() => {
    const hub = join(tempDir("hub"), "hub.git");
    git(tempDir(), "init", "-q", "--bare", hub);
    dir = makeRepo("everything");
    git(dir, "remote", "add", "origin", hub);
    git(dir, "tag", "-a", "v1", "-m", "v1");
    git(dir, "push", "-q", "origin", "main", "v1");
    put(dir, "park.md", "---\nintent: taken in\n---\n");
    put(dir, "README.md", "# changed, staged\n");
    git(dir, "add", "README.md");
    put(dir, "README.md", "# changed again\n");
    git(dir, "stash", "-q");
    git(dir, "stash", "apply", "-q", "--index");
    const args = ["write", "-m", "go on", "--done", "README.md=it is there", "--from", "-", "--json"];
    const input = JSON.stringify({
      rejections: [
        { kind: "structural", claim: "a", anchor: null, predicate: "grep -q fixture README.md" },
        { kind: "structural", claim: "b", anchor: null, predicate: "git diff --quiet HEAD -- README.md" },
        { kind: "structural", claim: "c", anchor: null, predicate: "git grep -q Parser -- src/parser.ts" },
      ],
      watches: [{ ref: "refs/heads/main", at: git(dir, "rev-parse", "HEAD"), note: "x" }],
    });
    const written = handoff(dir, args, { input });
    expect(written).toMatchObject({ code: 0 });
    handle = JSON.parse(written.stdout).id.slice(-7);
    expect(handoff(dir, ["write", "--inbox", "--breaking", "--impact", "x", "-m", "note"])).toMatchObject({
      code: 0,
    });
    expect(handoff(dir, ["sync"])).toMatchObject({ code: 0 });
  });

  const READING = [
    ["read"],
    ["read", "--json"],
    ["read", "main"],
    ["check"],
    ["list", "--all", "--closed"],
    ["show"],
    ["show", "--raw"],
    ["log"],
    ["inbox"],
    ["schema"],
    ["doctor"],
    ["export", "--format", "evidence"],
    ["write", "--append", "-m", "x", "--dry-run"],
    ["prune"],
    ["redact", "--dry-run"],
    ["import", "park.md", "--dry-run"],
    ["install", "--agent", "claude-code", "--print"],
    ["complete-handles"],
    ["session-start"],
    ["help", "write"],
    ["--version"],
  ];

  test.each(READING.map((words) => [words.join(" ")]))(
    "%s changes no file under the git directory",
    (line) => {
      const args = line.split(" ");
      if (["export", "redact"].includes(args[0] ?? "")) args.splice(1, 0, handle);
      const input =
        args[0] === "session-start"
          ? JSON.stringify({ hook_event_name: "SessionStart", source: "startup", cwd: dir, session_id: "s" })
          : "";
      const before = snapshot(dir);
      const answer = handoff(dir, args, { input });
      expectTidy(answer, args);
      expect([0, 1], JSON.stringify({ args, ...answer })).toContain(answer.code);
      expect(snapshot(dir)).toEqual(before);
    },
  );

  test("the hook changes no file but git's own", () => {
    installHook(dir);
    const before = snapshot(join(dir, ".git"));
    const oid = git(dir, "rev-parse", "HEAD");
    const said = execFileSync(join(dir, ".git/hooks/post-checkout"), [oid, oid, "1"], {
      cwd: dir,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(said).toContain("go on");
    expect(snapshot(join(dir, ".git"))).toEqual(before);
  });

  const CHANGING: Record<string, string[]> = {
    write: ["--append", "-m", "x"],
    send: [".", "-m", "x", "--no-breaking", "--impact", "x"],
    mv: ["main", "other"],
    ack: ["HANDLE"],
    reopen: ["HANDLE"],
    redact: ["HANDLE", "--yes"],
    prune: ["--force", "--older-than", "0"],
    sync: ["--all"],
    import: ["park.md"],
    lesson: ["x"],
    show: ["HANDLE"],
    export: ["HANDLE", "--format", "park"],
    completion: ["bash"],
  };

  test("every command leaves status, index, HEAD and all refs but handoffs as they were", {
    timeout: 120_000,
  }, () => {
    const outside = () =>
      [
        git(dir, "status", "--porcelain=v2", "--branch"),
        git(dir, "for-each-ref", "--format=%(refname) %(objectname)").replace(/^refs\/handoff.*\n?/gm, ""),
        git(dir, "ls-files", "-s"),
        git(dir, "symbolic-ref", "HEAD"),
        existsSync(join(dir, ".git/FETCH_HEAD")),
      ].join("\n");
    const before = outside();
    for (const { name } of COMMANDS) {
      const args = [name, ...(CHANGING[name] ?? [])].map((word) => (word === "HANDLE" ? handle : word));
      expectTidy(handoff(dir, args), args);
      expect(outside(), args.join(" ")).toBe(before);
    }
  });
});
