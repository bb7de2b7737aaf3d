// No text crashes the reader, and more predicates are not more processes.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Facts } from "../../../src/verify/facts.js";
import { checkPredicates } from "../../../src/verify/predicate/check.js";
import { countGit } from "../../support/count.js";
import { git } from "../../support/repo.js";
import { snapshot } from "../../support/tree.js";
import { askAll, factsOf, rejection } from "./ask.js";
import { GONE_ROWS, GREP_ROWS, OTHER_ROWS, REFUSED_ROWS, tableRepo } from "./table.js";

let dir: string;
beforeAll(() => {
  dir = tableRepo();
});

const seeds = [...GREP_ROWS, ...GONE_ROWS, ...OTHER_ROWS, ...REFUSED_ROWS].map(([predicate]) => predicate);

/** Known predicates cut, doubled and spliced, and plain noise. */
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .tuple(fc.constantFrom(...seeds), fc.nat(60), fc.string({ unit: "binary", maxLength: 6 }))
    .map(([seed, at, noise]) => seed.slice(0, at) + noise + seed.slice(at)),
  fc
    .tuple(fc.constantFrom(...seeds), fc.constantFrom(...seeds), fc.nat(40), fc.nat(40))
    .map(([one, other, from, to]) => one.slice(0, from) + other.slice(to)),
  fc
    .string({
      unit: fc.constantFrom("(", ")", "[", "]", "{", "}", "\\", "*", "1", ",", "|", "^", "$", "a", ":", "-"),
      maxLength: 30,
    })
    .map((pattern) => `grep -qE '${pattern}' words.txt`),
);

describe("any text", () => {
  it("gets a verdict in its time and leaves no trace", { timeout: 120_000 }, async () => {
    const before = snapshot(dir);
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 12 }), async (predicates) => {
        const facts = await factsOf(dir, { predicateTimeout: 500, deadline: Date.now() + 3_000 });
        const answers = await askAll(predicates, facts);
        expect(answers).toHaveLength(predicates.length);
        for (const answer of answers) {
          expect(["holds", "fails", "cannot-evaluate"]).toContain(answer.verdict);
          expect(answer.note === null).toBe(answer.verdict === "holds");
          // One line, nothing that moves a cursor.
          expect(answer.note ?? "").not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
      { numRuns: 60 },
    );
    expect(snapshot(dir)).toEqual(before);
  });
});

describe("processes of one read", () => {
  const kinds: readonly [name: string, most: number, predicate: (at: number) => string][] = [
    ["plain grep", 0, (at) => `grep -q 'text ${at}' words.txt`],
    ["a pattern", 0, (at) => `grep -qE 'fo+ (a|b${at})' words.txt`],
    ["test", 0, (at) => `test -e src/file-${at}.ts`],
    ["objects", 1, (at) => `git cat-file -e HEAD:src/file-${at}.ts`],
    ["revisions", 1, (at) => `git rev-parse --verify branch-${at}`],
    ["refs", 1, (at) => `git show-ref --verify refs/heads/branch-${at}`],
    ["tracked files", 1, (at) => `git ls-files --error-unmatch src/file-${at}.ts`],
    ["plain git grep", 1, (at) => `git grep -q 'text ${at}' -- words.txt`],
    ["git grep", 45, (at) => `git grep -q 'text.${at}' -- words.txt`],
    ["git diff", 45, (at) => `git diff --quiet HEAD -- src/parser.ts${at}`],
    ["the same question", 2, () => "git grep -q foo -- words.txt"],
  ];

  it.each(kinds)("%s: at most %i", async (_, most, predicate) => {
    const count = async (number: number): Promise<number> => {
      const facts: Facts = await factsOf(dir);
      const all = Array.from({ length: number }, (__, at) => predicate(at));
      return (await countGit(() => askAll(all, facts))).calls.length;
    };
    expect(await count(200)).toBeLessThanOrEqual(most);
  });

  it("asks a commit's tree with as few", async () => {
    const commit = git(dir, "rev-parse", "HEAD");
    const all = Array.from(
      { length: 200 },
      (_, at) => `grep -q 'text ${at}' ${at % 2 ? "words.txt" : "src/parser.ts"}`,
    );
    const facts = await factsOf(dir, { commit });
    expect((await countGit(() => askAll(all, facts))).calls.length).toBeLessThanOrEqual(3);
  });

  it("says what did not fit", async () => {
    const all = Array.from({ length: 60 }, (_, at) => `git grep -q 'text.${at}' -- words.txt`);
    const answers = await askAll(all, await factsOf(dir));
    const over = answers.filter((one) => one.note?.startsWith("out-of-budget: more than"));
    expect(over.length).toBeGreaterThan(0);
    expect(answers.filter((one) => one.verdict === "fails").length).toBe(all.length - over.length);
  });

  it("ends in time with thousands of costly ones", { timeout: 20_000 }, async () => {
    const kinds = ["structural", "goal-conditional", "untyped"] as const;
    const many = Array.from({ length: 6_000 }, (_, at) =>
      rejection(`! grep -qE '\\b(a|b)*a(a|b){${(at % 200) + 20}}(x|y${at})\\B' words.txt`, {
        kind: kinds[at % 3] ?? "structural",
      }),
    );
    const answers = await checkPredicates(many, await factsOf(dir, { deadline: Date.now() + 1_000 }));
    expect(answers.filter((one) => one.note?.startsWith("out-of-budget: ")).length).toBeGreaterThan(0);
    expect(answers).toHaveLength(many.length);
  });

  it("says that the time was over", async () => {
    const facts = await factsOf(dir, { deadline: Date.now() - 1 });
    const [answer] = await askAll(["grep -q foo words.txt"], facts);
    expect(answer).toMatchObject({
      verdict: "cannot-evaluate",
      note: "out-of-budget: the time for all checks was over",
    });
  });
});

describe("the module", () => {
  it("loads no library, and no child process before one is needed", () => {
    const script = `
      const { buildSync } = require("esbuild");
      const built = buildSync({ entryPoints: ["src/verify/predicate/check.ts"], bundle: true, platform: "node", format: "cjs", write: false, metafile: true });
      const files = Object.keys(built.metafile.inputs).filter((file) => file.includes("node_modules"));
      console.log(JSON.stringify(files));`;
    const root = new URL("../../..", import.meta.url).pathname;
    expect(execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" }).trim()).toBe("[]");
  });
});
