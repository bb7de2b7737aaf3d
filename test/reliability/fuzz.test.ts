// Hostile and broken input through the program: git's exit codes, no stack trace, no hang, nothing that drives a
// terminal, bounded memory. SEED has a failure again.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/spec.js";
import { documentText } from "../support/documents.js";
import { installHook } from "../support/hook.js";
import { git, makeRepo, put, tempDir } from "../support/repo.js";
import { type Chance, chance, scale } from "./chance.js";
import { expectTidy, expectWhole, run, type StartOptions } from "./program.js";

/** Milliseconds that count as a hang; the slowest answer seen on a busy machine took four seconds. */
const HANG = 60_000;
/** Kilobytes; Node alone takes some 50,000. */
const MEMORY = 400_000;

/** Loaded into the program: leaves its largest memory behind. */
const meter = join(tempDir("meter"), "meter.cjs");
writeFileSync(
  meter,
  `process.on("exit", () => require("fs").appendFileSync(process.env.METER, process.resourceUsage().maxRSS + "\\n"));\n`,
);

async function ask(dir: string, args: readonly string[], options: StartOptions & { exits?: number[] } = {}) {
  const log = join(tempDir("rss"), "log");
  const env = { ...options.env, NODE_OPTIONS: `--require ${meter}`, METER: log };
  const answer = await run(dir, args, { ...options, env, timeout: HANG });
  const said = JSON.stringify({ args, input: String(options.input ?? "").slice(0, 2000), ...answer }).slice(
    0,
    6000,
  );
  expect(answer.code, `hangs: ${said}`).not.toBeNull();
  // What is exported is a file for another tool, bytes and all.
  expectTidy(args[0] === "export" ? { ...answer, stdout: "" } : answer, args);
  expect(Math.max(0, ...readFileSync(log, "utf8").split("\n").map(Number)), said).toBeLessThan(MEMORY);
  return answer;
}

const SPICES = [
  "\x1b[31m",
  "\x1b]0;title\x07",
  "\x9b2J",
  "\u202e",
  "\u2066",
  "\0",
  "\r\n",
  "\t",
  "\ufeff",
  "\ud800",
  "é",
  "日本",
  "👩‍👩‍👧",
  ": ",
  " #",
  "- ",
  "---\n",
  "...\n",
  "? ",
  "&a ",
  "*a",
  "<<: *a\n",
  "!!binary ",
  "!!js/function 'x'",
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  "|\n",
  ">\n",
  "%YAML 9\n",
  "null",
  "~",
  "0x1f",
  "1e999",
  "-0",
  ".nan",
  "2026-99-99T99:99:99Z",
  "true",
  "{}",
  "[]",
  "[[[[[[[[",
  "__proto__: ",
  "constructor: ",
  "\n## State\n",
  "\n## Next steps\n1. ",
  "\n```\n",
  "<!-- ",
  "git-handoff",
  "handoff: 2\n",
  "intent:\n",
  "rejections: 7\n",
  "predicate: grep -q 'x{1,9999}' a\n",
  "grep -qE '((a+)+)+$' README.md",
  "git diff --output=/tmp/x",
  "gh pr view 1",
  "$(touch pwned)",
  "`touch pwned`",
  "../../../etc/passwd",
  "/dev/zero",
];

/** Some small harm to a text, a few times over. */
function harmed(random: Chance, text: string): Buffer {
  let bytes = Buffer.from(text);
  for (let turn = random.upTo(8); turn >= 0; turn--) {
    const at = random.upTo(bytes.length + 1);
    const end = Math.min(bytes.length, at + random.upTo(40));
    const piece = random.pick([
      () => Buffer.from(random.pick(SPICES)),
      () => Buffer.from(random.pick(SPICES).repeat(1 + random.upTo(400))),
      () => Buffer.from(Array.from({ length: random.upTo(12) }, () => random.upTo(256))),
      () => bytes.subarray(random.upTo(bytes.length + 1)),
      () => Buffer.alloc(0),
    ])();
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(random.pick([at, end]))]).subarray(
      0,
      1 << 20,
    );
  }
  return bytes;
}

const WHOLE = documentText(
  {
    intent: "Finish the parser",
    goal: "Ship it",
    summary: "Half",
    rejections: [
      {
        kind: "structural",
        claim: "Visitor",
        anchor: "src/parser.ts",
        predicate: "grep -q final src/parser.ts",
        fallback: "drop and surface to user",
      },
      {
        kind: "goal-conditional",
        claim: "Rewrite",
        anchor: null,
        predicate: "user still wants speed",
        fallback: "ask",
      },
    ],
    artifacts: [{ claim: "Parser", evidence: "src/parser.ts:1-1", oid: "1".repeat(40) }],
    unresolved: [{ kind: "risk", text: "Unicode" }],
    watches: [{ until: "2026-05-02", note: "look" }],
  },
  "## State\n\nHalf done.\n\n## Next steps\n\n1. Go on.\n\n## Pointers\n\n- README.md\n",
);

/** Documents that grow, nest or repeat without end. */
const BOMBS = [
  `---\nhandoff: 1\nintent: x\na: &a [x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `${String.fromCharCode(98 + i)}: &${String.fromCharCode(98 + i)} [${`*${String.fromCharCode(97 + i)},`.repeat(9)}x]\n`).join("")}---\n`,
  `---\nintent: ${"[".repeat(20_000)}\n---\n`,
  `---\nintent: x\n${Array.from({ length: 60_000 }, (_, i) => `k${i}: 1\n`).join("")}---\n`,
  `---\nintent: "${"\\u001b".repeat(100_000)}"\n---\n`,
  `---\nintent: x\nrejections:\n${'  - {kind: structural, claim: c, predicate: "grep -q x README.md"}\n'.repeat(12_000)}---\n`,
  `---\nintent: x\n---\n${"## State\n".repeat(100_000)}`,
  `---\nintent: x\n---\n## Next steps\n${"1. x\n".repeat(150_000)}`,
  `${"---\n".repeat(200_000)}`,
  `---\nintent: ${"a ".repeat(500_000)}\n---\n`,
];

function store(dir: string, type: "blob" | "tree" | "commit" | "tag", content: Uint8Array | string): string {
  const args = ["hash-object", "-w", "--literally", "-t", type, "--stdin"];
  return execFileSync("git", args, { cwd: dir, input: content, encoding: "utf8" }).trim();
}

function treeOf(
  dir: string,
  rows: readonly (readonly [mode: string, name: string | Buffer, oid: string])[],
): string {
  const parts = rows.flatMap(([mode, name, oid]) => [
    Buffer.from(`${mode} `),
    Buffer.from(name),
    Buffer.from([0]),
    Buffer.from(oid, "hex"),
  ]);
  return store(dir, "tree", Buffer.concat(parts));
}

function logOf(dir: string, root: string): string {
  const by = "Eve <eve@example.com> 1777629600 +0000";
  return store(dir, "commit", `tree ${root}\nauthor ${by}\ncommitter ${by}\n\nwrite: x\n`);
}

async function readEverything(dir: string): Promise<void> {
  for (const args of [
    ["read"],
    ["read", "--json"],
    ["list", "--all", "--closed"],
    ["log"],
    ["inbox", "--json"],
  ]) {
    const { code } = await ask(dir, args);
    expect([0, 128], args.join(" ")).toContain(code);
  }
}

describe("what a ref leads to", () => {
  test("documents", { timeout: 900_000 }, async () => {
    const random = chance("documents");
    for (let turn = 0; turn < scale(2, 12); turn++) {
      const dir = makeRepo("documents");
      const rows = Array.from({ length: 20 }, () => {
        const oid = store(dir, "blob", harmed(random, WHOLE));
        return ["100644", `20260501T100000Z-x-${oid.slice(0, 7)}.md`, oid] as const;
      });
      const folders = ["open", "inbox"].map(
        (name, index) => ["40000", name, treeOf(dir, rows.slice(index * 10, index * 10 + 10))] as const,
      );
      git(
        dir,
        "update-ref",
        "refs/handoff/main/eve-0e0e0e",
        logOf(dir, treeOf(dir, [["100644", "format", store(dir, "blob", "1\n")], ...folders])),
      );
      await readEverything(dir);
      for (const [, name] of rows.slice(0, 3)) await ask(dir, ["show", name.slice(-10, -3)]);
      for (const [, name] of rows.slice(3, 5))
        await ask(dir, [
          "export",
          name.slice(-10, -3),
          "--format",
          random.pick(["park", "evidence", "inbox"]),
        ]);
      expect(readdirSync(dir)).not.toContain("pwned");
    }
  });

  test("documents without end", { timeout: 900_000 }, async () => {
    for (const bomb of BOMBS) {
      const dir = makeRepo("bomb");
      const oid = store(dir, "blob", bomb);
      const folder = treeOf(dir, [["100644", `20260501T100000Z-x-${oid.slice(0, 7)}.md`, oid]]);
      git(
        dir,
        "update-ref",
        "refs/handoff/main/eve-0e0e0e",
        logOf(
          dir,
          treeOf(dir, [
            ["100644", "format", store(dir, "blob", "1\n")],
            ["40000", "open", folder],
          ]),
        ),
      );
      await ask(dir, ["read"]);
      await ask(dir, ["write", "--from", "-", "--dry-run"], { input: bomb });
    }
  });

  test("commits, trees and marks without end", { timeout: 900_000 }, async () => {
    const size = 80 << 20;
    const by = "eve <eve@example.com> 1777629600 +0000";
    const row = Buffer.concat([Buffer.from("100644 x.md\0"), Buffer.alloc(20, 1)]);
    const without: Record<string, (dir: string) => string> = {
      "a message": (dir) => {
        const root = treeOf(dir, [["100644", "format", store(dir, "blob", "1\n")]]);
        const head = `tree ${root}\nauthor ${by}\ncommitter ${by}\n\nwrite: `;
        return store(dir, "commit", Buffer.concat([Buffer.from(head), Buffer.alloc(size, "x")]));
      },
      "a folder": (dir) => {
        const rows = [["100644", "format", store(dir, "blob", "1\n")] as const];
        const folder = store(dir, "tree", Buffer.alloc(size - (size % row.length), row));
        return logOf(dir, treeOf(dir, [...rows, ["40000", "open", folder]]));
      },
      "the mark of a format": (dir) =>
        logOf(dir, treeOf(dir, [["100644", "format", store(dir, "blob", Buffer.alloc(size))]])),
    };
    for (const [what, make] of Object.entries(without)) {
      const dir = makeRepo("endless");
      expect(await ask(dir, ["write", "-m", "The good one"]), what).toMatchObject({ code: 0 });
      git(dir, "update-ref", "refs/handoff/main/eve-0e0e0e", make(dir));
      for (const args of [["read"], ["log"], ["doctor"], ["prune", "--force"], ["close"]]) {
        const { code, stdout } = await ask(dir, args);
        expect([0, 1], `${what}: ${args[0]}`).toContain(code);
        if (["read", "log"].includes(args[0] ?? "")) expect(stdout, what).toContain("The good one");
      }
    }
  });

  test("refs, commits and trees", { timeout: 900_000 }, async () => {
    const random = chance("refs, commits and trees");
    for (let turn = 0; turn < scale(4, 40); turn++) {
      const dir = makeRepo("raw");
      const blobs = [WHOLE, "1\n", "2\n", "", "x"].map((text) => store(dir, "blob", text));
      const name = (): string | Buffer =>
        random.pick<() => string | Buffer>([
          () =>
            random.pick(["format", "open", "inbox", "closed", "acked", "moved", "gone", "..", ".git", "a/b"]),
          () => `20260501T100000Z-x-${random.pick(blobs).slice(0, 7)}.md`,
          () => harmed(random, "20260501T100000Z-x-1234567.md"),
        ])();
      const oid = (): string => random.pick([random.pick(blobs), "1".repeat(40), "0".repeat(40)]);
      const mode = (): string =>
        random.pick(["100644", "40000", "120000", "160000", "100755", "0", "999999999999"]);
      const tree = (depth: number): string => {
        const rows = Array.from(
          { length: random.upTo(6) },
          () => [mode(), name(), depth > 0 && random.fraction() < 0.7 ? tree(depth - 1) : oid()] as const,
        );
        const format = random.fraction() < 0.8 ? [["100644", "format", blobs[1] ?? ""] as const] : [];
        const made = treeOf(dir, [...format, ...rows]);
        if (random.fraction() < 0.9) return made;
        return store(
          dir,
          "tree",
          harmed(random, execFileSync("git", ["cat-file", "tree", made], { cwd: dir }).toString("latin1")),
        );
      };
      for (let ref = 0; ref < 5; ref++) {
        const commit = logOf(dir, tree(2));
        const target = random.pick([
          () => commit,
          () => commit,
          () =>
            store(
              dir,
              "commit",
              harmed(
                random,
                execFileSync("git", ["cat-file", "commit", commit], { cwd: dir, encoding: "utf8" }),
              ),
            ),
          () => store(dir, "tag", `object ${commit}\ntype commit\ntag x\ntagger E <e@e> 1 +0000\n\nx\n`),
          () => random.pick(blobs),
          () => random.pick(["garbage", "ref: refs/heads/main", "1".repeat(40), ""]),
        ])();
        const path = random.pick([
          "main/eve-0e0e0e",
          "main/eve-0e0e0e-1234567",
          "HEAD/eve-0e0e0e",
          "HEAD/mal-0f0f0f-7654321",
          "main/ada-lovelace-111111",
          "x",
          "main/x/y/z-000000",
        ]);
        try {
          put(dir, `.git/refs/handoff/${path}`, `${target}\n`);
        } catch {
          // A file where a folder is needed.
        }
      }
      git(dir, "config", "handoff.writer", random.pick(["ada-lovelace-111111", "eve-0e0e0e"]));
      await readEverything(dir);
      const args = random.pick([
        ["write", "--append", "-m", "x"],
        ["close"],
        ["prune", "--force", "--older-than", "0"],
        ["mv", "main", "other"],
        ["doctor"],
      ]);
      await ask(dir, args);
      const hook = installHook(dir);
      const head = git(dir, "rev-parse", "HEAD");
      const shown = spawnSync(hook, [head, head, "1"], { cwd: dir, encoding: "utf8" });
      expectTidy({ code: shown.status, stdout: shown.stdout, stderr: shown.stderr }, ["post-checkout"]);
      expect(shown.status).toBe(0);
    }
  });
});

test("what is written, from any input", { timeout: 900_000 }, async () => {
  const random = chance("input");
  const dir = makeRepo("input");
  const texts = [
    WHOLE,
    JSON.stringify({
      intent: "x",
      next: ["a"],
      rejections: [{ kind: "structural", claim: "c", predicate: "true" }],
      lessons: ["l"],
      allowance: { remaining: "1" },
    }),
    "intent: x\nstate: |\n  a\nnext: [a, b]\ndone: x\nlinks: [{rel: parent, target: y, evidence: z}]\n",
  ];
  for (let turn = 0; turn < scale(14, 200); turn++) {
    const args = [
      "write",
      "--append",
      "--from",
      "-",
      ...(random.fraction() < 0.5 ? ["--json"] : []),
      ...(random.fraction() < 0.7 ? ["-m", "x"] : []),
    ];
    await ask(dir, args, { input: harmed(random, random.pick(texts)) });
  }
  await readEverything(dir);
  expectWhole(dir);
});

test("what is imported", { timeout: 900_000 }, async () => {
  const random = chance("imports");
  const dir = makeRepo("imports");
  const texts = [
    "---\ntask_key: main\nwritten: 2026-05-01T10:00:00Z\nintent: x\nrejections:\n  - kind: structural\n    claim: a: b\n---\n## Next steps\n",
    JSON.stringify({
      id: "2026-05-01T10:00:00.123Z",
      state: { git_branch: "main" },
      continuation: ["x"],
      claims: [],
    }),
    "---\nfrom: other\ncreated: 2026-05-01 # then\nbreaking: true\n---\n# Title\n\n## Impact\nx\n",
  ];
  for (let turn = 0; turn < scale(8, 80); turn++) {
    const name = random.pick(["a.md", "a.json", "a.yaml", ".closed-a.md", "a.acked", "handoffs/inbox/a.md"]);
    mkdirSync(dirname(join(dir, "in", name)), { recursive: true });
    writeFileSync(join(dir, "in", name), harmed(random, random.pick(texts)));
    await ask(dir, ["import", random.pick(["in", join("in", name)])]);
    rmSync(join(dir, "in"), { recursive: true });
  }
  await readEverything(dir);
  expectWhole(dir);
});

test("what agents send at a session's start", { timeout: 900_000 }, async () => {
  const random = chance("agents");
  const dir = makeRepo("agents");
  expect(await ask(dir, ["write", "-m", "go on"])).toMatchObject({ code: 0 });
  const folder = join(import.meta.dirname, "../fixtures/session-start");
  const texts = readdirSync(folder).map((name) =>
    readFileSync(join(folder, name), "utf8").replace(/"cwd": *"[^"]*"/, `"cwd": ${JSON.stringify(dir)}`),
  );
  for (let turn = 0; turn < scale(25, 300); turn++) {
    const input =
      random.fraction() < 0.1 ? Buffer.from("[".repeat(1 << 20)) : harmed(random, random.pick(texts));
    const agent =
      random.fraction() < 0.3 ? ["--agent", random.pick(["claude-code", "codex", "x", "../x", ""])] : [];
    const { code, stdout } = await ask(dir, ["session-start", ...agent], { input });
    expect(code, String(input).slice(0, 500)).toBe(0);
    if (/^\s*\{/.test(stdout)) JSON.parse(stdout);
  }
});

test("command lines", { timeout: 900_000 }, async () => {
  const random = chance("command lines");
  const dir = makeRepo("lines");
  git(dir, "remote", "add", "origin", makeRepo("there"));
  const names = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const options = COMMANDS.flatMap((command) =>
    (command.options ?? []).flatMap((option) => [
      `--${option.name}`,
      `--no-${option.name}`,
      ...(option.alias ? [`-${option.alias}`] : []),
      `--${option.name}=x`,
    ]),
  );
  const words = [
    "main",
    "HEAD",
    "origin",
    "0000000",
    "--",
    "-",
    "",
    " ",
    "-x",
    "--x",
    "--=",
    "-mx",
    "--intent",
    "-7",
    "999999999999999999999",
    "NaN",
    "refs/heads/main",
    "a b",
    "../..",
    "/",
    "/dev/null",
    "README.md",
    "--help",
    "-h",
    "\x1b[31m",
    "\u202e",
    "é",
    "x".repeat(5000),
    "@{u}",
    "main~1",
    ":(top)",
    "--json=",
    "--no-json",
    "--intent=\n",
    "$(x)",
  ];
  // What would read for ever is the caller's own file.
  const word = (): string =>
    random.pick([() => random.pick(words), () => random.pick(options), () => random.pick(names)])();
  for (let turn = 0; turn < scale(45, 500); turn++) {
    const args = [
      ...(random.fraction() < 0.85 ? [random.pick(names)] : []),
      ...Array.from({ length: random.upTo(5) }, word),
    ].filter((each) => !each.includes("\0"));
    await ask(dir, args, {
      input: random.pick(["", "y\n", "{}", "x"]),
      env: { EDITOR: "true", GIT_EDITOR: "true" },
    });
  }
  expectWhole(dir);
});
