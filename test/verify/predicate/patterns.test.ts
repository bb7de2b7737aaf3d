// What is answered here must be GNU grep's answer, on random patterns and lines.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CannotEvaluate } from "../../../src/verify/predicate/cannot-evaluate.js";
import { Content, compileSearch } from "../../../src/verify/predicate/pattern/matcher.js";
import { grepArguments } from "../../../src/verify/predicate/real-grep.js";
import type { Search } from "../../../src/verify/predicate/types.js";

const gnu = /GNU grep/.test(spawnSync("grep", ["--version"], { encoding: "utf8" }).stdout);

const character = fc.constantFrom(
  "a",
  "b",
  "c",
  "A",
  "B",
  "é",
  "É",
  "日",
  "_",
  " ",
  "-",
  "1",
  ".",
  "{",
  "*",
  "(",
  "|",
  "+",
);
const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  "é",
  "日",
  "_",
  " ",
  "-",
  "A",
  "1",
  ".",
  "\\.",
  "[ab]",
  "[^a]",
  "[a-c]",
  "[[:alpha:]]",
  "[[:space:]]",
  "[[:upper:]]",
  "[^[:alnum:]]",
  "[]a]",
  "[a-]",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "^",
  "$",
  "\\<",
  "\\>",
  "\\b",
  "\\B",
  "{",
  "}",
  "a*",
  ".*",
  "\\d",
  "\\-",
  "É",
  "*",
  "+",
  "?",
  "|",
  "[z-a]",
  "[[:x:]]",
  "\\",
  "(",
  ")",
  "\\(",
);
const repeat = {
  basic: ["", "", "", "", "*", "\\+", "\\?", "\\{2\\}", "\\{1,2\\}", "\\{,2\\}"],
  extended: ["", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}"],
};

const syntaxes = ["basic", "extended"] as const;

function pattern(extended: boolean): fc.Arbitrary<string> {
  const [open, close, or] = extended ? ["(", ")", "|"] : ["\\(", "\\)", "\\|"];
  const { tree } = fc.letrec<{ tree: string; item: string }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      atom,
      atom,
      atom,
      tie("tree").map((inner) => `${open}${inner}${close}`),
      fc.tuple(tie("tree"), tie("tree")).map(([left, right]) => `${open}${left}${or}${right}${close}`),
      tie("tree").map((inner) => `${open}${inner}${close}\\1`),
    ),
    tree: fc
      .array(fc.tuple(tie("item"), fc.constantFrom(...(extended ? repeat.extended : repeat.basic))), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.flat().join("")),
  }));
  return tree;
}

const line = fc.array(character, { maxLength: 7 }).map((all) => all.join(""));

const search: fc.Arbitrary<Search> = fc
  .record({
    some: fc.oneof(
      fc.record({
        syntax: fc.constant("fixed" as const),
        patterns: fc.array(line, { minLength: 1, maxLength: 2 }),
      }),
      ...syntaxes.map((syntax) =>
        fc.record({
          syntax: fc.constant(syntax),
          patterns: fc.array(pattern(syntax === "extended"), { minLength: 1, maxLength: 2 }),
        }),
      ),
    ),
    ignoreCase: fc.boolean(),
    around: fc.constantFrom("", "", "", "word", "line"),
    invert: fc.nat(3).map((n) => n === 0),
  })
  .map(({ some, ignoreCase, around, invert }) => ({
    ...some,
    ignoreCase,
    word: around === "word",
    line: around === "line",
    invert,
  }));

const text = fc
  .tuple(fc.array(line, { maxLength: 4 }), fc.boolean())
  .map(([lines, ended]) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));

function answer(asked: Search, bytes: Buffer): boolean | string | null {
  try {
    return compileSearch(asked)(new Content(bytes), Date.now() + 10_000);
  } catch (error) {
    if (error instanceof CannotEvaluate) return error.message;
    throw error;
  }
}

describe.skipIf(!gnu)("patterns", () => {
  it("match what GNU grep matches", { timeout: 120_000 }, () => {
    let answered = 0;
    fc.assert(
      fc.property(search, text, (asked, content) => {
        const own = answer(asked, Buffer.from(content));
        // Left to the real grep, or refused for its size.
        if (own === null || own === "pattern too large") return;
        answered++;
        const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
        const { status } = spawnSync("grep", grepArguments(asked), { input: content, env });
        expect([asked, content, own]).toEqual([
          asked,
          content,
          status === 0 ? true : status === 1 ? false : "bad pattern",
        ]);
      }),
      // Other ones than those that always pass: HANDOFF_FUZZ=20000.
      process.env.HANDOFF_FUZZ === undefined
        ? { numRuns: 600, seed: 20260501 }
        : { numRuns: Number(process.env.HANDOFF_FUZZ) },
    );
    expect(answered).toBeGreaterThan(100);
  });
});

describe("a search", () => {
  const base: Search = {
    syntax: "extended",
    patterns: [],
    ignoreCase: false,
    word: false,
    line: false,
    invert: false,
  };
  it.each([
    ["(a+)+$", `${"a".repeat(100_000)}b`, false],
    ["(a*)*b", "a".repeat(100_000), false],
    ["(a|aa)+$", `${"a".repeat(100_000)}b`, false],
    ["(.*)(.*)(.*)(.*)(.*)x", "a".repeat(100_000), false],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000), false],
  ])("reads a line once for %s", (one, content, expected) => {
    expect(
      compileSearch({ ...base, patterns: [one] })(new Content(Buffer.from(content)), Date.now() + 60_000),
    ).toBe(expected);
  });

  it("stops at its time, whatever the pattern", () => {
    let state = 1;
    const letters = Array.from({ length: 1 << 20 }, () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 1 ? "a" : "b";
    });
    // Ends in what the patterns need, so that nothing but a full try can tell.
    const bytes = Buffer.from(`${letters.join("")}xd`);
    const many = compileSearch({ ...base, patterns: ["(a|b)*a(a|b){200}d"] });
    expect(() => many(new Content(bytes), Date.now() + 100)).toThrow("timeout");
    const back = compileSearch({ ...base, patterns: ["(a.*)(b.*)\\1.*\\2xy?d."] });
    expect(() => back(new Content(bytes), Date.now() + 100)).toThrow(/timeout|out-of-budget/);
  });

  it("leaves bytes that are no text to the real grep, except for plain words", () => {
    const latin = new Content(Buffer.from("caf\xe9 plain\n", "latin1"));
    expect(compileSearch({ ...base, patterns: ["plain"] })(latin, Date.now() + 1_000)).toBe(true);
    expect(compileSearch({ ...base, patterns: ["pl..n"] })(latin, Date.now() + 1_000)).toBeNull();
  });
});
