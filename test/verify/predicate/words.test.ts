import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CannotEvaluate } from "../../../src/verify/predicate/cannot-evaluate.js";
import { splitWords } from "../../../src/verify/predicate/words.js";

function split(text: string): string[] | null {
  try {
    return splitWords(text).map((word) => word.text);
  } catch (error) {
    expect(error).toBeInstanceOf(CannotEvaluate);
    return null;
  }
}

describe("splitWords", () => {
  it.each([
    ["grep -q a b", ["grep", "-q", "a", "b"]],
    ["  a \t b  ", ["a", "b"]],
    ["'a b'c\"d e\"f\\ g", ["a bcd ef g"]],
    ["'' \"\"", ["", ""]],
    ["'\\n'", ["\\n"]],
    ['"\\n \\\\ \\" \\$x \\`"', ['\\n \\ " $x `']],
    ["a\\\nb", ["ab"]],
    ['"a\\\nb"', ["ab"]],
    ["a$ b", ["a$", "b"]],
    ['"a$"', ["a$"]],
    ["a # rest", ["a"]],
    ["a#b", ["a#b"]],
    ["[ -f x ]", ["[", "-f", "x", "]"]],
    ["a{b", ["a{b"]],
    ["{}", ["{}"]],
    ["'*?[a]~$x`|&;<>()'", ["*?[a]~$x`|&;<>()"]],
    ["--include=*.ts", ["--include=*.ts"]],
    ["a~", ["a~"]],
  ])("%j", (text, words) => {
    expect(split(text)).toEqual(words);
  });

  it.each([
    "a | b",
    "a;b",
    "a & b",
    "a\nb",
    "a # b\nc",
    "$x",
    '"$x"',
    "a$(b)",
    "`b`",
    "a > b",
    "(a)",
    "*.ts",
    "a?",
    "[ab]c",
    "~/x",
    "{a,b}",
    "{1..3}",
    "'a",
    '"a',
    "a\\",
    "$'a'",
    '$"a"',
    "--include={a,b}",
  ])("refuses %j", (text) => {
    expect(split(text)).toBeNull();
  });

  it("splits what it accepts as a shell does", () => {
    const piece = fc.constantFrom(
      "a",
      "b c",
      "'",
      '"',
      "\\",
      "$",
      " ",
      "  ",
      "#",
      "{",
      "}",
      "é",
      "!",
      "=",
      "~",
      "-x",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        const words = split(text);
        // A word alone would be a command, an assignment or a reserved word: only arguments are compared.
        if (words === null) return;
        const script = `p() { for w; do printf '%s\\0' "$w"; done; }\np ${text.trim()}\n`;
        const printed = execFileSync("sh", ["-c", script], { encoding: "utf8", stdio: "pipe" });
        expect(words).toEqual(printed.split("\0").slice(0, -1));
      }),
      { numRuns: 300 },
    );
  });
});
