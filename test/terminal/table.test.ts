import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, drawTable, textWidth } from "../../src/terminal/table.js";

const columns = [
  { cells: ["e3c0b60", "abc1234"] },
  { cells: ["open", "closed"], rank: 3 },
  { cells: ["main", "feat/a-very-long-branch-name"], max: 10, rank: 2 },
  { cells: ["Ada", "日本 太郎"], rank: 1 },
  { cells: ["Fix the parser of long comments", "Two"] },
];

describe("drawTable", () => {
  it("cuts nothing where there is no terminal", () => {
    expect(drawTable(columns, null)).toBe(
      [
        "e3c0b60  open    main                          Ada        Fix the parser of long comments",
        "abc1234  closed  feat/a-very-long-branch-name  日本 太郎  Two",
        "",
      ].join("\n"),
    );
  });

  it("cuts to the terminal", () => {
    expect(drawTable(columns, 66)).toBe(
      [
        "e3c0b60  open    main        Ada        Fix the parser of long co…",
        "abc1234  closed  feat/a-ve…  日本 太郎  Two",
        "",
      ].join("\n"),
    );
  });

  it("leaves out the least important where there is no room", () => {
    expect(drawTable(columns, 54)).toBe(
      ["e3c0b60  open    main        Fix the parser of long c…", "abc1234  closed  feat/a-ve…  Two", ""].join(
        "\n",
      ),
    );
    expect(drawTable(columns, 20)).toBe("e3c0b60  Fix the pa…\nabc1234  Two\n");
  });

  it("pads by what is seen, not by what paints it", () => {
    const painted = drawTable(
      [{ cells: ["a", "bb"], paint: (text) => `<${text}>` }, { cells: ["x", "y"] }],
      null,
    );
    expect(painted).toBe("<a>   x\n<bb>  y\n");
  });

  it("is empty without rows", () => {
    expect(drawTable([{ cells: [] }], 80)).toBe("");
  });

  it("never exceeds a terminal that holds the first column", () => {
    const cell = fc
      .oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("日本語", "e\u0301", "👩‍👩‍👧", ""))
      .map((text) => text.replace(/[\p{C}\s]/gu, "x"));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1 }),
        fc.integer({ min: 20, max: 100 }),
        (rows, width) => {
          const drawn = drawTable(
            [
              { cells: rows.map(() => "e3c0b60") },
              { cells: rows.map(([first]) => first), max: 12, rank: 1 },
              { cells: rows.map(([, second]) => second) },
            ],
            width,
          );
          for (const line of drawn.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe("cut", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly", 7, "exactly"],
    ["too long", 5, "too …"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["xx𖿢x︐x㍘🆎", 11, "xx𖿢x︐x㍘…"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ])("%s to %i", (text, room, expected) => {
    expect(cut(text, room)).toBe(expected);
  });
});
