import { describe, expect, it } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import { PARK_FOLDER, parkFile, read } from "./sources.js";

const at = (name: string) => `${PARK_FOLDER}/${name}`;

function rejection(fields: Record<string, string>): string {
  const lines = Object.entries({ kind: "structural", claim: "c", anchor: "a", predicate: "true", ...fields });
  return lines.map(([key, value], index) => `${index === 0 ? "  - " : "    "}${key}: ${value}\n`).join("");
}

describe("a park file", () => {
  it("is read into its keys, and its text is the body", () => {
    const text = parkFile(
      `${rejection({ claim: "Use regex", predicate: "grep -q 'final class Foo' src/Foo.php" })}    fallback: ask\n    low_info: true\n`,
    );
    const { form, state, branch, document, understood, warnings } = read(at("feat-park.md"), text);
    expect({ form, state, branch, warnings }).toEqual({
      form: "park",
      state: "open",
      branch: { kind: "slug", slug: "feat-park" },
      warnings: [],
    });
    expect(document.meta).toMatchObject({
      task_key: "feat-park",
      project: "repo",
      written: "2026-05-01T10:00:00Z",
      intent: "Ship the parser",
      goal: null,
      harness: "unknown",
      author: "unknown",
      git: "unknown",
      rejections: [
        {
          kind: "structural",
          claim: "Use regex",
          anchor: "a",
          predicate: "grep -q 'final class Foo' src/Foo.php",
          fallback: "ask",
          low_info: true,
        },
      ],
    });
    expect(document.body).toMatch(/^Some scratch\.\n/);
    expect(understood).toEqual(["task_key", "project", "written", "intent", "rejections (1)"]);
  });

  it("keeps its header word for word, comments and unknown keys too", () => {
    const { document } = read(at("feat-park.md"), parkFile(rejection({}), "owner: ada   # who\n"));
    expect(document.body).toContain("\n```yaml\ntask_key: feat-park\n");
    expect(document.body).toContain("\nowner: ada   # who\n");
    expect(document.meta.owner).toBe("ada");
  });

  it("is closed with its time where its name says so", () => {
    const text = parkFile(rejection({}));
    const { state, reason, branch, document } = read(at("feat-park.md.closed-20260502T110000Z"), text);
    expect({ state, reason, branch }).toEqual({
      state: "closed",
      reason: "closed 20260502T110000Z",
      branch: { kind: "slug", slug: "feat-park" },
    });
    // The same document as before it was closed: its closing reaches whoever imported it open.
    expect(formatDocument(document)).toBe(formatDocument(read(at("feat-park.md"), text).document));
  });

  it.each([
    // The document's own examples, printed without quotes in its schema.
    ["grep -qF 'function render(Context $ctx): string' src/Renderer.php"],
    ["the Bar interface still exposes execute(): void at lib/Bar.ts"],
    ["the line 'preview returns null' in CampaignPreviewController.php:142 is still present"],
    [`grep -q '"react": "18\\.' package.json`],
    // What YAML would cut, refuse or take for something else.
    ["grep -q 'a # b' src/x"],
    ["grep -q TODO: src/x"],
    ["! grep -q Foo src/Foo.php"],
    ["[ -f src/Foo.php ]"],
    ["[ -f 'a b' ]"],
    ["git cat-file -e HEAD:src/x"],
    ["'quoted' word: and more"],
    ["*.php are gone"],
    ["`x` is: y"],
    ["& x"],
    ["% y"],
    ["- dash"],
    ["{ a: b"],
    ["a: b: c"],
    ["5"],
    ["no"],
    ["@x: y"],
  ])("reads %s as the text it is", (predicate) => {
    const { document } = read(at("x.md"), parkFile(rejection({ predicate })));
    expect(document.meta.rejections).toMatchObject([
      { kind: "structural", claim: "c", anchor: "a", predicate, fallback: "drop and surface to user" },
    ]);
  });

  it.each([
    [`"grep -q '\\"react\\": \\"18\\\\.' package.json"`, `grep -q '"react": "18\\.' package.json`],
    [`"grep -q '\\d: x' f"   # odd escape`, "grep -q '\\d: x' f"],
    [`'it''s: x'  # c`, "it's: x"],
    ["|\n      two\n      lines", "two\nlines\n"],
    [">-\n      folded: x\n      # no comment", "folded: x # no comment"],
    ["grep -q x\n      src/y: z", "grep -q x src/y: z"],
    ["\n      begins below: x", "begins below: x"],
    ["# nothing", ""],
  ])("reads %s as YAML has it", (written, predicate) => {
    const { document } = read(at("x.md"), parkFile(rejection({ predicate: written })));
    expect(document.meta.rejections).toMatchObject([{ claim: "c", predicate, anchor: "a" }]);
  });

  it("says what it read as plain text", () => {
    const { warnings } = read(
      at("x.md"),
      parkFile(rejection({ claim: "a: b", predicate: "grep -q 'x # y' f" })),
    );
    expect(warnings).toEqual(["not quoted, read as plain text: claim (line 8), predicate (line 10)"]);
  });

  it("reads other broken values as plain text, too", () => {
    const { document, warnings } = read(at("x.md"), parkFile(rejection({}), "note: see: there\n"));
    expect(document.meta).toMatchObject({ note: "see: there", intent: "Ship the parser" });
    expect(warnings).toEqual(["not quoted, read as plain text: note (line 6)"]);
  });

  it.each([
    [
      "a header that is no YAML in any reading",
      parkFile("  - kind: x\n  bad\n  : [\n"),
      /^not readable as YAML: .*\(line \d+ of the frontmatter\); kept whole as the body$/,
    ],
    ["no frontmatter", "Only prose.\n", /^no frontmatter; kept whole as the body$/],
    ["a header never closed", "---\nintent: x\nrejections: []\n", /kept whole as the body$/],
  ])("keeps %s whole", (_, text, warning) => {
    const { document, warnings, branch, body } = read(at("feat-park.md"), text);
    expect(warnings[0]).toMatch(warning);
    expect(document.body).toBe(text);
    expect(document.meta).toMatchObject({ intent: "unknown", task_key: "feat-park" });
    expect({ branch, body }).toEqual({
      branch: { kind: "slug", slug: "feat-park" },
      body: ["the whole file"],
    });
  });

  it("says what is wrong with a kind, and keeps the word in the body", () => {
    const { document, warnings } = read(at("x.md"), parkFile(rejection({ kind: "hunch" })));
    expect(document.meta.rejections[0]?.kind).toBe("untyped");
    expect(warnings.join("\n")).toContain("rejections[0].kind: expected one of structural");
    expect(document.body).toContain("  - kind: hunch\n");
  });

  it("takes `---` in a value for what it is", () => {
    const { document } = read(at("x.md"), parkFile(rejection({ claim: "Ship A --- then B" })));
    expect(document.meta.rejections[0]?.claim).toBe("Ship A --- then B");
    expect(document.body).toMatch(/^Some scratch/);
  });
});
