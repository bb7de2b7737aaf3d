import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import { parseDocument } from "../../src/document/parse.js";
import { handoffDocument } from "./arbitrary.js";

const parse = (text: string) => parseDocument(new TextEncoder().encode(text));
const meta = (yaml: string) => parse(`---\nhandoff: 1\nintent: go\n${yaml}---\n`);

describe("parseDocument", () => {
  it("reads a BOM and CRLF", () => {
    const { document, warnings } = parse(
      "\ufeff---\r\nhandoff: 1\r\nintent: go on\r\n---\r\n\r\n## State\r\nx\r\n",
    );
    expect(warnings).toEqual([]);
    expect(document?.meta.intent).toBe("go on");
    expect(document?.body).toBe("## State\r\nx\r\n");
  });

  it("takes --- inside values for text", () => {
    const { document } = parse(
      '---\nhandoff: 1\nintent: "a\\n---\\nb"\nsummary: |\n  x\n  ---\n  y\ngoal: a --- b\n---\nbody\n---\nmore\n',
    );
    expect(document?.meta).toMatchObject({ intent: "a\n---\nb", summary: "x\n---\ny\n", goal: "a --- b" });
    expect(document?.body).toBe("body\n---\nmore\n");
  });

  it("reads bytes that are no UTF-8, with a warning", () => {
    const { document, warnings } = parseDocument(
      Buffer.from("---\nhandoff: 1\nintent: caf\xe9\n---\n", "latin1"),
    );
    expect(document?.meta.intent).toBe("caf\ufffd");
    expect(warnings).toEqual(["not valid UTF-8; unreadable bytes are shown as \ufffd"]);
  });

  it("keeps dates, versions, abbreviated ids and `no` the text they are", () => {
    const { document, warnings } = meta(
      "written: 2026-05-01T10:00:00Z\ngoal: no\nsummary: 2026-05-01\nproject: 0123456\nharness: 1.10\ntask_key: 12e4567\nlist: [on, off, yes, 007, 1_000, 12, 1.5, true]\n",
    );
    expect(warnings).toEqual([]);
    expect(document?.meta).toMatchObject({
      written: "2026-05-01T10:00:00Z",
      goal: "no",
      summary: "2026-05-01",
      project: "0123456",
      harness: "1.10",
      task_key: "12e4567",
      list: ["on", "off", "yes", "007", "1_000", 12, 1.5, true],
    });
  });

  it("says that a key is given twice", () => {
    const { document, warnings } = meta("goal: a\ngoal: b\nsession: {id: x, id: y}\n");
    expect(document?.meta.goal).toBe("b");
    expect(document?.meta.session.id).toBe("y");
    expect(warnings.sort()).toEqual([
      "goal: given twice or more; the last one counts",
      "id: given twice or more; the last one counts",
    ]);
  });

  it("follows a few aliases, and refuses a bomb", () => {
    expect(meta("project: &a here\nharness: *a\n").document?.meta.harness).toBe("here");
    const levels = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (let index = 1; index < 9; index += 1) {
      const [from, to] = [index - 1, index].map((at) => String.fromCharCode(97 + at));
      levels.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(", ")}]`);
    }
    const { document, warnings } = meta(`${levels.join("\n")}\n`);
    expect(document).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/^not readable as YAML: Excessive alias count/)]);
  });

  it("refuses many aliases, each to another anchor, before following any", () => {
    const yaml = Array.from({ length: 200 }, (_, index) => `- &a${index} x\n- *a${index}`).join("\n");
    const { document, warnings } = meta(`x:\n${yaml}\n`);
    expect(document).toBeNull();
    expect(warnings).toEqual(["not readable as YAML: more than 100 aliases"]);
  });

  it("says of a key given 150,000 times that it is, and reads on", () => {
    const { document, warnings } = meta("x: 1\n".repeat(150_000));
    expect(document?.meta.x).toBe(1);
    expect(warnings).toEqual(["x: given twice or more; the last one counts"]);
  });

  it.each([
    ["a cycle", "x: &x [*x, *x, *x]\n"],
    ["a cycle through maps", "x: &x {a: *x, b: *x}\n"],
  ])("survives %s", (_name, yaml) => {
    const { warnings } = meta(yaml);
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThan(30);
  });

  it("is not polluted by __proto__", () => {
    const { document, warnings } = meta(
      "__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\nrejections: [{kind: structural, claim: c, __proto__: {low_info: true}}]\n",
    );
    expect(Object.prototype).not.toHaveProperty("polluted");
    expect(document?.meta.rejections[0]?.low_info).toBeUndefined();
    expect(Object.getPrototypeOf(document?.meta)).toBe(Object.prototype);
    expect(document?.meta.constructor).toEqual({ prototype: { polluted: 1 } });
    expect(warnings).toEqual([
      "__proto__: not a usable key; dropped",
      "rejections[0].__proto__: not a usable key; dropped",
    ]);
  });

  it.each([
    ["no frontmatter", "## State\n", "no frontmatter"],
    ["nothing", "", "no frontmatter"],
    ["no end", "---\nintent: x\n", "the frontmatter is never closed by a line ---"],
    ["empty frontmatter", "---\n---\n", "the frontmatter is null, not a map"],
    ["a list", "---\n- a\n---\n", "the frontmatter is a list, not a map"],
    [
      "neither handoff nor intent",
      "---\na: 1\n---\n",
      "the frontmatter has neither a usable handoff nor an intent",
    ],
  ])("gives no document for %s, and says why", (_name, text, warning) => {
    expect(parse(text)).toEqual({ document: null, warnings: [warning] });
  });

  it("gives no document for broken YAML, and says where", () => {
    const { document, warnings } = parse("---\nintent: go\ngoal: a: b\n---\n");
    expect(document).toBeNull();
    expect(warnings).toEqual([
      "not readable as YAML: Nested mappings are not allowed in compact mappings (line 2 of the frontmatter)",
    ]);
  });

  it("does not read more than 1 MiB", () => {
    const text = `---\nhandoff: 1\nintent: go\n---\n${"x".repeat(1 << 20)}`;
    expect(parse(text)).toEqual({
      document: null,
      warnings: [`larger than 1 MiB (${text.length} bytes); not read`],
    });
  });

  it.each([
    ["[", "[".repeat(200_000)],
    ["{a: ", "{a: ".repeat(100_000)],
    ["- ", "- ".repeat(200_000)],
    ["? ", "? ".repeat(200_000)],
    ["keys", Array.from({ length: 90_000 }, (_, index) => `k${index}: 1`).join("\n")],
    ["quotes", '"'.repeat(500_001)],
    ["comments", "# x\n".repeat(200_000)],
    ["empty lines", "\n".repeat(500_000)],
    ["anchors", Array.from({ length: 40_000 }, (_, index) => `- &a${index} x`).join("\n")],
    ["tags", "x: !a !b\n".repeat(50_000)],
  ])("survives 1 MiB of %s", (_name, yaml) => {
    const { document, warnings } = meta(`x:\n${yaml}\n`);
    expect(document !== null || warnings.length > 0).toBe(true);
    for (const warning of warnings) expect(warning).not.toContain("\n");
  });

  it("never throws and is never silent, whatever the bytes", () => {
    const header = fc.constantFrom("---\n", "---\nhandoff: 1\nintent: x\n", "\ufeff---\r\n", "");
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(header, garbage, fc.constantFrom("\n---\n", ""), (start, middle, end) => {
        const { document, warnings } = parseDocument(
          Buffer.concat([Buffer.from(start), Buffer.from(middle), Buffer.from(end)]),
        );
        expect(document !== null || warnings.length > 0).toBe(true);
        for (const warning of warnings) expect(warning).toMatch(/^[^\n\r\u001b]+$/);
      }),
      { numRuns: 2000 },
    );
  });

  it("never throws on a damaged document", () => {
    fc.assert(
      fc.property(handoffDocument, fc.nat(), fc.uint8Array({ maxLength: 4 }), (document, at, noise) => {
        const stored = Buffer.from(formatDocument(document));
        const place = at % stored.length;
        const damaged = Buffer.concat([
          stored.subarray(0, place),
          Buffer.from(noise),
          stored.subarray(place + 2),
        ]);
        const { document: read, warnings } = parseDocument(damaged);
        expect(read !== null || warnings.length > 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
