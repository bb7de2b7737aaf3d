import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine, stripText } from "../../src/document/strip.js";

describe("stripText", () => {
  it.each([
    ["plain text\nstays", "plain text\nstays"],
    ["a\tb", "a b"],
    ["a\r\nb\rc", "a\nb c"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u009b31mred", "red"],
    ["\u001b[2J\u001b[1;1Hx", "x"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u009d0;title\u009ctext", "text"],
    ["\u001b]0;never ended\nnext line", "\nnext line"],
    ["\u001bP1$r0m\u001b\\x", "x"],
    ["\u001b_apc\u001b\\x\u001b^pm\u001b\\y\u001bXsos\u001b\\z", "xyz"],
    ["\u001b(Bx\u001b7y\u001bc", "xy"],
    ["\u001b", ""],
    ["\u001b[", ""],
    ["\u001b\u001b[31mx", "x"],
    ["\u001b\u200b[31mx", "[31mx"],
    ["a\u0000b\u0008c\u007fd\u0085e", "abcde"],
    ["a\u202eb\u2066c\u2069d\u200fe\u061cf", "abcdef"],
    ["a\u200bb\u2060c\ufeffd\u00ade", "abcde"],
    ["x\u{e0041}\u{e0042}\u{e007f}y\u{e0100}", "xy"],
    ["a\u2028b\u2029c", "a b c"],
    ["pass\u200dword p\u200cq", "password pq"],
    ["👩‍💻 👨‍👩‍👧 ❤️‍🔥 👍🏽", "👩‍💻 👨‍👩‍👧 ❤️‍🔥 👍🏽"],
    ["می‌خواهم क्‍ष", "می‌خواهم क्‍ष"],
    ["日本語 ünï Ελλάδα עברית", "日本語 ünï Ελλάδα עברית"],
  ])("%j → %j", (text, expected) => {
    expect(stripText(text)).toBe(expected);
  });

  const hostile = fc
    .array(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 5 }),
        fc.constantFrom(
          "\u001b",
          "[",
          "]",
          "\\",
          "\u0007",
          "\u009b",
          "\u009c",
          "\u0090",
          "31m",
          "\u202e",
          "\u200d",
          "\u{e0001}",
          "\n",
          "\r",
          "a",
          ";",
        ),
      ),
    )
    .map((parts) => parts.join(""));

  it("lets nothing through that controls or hides", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(stripText(text)).toMatch(
          /^(?:\n|[^\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}])*$/u,
        );
        expect(oneLine(text)).toMatch(/^[^\p{Cc}\u2028\u2029]*$/u);
      }),
      { numRuns: 3000 },
    );
  });

  it("leaves nothing to do for a second time", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(stripText(stripText(text))).toBe(stripText(text));
      }),
    );
  });

  it("leaves printable ASCII alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(stripText(text)).toBe(text);
      }),
    );
  });
});

describe("oneLine", () => {
  it("has one line and single spaces", () => {
    expect(oneLine("  a\n\n b\t\tc\r\nd \u00a0e\n")).toBe("a b c d e");
  });
});
