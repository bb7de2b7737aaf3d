import { describe, expect, it } from "vitest";
import { coerceFrontmatter } from "../../src/document/coerce.js";
import type { Rejection } from "../../src/document/types.js";
import { validateDocument, validateRejections } from "../../src/document/validate.js";

const SPINE = "## State\n\ns\n\n## Next steps\n\n1. n\n\n## Pointers\n\n- p\n";

function document(raw: Record<string, unknown>, body = SPINE) {
  const { meta } = coerceFrontmatter({ handoff: 1, intent: "go", ...raw });
  if (!meta) throw new Error("no document");
  return { meta, body };
}

const sound: Rejection = {
  kind: "structural",
  claim: "c",
  anchor: "src/a.ts",
  predicate: "grep -q x src/a.ts",
  fallback: "drop and surface to user",
};
const untyped: Rejection = { ...sound, kind: "untyped" };

describe("validateDocument", () => {
  it("has nothing to say about a sound document", () => {
    expect(validateDocument(document({ rejections: [sound] }))).toEqual([]);
  });

  it("counts rejections from 1, word for word", () => {
    const rejections = [sound, { ...sound, predicate: " " }, { ...sound, anchor: null }];
    expect(validateDocument(document({ rejections }))).toEqual([
      "Rejection 2 has no predicate. It will be marked cannot-evaluate on every read and surfaced unconditionally. Recommend authoring one.",
      "Rejection 3 has no anchor. The evaluator has no idea what to check against. Recommend authoring one (e.g., a file path, a function signature, a dependency name+version).",
    ]);
  });

  it.each(["contractual", "empirical-local", "empirical-external", "structural"] as const)(
    "asks %s for an anchor",
    (kind) => {
      expect(validateRejections([{ ...sound, kind, anchor: "" }])).toEqual([
        expect.stringMatching(/^Rejection 1 has no anchor\./),
      ]);
    },
  );

  it("asks goal-conditional and untyped for no anchor, but for a predicate", () => {
    expect(validateRejections([{ ...sound, kind: "goal-conditional", anchor: null }])).toEqual([]);
    expect(validateRejections([sound, sound, { ...untyped, anchor: null }])).toEqual([]);
    expect(validateRejections([{ ...sound, kind: "goal-conditional", predicate: "" }])).toHaveLength(1);
  });

  it("takes a third of untyped ones, and not more", () => {
    expect(validateRejections([untyped, sound, sound])).toEqual([]);
    expect(validateRejections([untyped, untyped, sound, sound, sound, sound])).toEqual([]);
    expect(validateRejections([untyped, untyped, sound, sound, sound])).toEqual([
      "2 of 5 rejections are untyped. That's a signal the closed enumeration isn't matching what you're trying to capture. Consider re-classifying.",
    ]);
    expect(validateRejections([untyped, sound])).toEqual([
      expect.stringMatching(/^1 of 2 rejections are untyped\./),
    ]);
    expect(validateRejections([untyped])).toEqual([expect.stringMatching(/^1 of 1 /)]);
    expect(validateRejections([])).toEqual([]);
  });

  it("names an unknown kind on one line, and counts it as untyped", () => {
    const kind = "cos\u001b[31mmic\n" as Rejection["kind"];
    expect(validateRejections([{ ...sound, kind }])).toEqual([
      'Rejection 1 has the unrecognized kind "cosmic". It will be stored as untyped. Recommend re-classifying it as one of structural, contractual, empirical-local, empirical-external, goal-conditional, untyped.',
      expect.stringMatching(/^1 of 1 rejections are untyped\./),
    ]);
  });

  it("names a low-information predicate", () => {
    expect(validateRejections([{ ...sound, predicate: "true", low_info: true }])).toEqual([
      'Rejection 1 has a low-information predicate: it is always true. It will be shown as "noted but not gating".',
    ]);
  });

  it("leaves withdrawn ones alone, and still counts by place", () => {
    const withdrawn = { ...untyped, predicate: "", withdrawn: "was wrong" };
    expect(validateRejections([withdrawn, { ...sound, predicate: "" }])).toEqual([
      expect.stringMatching(/^Rejection 2 has no predicate\./),
    ]);
  });

  it.each([
    ["State", "## Next steps\n1. n\n## Pointers\n- p\n", 'The body has no "## State" section.'],
    ["Next steps", "## State\ns\n## Pointers\n- p\n", 'The body has no "## Next steps" section.'],
    ["Pointers", "## State\ns\n## Next steps\n1. n\n", 'The body has no "## Pointers" section.'],
    [
      "Pointers with words",
      "## State\ns\n## Next steps\n1. n\n## Pointers\n\n",
      'The body has no "## Pointers" section.',
    ],
  ])("misses %s", (_name, body, warning) => {
    expect(validateDocument(document({}, body))).toEqual([warning]);
  });

  it("finds an Impact out of place in a journal document, and in its place in a pushed one", () => {
    const body = `${SPINE}\n## Impact here\n\nbreaks\n`;
    expect(validateDocument(document({}, body))).toEqual([
      '"## Impact here" belongs to inbox handoffs; this one is a journal handoff.',
    ]);
    expect(validateDocument(document({ delivery: "pushed", breaking: true }, body))).toEqual([]);
  });
});
