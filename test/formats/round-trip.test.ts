// Export, then import: the same document to the byte, and a file that the format's own rules accept.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import type { HandoffDocument } from "../../src/document/types.js";
import { understand } from "../../src/formats/read.js";
import { decodeSource } from "../../src/formats/source-file.js";
import { EXPORT_FORMATS, type ExportFormat } from "../../src/formats/types.js";
import { exportDocument } from "../../src/formats/write.js";
import { handoffDocument } from "../document/arbitrary.js";
import { sampleDocument } from "../support/document.js";
import { RULES } from "./rules.js";

const place = { branch: "feat/park", project: "/srv/repo", closed: null };

function exported(document: HandoffDocument, format: ExportFormat) {
  return exportDocument(document, format, place);
}

function read(text: string, name: string) {
  return understand(decodeSource(`/somewhere/${name}`, new TextEncoder().encode(text)).file);
}

/** JSON has no word for it. */
function hasNegativeZero(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return Object.is(value, -0);
  return Object.values(value).some(hasNegativeZero);
}

describe.each(EXPORT_FORMATS)("%s", (format) => {
  it("gives back every document to the byte, in a file by the format's rules", () => {
    fc.assert(
      fc.property(
        handoffDocument.filter(({ meta }) => !hasNegativeZero(meta)),
        (document) => {
          const { text, name, warnings } = exported(document, format);
          expect(RULES[format](text, name)).toEqual([]);
          expect(warnings).toEqual([]);
          const back = read(text, name);
          expect(back.form).toBe(format);
          expect(formatDocument(back.document)).toBe(formatDocument(document));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives back pushed documents, too", () => {
    const document = sampleDocument("Rename amount", {
      task_key: "HEAD",
      delivery: "pushed",
      breaking: true,
      from: { repo: "api", project: "/srv/api", git: `main @ ${"ab12".repeat(10)}` },
    });
    document.body = `## Impact here\n\nRename it.\n\n${document.body}`;
    const { text, name } = exported(document, format);
    expect(RULES[format](text, name)).toEqual([]);
    const back = read(text, name);
    expect({ state: back.state, branch: back.branch }).toEqual({
      state: "inbox",
      branch: { kind: "repository" },
    });
    expect(formatDocument(back.document)).toBe(formatDocument(document));
  });
});
