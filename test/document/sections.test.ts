import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendSections, formatBody, parseSections } from "../../src/document/sections.js";

const EMPTY = { state: null, impact: null, next: [], pointers: [], skills: null, rest: "" };

describe("parseSections", () => {
  it("reads the fixed spine", () => {
    const body = [
      "## State",
      "",
      "Half done.",
      "",
      "- parser: done",
      "## Impact here",
      "Breaks `x`.",
      "## Next steps",
      "1. Fix it",
      "2. Ship it",
      "## Pointers",
      "- src/a.ts",
      "* https://example.com",
      "## Suggested skills",
      "tdd",
      "",
    ].join("\n");
    expect(parseSections(body)).toEqual({
      state: "Half done.\n\n- parser: done",
      impact: "Breaks `x`.",
      next: ["Fix it", "Ship it"],
      pointers: ["src/a.ts", "https://example.com"],
      skills: "tdd",
      rest: "",
    });
  });

  it("keeps everything else as it is", () => {
    const { state, rest } = parseSections(
      "Before.\n\n# Title\n\ntext\n\n## State\nx\n### Sub\ny\n\n## Verification\n\n\tcode\n",
    );
    expect(state).toBe("x\n### Sub\ny");
    expect(rest).toBe("Before.\n\n# Title\n\ntext\n\n## Verification\n\n\tcode");
  });

  it.each([
    ["another case", "## state\nx"],
    ["a colon", "## State:\nx"],
    ["closing marks", "## State ##\nx"],
    ["indentation", "   ## State\nx"],
    ["CRLF", "## State\r\n\r\nx\r\n"],
    ["spaces after it", "## State   \n\n\nx\n\n"],
  ])("knows a heading with %s", (_name, body) => {
    expect(parseSections(body)).toEqual({ ...EMPTY, state: "x" });
  });

  it.each([
    ["a deeper level", "### State\nx"],
    ["no space", "##State\nx"],
    ["code indentation", "    ## State\nx"],
    ["another name", "## State of things\nx"],
    ["a fence", "```\n## State\nx\n```"],
    ["a fence of tildes with an info", "~~~ md\n## State\n```\n~~~"],
    ["a longer fence", "````\n```\n## State\n````"],
    ["a fence that never ends", "```\n## State\nx"],
  ])("knows no heading in %s", (_name, body) => {
    expect(parseSections(body)).toEqual({ ...EMPTY, rest: body });
  });

  it("is not fooled by back-ticks that open no fence", () => {
    expect(parseSections("``` inline ```\n## State\nx")).toEqual({
      ...EMPTY,
      state: "x",
      rest: "``` inline ```",
    });
  });

  it("joins a section given twice, and has none that is empty", () => {
    expect(parseSections("## State\na\n## Pointers\n\n## State\nb\n")).toEqual({ ...EMPTY, state: "a\n\nb" });
  });

  it.each<[string, string, string[]]>([
    ["ordered", "1. a\n2. b\n10) c", ["a", "b", "c"]],
    ["bullets of all kinds", "- a\n* b\n+ c", ["a", "b", "c"]],
    ["boxes", "- [ ] a\n- [x] b", ["[ ] a", "[x] b"]],
    ["empty lines between", "1. a\n\n2. b", ["a", "b"]],
    ["continuation lines", "1. a\n   more\nlazy\n2. b", ["a\nmore\nlazy", "b"]],
    ["paragraphs of an item", "1. a\n\n   second\n\n2. b", ["a\n\nsecond", "b"]],
    ["nested lists", "1. a\n   - x\n     - y\n   - z\n2. b", ["a\n- x\n  - y\n- z", "b"]],
    ["nested by two under a number", "1. a\n  - x\n2. b", ["a\n- x", "b"]],
    ["nested by a tab", "- a\n\t- x\n- b", ["a\n- x", "b"]],
    ["an indented list", "  - a\n  - b", ["a", "b"]],
    [
      "code in an item",
      "1. run\n   ```sh\n   - not an item\n   ```\n2. b",
      ["run\n```sh\n- not an item\n```", "b"],
    ],
    ["prose", "Just do it.\nAll of it.", ["Just do it.\nAll of it."]],
    ["prose before and after", "First:\n- a\n\nThen rest.", ["First:", "a", "Then rest."]],
    ["markers without text", "-\n- a", ["a"]],
    ["a number in prose", "In 2026. That was it", ["In 2026. That was it"]],
    ["bold that looks like a bullet", "**now** do x\n*emphasis*", ["**now** do x\n*emphasis*"]],
  ])("lists: %s", (_name, text, expected) => {
    expect(parseSections(`## Next steps\n${text}\n`).next).toEqual(expected);
    expect(parseSections(`## Pointers\n${text}\n`).pointers).toEqual(expected);
  });
});

describe("formatBody", () => {
  it("writes the spine in its order, the rest behind it, what has no heading before it", () => {
    expect(
      formatBody({
        rest: "Before.\n\n## Notes\n\nn",
        pointers: ["src/a.ts"],
        next: ["a\n- x", "b"],
        state: "s\n",
        impact: "i",
        skills: "k",
      }),
    ).toBe(
      "Before.\n\n## State\n\ns\n\n## Impact here\n\ni\n\n## Next steps\n\n1. a\n   - x\n2. b\n\n## Pointers\n\n- src/a.ts\n\n## Suggested skills\n\nk\n\n## Notes\n\nn\n",
    );
  });

  it("writes nothing for nothing, and no empty section", () => {
    expect(formatBody({})).toBe("");
    expect(formatBody(EMPTY)).toBe("");
    expect(formatBody({ state: " \n", next: [], rest: "" })).toBe("");
  });

  it("closes a fence, so that the next section is not code", () => {
    const body = formatBody({ state: "```\ncode", next: ["go"] });
    expect(parseSections(body)).toEqual({ ...EMPTY, state: "```\ncode\n```", next: ["go"] });
  });

  const lines = fc.array(
    fc.constantFrom(
      "## State",
      "## Next steps",
      "## Pointers",
      "## Impact here",
      "## Other",
      "# Title",
      "### Sub",
      "```",
      "~~~~",
      "````sh",
      "text one",
      "",
      "  two spaces",
      "    four",
      "\ttab",
      "- a",
      "  - b",
      "1. c",
      "10. d",
      "   cont",
      "* e",
      "-",
      "> q",
      "| t |",
      "---",
      "## ",
      "#",
      "##x",
      "- ```",
      "  ```",
      "1.",
      "- - f",
    ),
    { maxLength: 14 },
  );
  const words = (text: string) =>
    text
      .replace(/^[ \t>-]*\d{1,9}[.)](?=\s|$)/gm, "")
      .match(/[\p{L}\p{N}|>`~]+/gu)
      ?.sort() ?? [];

  it("loses no text of any body", () => {
    fc.assert(
      fc.property(lines, (parts) => {
        const body = parts.join("\n");
        const written = formatBody(parseSections(body));
        const count = (text: string, word: string) => words(text).filter((other) => other === word).length;
        for (const word of new Set(
          words(body).filter((text) => !/^[`~]+$|^(State|Impact|here|Next|steps|Pointers)$/.test(text)),
        )) {
          expect([word, count(written, word)]).toEqual([word, count(body, word)]);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("is the same when written a second time", () => {
    fc.assert(
      fc.property(lines, (parts) => {
        const once = formatBody(parseSections(parts.join("\n")));
        const twice = formatBody(parseSections(once));
        expect(formatBody(parseSections(twice))).toBe(twice);
      }),
      { numRuns: 2000 },
    );
  });

  it("gives back what it was given, where that is plain text", () => {
    const word = fc.stringMatching(/^[A-Za-z][\w .,:'"/()]{0,30}[\w)]$/);
    const sections = fc.record({
      state: fc.option(word),
      impact: fc.option(word),
      next: fc.array(word, { maxLength: 12 }),
      pointers: fc.array(word, { maxLength: 3 }),
      skills: fc.option(word),
      rest: fc.constantFrom("", "before", "## Notes\n\nx", "before\n\n## Notes\n\nx"),
    });
    fc.assert(
      fc.property(sections, (value) => {
        expect(parseSections(formatBody(value))).toEqual(value);
      }),
    );
  });
});

describe("appendSections", () => {
  it("adds each section to its forerunner, equal items once", () => {
    const earlier = parseSections("## State\na\n## Next steps\n1. x\n2. y\n## Notes\nn\n");
    const addition = parseSections("## State\nb\n## Next steps\n1. y\n2. z\n## Pointers\n- p\n## Notes\nm\n");
    expect(appendSections(earlier, addition)).toEqual({
      ...EMPTY,
      state: "a\n\nb",
      next: ["x", "y", "z"],
      pointers: ["p"],
      rest: "## Notes\nn\n\n## Notes\nm",
    });
  });

  it("adds nothing that is the same, and keeps what is not added to", () => {
    const earlier = parseSections("## State\na\n");
    expect(appendSections(earlier, { state: "a" })).toEqual(earlier);
    expect(appendSections(earlier, {})).toEqual(earlier);
  });
});
