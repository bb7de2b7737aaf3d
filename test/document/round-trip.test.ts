import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import { parseDocument } from "../../src/document/parse.js";
import { parseOwnDocument } from "../../src/document/parse-own.js";
import { handoffDocument } from "./arbitrary.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("formatDocument", () => {
  it("is read back equal, by the YAML library and by our own reader", () => {
    fc.assert(
      fc.property(handoffDocument, (document) => {
        const stored = bytes(formatDocument(document));
        expect(parseDocument(stored)).toEqual({ document, warnings: [] });
        expect(parseOwnDocument(stored)).toEqual(document);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps the order of keys, unknown ones where they stood", () => {
    fc.assert(
      fc.property(handoffDocument, (document) => {
        const text = formatDocument(document);
        const own = parseOwnDocument(bytes(text));
        const read = parseDocument(bytes(text)).document;
        if (!own || !read) throw new Error("not read back");
        expect(formatDocument(own)).toBe(text);
        expect(JSON.stringify(own)).toBe(JSON.stringify(read));
      }),
    );
  });

  it("writes the schema's keys in the schema's order", () => {
    const { document } = parseDocument(
      bytes(
        "---\nintent: go\nmine: 1\nhandoff: 1\ntask_key: main\ngoal: null\nrejections:\n- predicate: p\n  x: 1\n  kind: structural\n  claim: c\n---\n",
      ),
    );
    if (!document) throw new Error("not read");
    const keys = formatDocument(document).match(/^[ -]*\w+(?=:)/gm);
    expect(keys?.slice(0, 3)).toEqual(["handoff", "task_key", "project"]);
    expect(keys).toEqual([
      "handoff",
      "task_key",
      "project",
      "repository",
      "delivery",
      "written",
      "author",
      "harness",
      "session",
      "  runtime",
      "  id",
      "  context",
      "intent",
      "mine",
      "goal",
      "git",
      "rejections",
      "  - kind",
      "    claim",
      "    anchor",
      "    predicate",
      "    x",
      "    fallback",
      "artifacts",
      "unresolved",
      "allowance",
      "links",
      "watches",
    ]);
  });

  it("writes one key a line, whatever a value holds", () => {
    const { document } = parseDocument(bytes("---\nhandoff: 1\nintent: go\n---\n"));
    if (!document) throw new Error("not read");
    document.meta.intent = `first\nsecond: x #y ${"long ".repeat(500)}`;
    const line = formatDocument(document)
      .split("\n")
      .find((text) => text.startsWith("intent:"));
    expect(line).toBe(`intent: ${JSON.stringify(document.meta.intent)}`);
  });
});

describe("parseOwnDocument", () => {
  const ours = "---\nhandoff: 1\nintent: go on\n---\n";

  it("reads our own form", () => {
    expect(parseOwnDocument(bytes(ours))?.meta.intent).toBe("go on");
  });

  it.each([
    ["a BOM", `\ufeff${ours}`],
    ["CRLF", ours.replaceAll("\n", "\r\n")],
    ["a comment", "---\nhandoff: 1 # one\nintent: go\n---\n"],
    ["a comment line", "---\n# hi\nhandoff: 1\nintent: go\n---\n"],
    ["a block scalar", "---\nhandoff: 1\nintent: |\n  go\n---\n"],
    ["a folded plain scalar", "---\nhandoff: 1\nintent: go\n  on\n---\n"],
    ["an alias", "---\nhandoff: 1\nintent: &a go\nproject: *a\n---\n"],
    ["single quotes", "---\nhandoff: 1\nintent: 'go'\n---\n"],
    ["a flow map", "---\nhandoff: 1\nintent: go\nsession: {id: a}\n---\n"],
    ["a repeated key", "---\nhandoff: 1\nintent: go\nintent: on\n---\n"],
    ["an empty line", "---\nhandoff: 1\n\nintent: go\n---\n"],
    ["a tab as indentation", "---\nhandoff: 1\nintent: go\nsession:\n\tid: a\n---\n"],
    ["a no-break space as indentation", "---\nhandoff: 1\nintent: go\nsession:\n\u00a0\u00a0id: a\n---\n"],
    ["another indentation", "---\nhandoff: 1\nintent: go\nsession:\n    id: a\n---\n"],
    ["a list at its key's indentation", "---\nhandoff: 1\nintent: go\nsupersedes:\n- a\n---\n"],
    ["a key without a value", "---\nhandoff: 1\nintent: go\ngoal:\n---\n"],
    ["a boolean of YAML 1.1", "---\nhandoff: 1\nintent: go\nx: no\n---\n"],
    ["a number with leading zeros", "---\nhandoff: 1\nintent: go\nx: 0123456\n---\n"],
    ["an escape that JSON has not", '---\nhandoff: 1\nintent: "a\\x20b"\n---\n'],
    ["a reserved key", "---\nhandoff: 1\nintent: go\nnull: 1\n---\n"],
    ["__proto__", '---\nhandoff: 1\nintent: go\n"__proto__": 1\n---\n'],
    ["a tag", "---\nhandoff: 1\nintent: !!str go\n---\n"],
    ["a newer version", "---\nhandoff: 2\nintent: go\n---\n"],
    ["something to warn about", "---\nhandoff: 1\nintent: go\nrejections: 5\n---\n"],
    ["no frontmatter", "## State\n"],
    ["frontmatter without an end", "---\nhandoff: 1\nintent: go\n"],
    ["nothing", ""],
    ["an empty map", "---\n---\n"],
  ])("leaves %s to the YAML library", (_name, text) => {
    expect(parseOwnDocument(bytes(text))).toBeUndefined();
  });

  it("leaves bytes that are no UTF-8 to the YAML library", () => {
    expect(parseOwnDocument(Buffer.from(ours.replace("go", "g\xff"), "latin1"))).toBeUndefined();
  });

  it("never reads what the YAML library reads otherwise", () => {
    // Small damage to our own form is where the two could come apart.
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 3 }),
      put: fc.constantFrom(
        "",
        " ",
        "  ",
        "- ",
        ": ",
        "\n",
        '"',
        "#",
        " #",
        "a",
        "0",
        "\t",
        "'",
        "\\",
        "\u00a0",
        "[]",
        "---\n",
        "\r",
        "&a ",
        "null",
      ),
    });
    fc.assert(
      fc.property(handoffDocument, fc.array(damage, { minLength: 1, maxLength: 3 }), (document, damages) => {
        let text = formatDocument(document);
        for (const { at, cut, put } of damages) {
          const place = at % text.length;
          text = text.slice(0, place) + put + text.slice(place + cut);
        }
        const own = parseOwnDocument(bytes(text));
        if (own) expect({ document: own, warnings: [] }).toEqual(parseDocument(bytes(text)));
      }),
      { numRuns: 3000 },
    );
  });
});
