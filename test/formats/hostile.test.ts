// Texts made to take for ever, to overflow a stack or to reach into objects: each comes in, in time.
import { expect, it } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import { parseDocument } from "../../src/document/parse.js";
import { exportDocument } from "../../src/formats/write.js";
import { evidenceFile, journalFile, parkFile, read } from "./sources.js";

const MANY = 400_000;

it.each([
  ["blanks in a value", "x.md", parkFile("  []\n", `note: a${" ".repeat(MANY)}b\n`)],
  ["blanks before a comment", "x.md", parkFile("  []\n", `note: a: b${" #".repeat(MANY / 2)}\n`)],
  ["quotes never closed", "x.md", parkFile("  []\n", 'intent: "\n'.repeat(MANY / 10))],
  ["quotes closed twice", "x.md", parkFile("  []\n", 'intent: "a" "\n'.repeat(MANY / 20))],
  ["dashes", "x.md", parkFile(`  ${"- ".repeat(MANY / 2)}x: y\n`)],
  ["hashes", "x.md", parkFile("  []\n", `intent: ${"#".repeat(MANY)}\n`)],
  ["blocks never closed", "x.md", `${parkFile("  []\n")}${"<!-- git-handoff\n{".repeat(MANY / 20)}`],
  ["blocks that are none", "x.md", `${parkFile("  []\n")}${"<!-- git-handoff\n{}\n-->\n".repeat(MANY / 25)}`],
  ["one long word", "x.md", "a".repeat(MANY)],
  ["one long address", "x.md", `${"a.".repeat(MANY / 2)}@${"b.".repeat(MANY / 2)}`],
  ["back-ticks", "x.yaml", `a: "${"` ".repeat(MANY / 2)}"\n`],
  ["document marks", "x.yaml", "---\n".repeat(20_000)],
  ["nested lists", "x.json", `${"[".repeat(MANY / 2)}${"]".repeat(MANY / 2)}`],
  ["marks of a body", "x.json", evidenceFile({ summary: "<!-- git-handoff: body -->\n".repeat(MANY / 30) })],
  ["additions", "x.md", journalFile({}, "\n<!-- git-handoff: not in the original -->\n".repeat(MANY / 50))],
])("%s", (_, name, text) => {
  let document: ReturnType<typeof read>["document"];
  try {
    document = read(`/x/${name}`, text).document;
  } catch (error) {
    // Refused is fine; a crash is not.
    expect((error as Error).name).toBe("NotTaken");
    return;
  }
  expect(document.body.length).toBeGreaterThan(0);
  expect(parseDocument(new TextEncoder().encode(formatDocument(document))).document).toEqual(document);
  exportDocument(document, "park", { branch: "main", project: "/r", closed: null });
});

it("a block reaches no prototype", () => {
  const block = '<!-- git-handoff\n{"meta": {"__proto__": {"polluted": 1}, "constructor": "x"}}\n-->\n';
  const { document } = read("/x/feat.md", `${parkFile("  []\n")}\n${block}`);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect((document.meta as Record<string, unknown>).polluted).toBeUndefined();
});
