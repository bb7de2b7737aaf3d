import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coerceFrontmatter } from "../../src/document/coerce.js";
import { formatDocument } from "../../src/document/format.js";
import { mergeAllowance, mergeForAppend } from "../../src/document/merge.js";
import { parseSections } from "../../src/document/sections.js";
import { handoffDocument } from "./arbitrary.js";

function earlier(id: string, raw: Record<string, unknown>, body = "") {
  const { meta } = coerceFrontmatter({ handoff: 1, intent: "earlier", ...raw });
  if (!meta) throw new Error("no document");
  return { id, meta, body };
}
const rejection = { kind: "structural", claim: "c", anchor: "a", predicate: "p", fallback: "f" } as const;
const now = {
  intent: "go on",
  written: "2026-05-03T10:00:00Z",
  author: "Bob <bob@example.com>",
  git: "main @ 222",
  session: { runtime: "codex", id: "s2", context: "unknown" },
  harness: "codex",
};

describe("mergeForAppend", () => {
  it("adds lists and sections, replaces what was given, keeps the rest, names what it merged", () => {
    const before = earlier(
      "id-1",
      {
        written: "2026-05-01T10:00:00Z",
        goal: "the goal",
        summary: "old",
        git: "main @ 111",
        dirty_files: ["x"],
        session: { id: "s1" },
        project: "proj",
        mine: { a: 1 },
        rejections: [{ ...rejection, own: true }],
        unresolved: [{ kind: "risk", text: "r" }],
        supersedes: ["id-0"],
      },
      "## State\n\nold state\n\n## Next steps\n\n1. one\n\n## Notes\n\nn\n",
    );
    const merged = mergeForAppend([before], {
      meta: {
        ...now,
        summary: "new",
        rejections: [{ ...rejection, claim: "d" }],
        artifacts: [{ claim: "k", evidence: "src" }],
      },
      body: "## State\n\nnew state\n\n## Next steps\n\n1. one\n2. two\n",
    });
    expect(merged.meta).toEqual({
      ...before.meta,
      ...now,
      summary: "new",
      dirty_files: undefined,
      rejections: [
        { ...rejection, own: true },
        { ...rejection, claim: "d" },
      ],
      artifacts: [{ claim: "k", evidence: "src" }],
      supersedes: ["id-1"],
    });
    expect(merged.body).toBe(
      "## State\n\nold state\n\nnew state\n\n## Next steps\n\n1. one\n2. two\n\n## Notes\n\nn\n",
    );
  });

  it("merges several in the order in which they were written, whatever the order they come in", () => {
    const first = earlier(
      "a",
      { written: "2026-05-01T12:00:00+02:00", goal: "g1", summary: "s1", watches: [{ pr: 1 }] },
      "## State\n\none\n",
    );
    const second = earlier(
      "b",
      { written: "2026-05-01T11:00:00Z", goal: "g2", watches: [{ pr: 2 }, { pr: 1 }] },
      "## State\n\ntwo\n",
    );
    const merged = mergeForAppend([second, first], { meta: now, body: "" });
    expect(merged).toEqual(mergeForAppend([first, second], { meta: now, body: "" }));
    expect(merged.meta).toMatchObject({
      goal: "g2",
      summary: "s1",
      watches: [{ pr: 1 }, { pr: 2 }],
      supersedes: ["a", "b"],
    });
    expect(merged.body).toBe("## State\n\none\n\ntwo\n");
  });

  it("has equal entries once, whatever the order of their keys", () => {
    const before = earlier("a", {
      rejections: [rejection],
      links: [{ rel: "parent", target: "t", evidence: "e" }],
    });
    const { meta } = mergeForAppend([before], {
      meta: {
        ...now,
        rejections: [{ fallback: "f", predicate: "p", anchor: "a", claim: "c", kind: "structural" }],
        links: [{ evidence: "e", target: "t", rel: "parent" }],
      },
      body: "",
    });
    expect(meta.rejections).toEqual([rejection]);
    expect(meta.links).toHaveLength(1);
  });

  it("withdraws an earlier entry in its place, and never un-withdraws one", () => {
    const before = earlier("a", {
      rejections: [rejection, { ...rejection, claim: "d" }],
      unresolved: [{ kind: "gap", text: "g" }],
    });
    const withdrawn = mergeForAppend([before], {
      meta: { ...now, rejections: [{ ...rejection, withdrawn: "wrong" }] },
      body: "",
    });
    expect(withdrawn.meta.rejections).toEqual([
      { ...rejection, withdrawn: "wrong" },
      { ...rejection, claim: "d" },
    ]);
    const again = mergeForAppend([{ ...withdrawn, id: "b" }], {
      meta: { ...now, rejections: [rejection] },
      body: "",
    });
    expect(again.meta.rejections).toEqual([
      { ...rejection, withdrawn: "wrong" },
      { ...rejection, claim: "d" },
      rejection,
    ]);
  });

  it("takes a new observation of the same evidence for the earlier one", () => {
    const before = earlier("a", { artifacts: [{ claim: "c", evidence: "src/a.ts", oid: "1", mine: 1 }] });
    const { meta } = mergeForAppend([before], {
      meta: { ...now, artifacts: [{ claim: "c", evidence: "src/a.ts", oid: "2" }] },
      body: "",
    });
    expect(meta.artifacts).toEqual([{ claim: "c", evidence: "src/a.ts", oid: "2", mine: 1 }]);
  });

  it("keeps a link's earlier unknowns when a later one resolves them", () => {
    const before = earlier("a", { links: [{ rel: "resume", target: "s1", evidence: "unknown" }] });
    const { meta } = mergeForAppend([before], {
      meta: { ...now, links: [{ rel: "resume", target: "s1", evidence: "log:12" }] },
      body: "",
    });
    expect(meta.links.map((link) => link.evidence)).toEqual(["unknown", "log:12"]);
  });

  it("takes null as a goal that was given", () => {
    const before = earlier("a", { goal: "g" });
    expect(mergeForAppend([before], { meta: { ...now, goal: null }, body: "" }).meta.goal).toBeNull();
    expect(mergeForAppend([before], { meta: now, body: "" }).meta.goal).toBe("g");
  });

  it("does not touch what it merges", () => {
    const before = earlier(
      "a",
      { rejections: [rejection], allowance: { remaining: 1, evidence: ["x"] } },
      "## State\n\ns\n",
    );
    const copy = structuredClone(before);
    mergeForAppend([before], {
      meta: {
        ...now,
        rejections: [{ ...rejection, withdrawn: "w" }],
        allowance: { remaining: 0, evidence: ["y"] },
      },
      body: "## State\n\nt\n",
    });
    expect(before).toEqual(copy);
  });

  it("keeps every earlier entry, unknown key and text, in order", () => {
    fc.assert(
      fc.property(handoffDocument, handoffDocument, (one, two) => {
        const before = [
          { ...one, id: "a" },
          { ...two, id: "b" },
        ];
        const merged = mergeForAppend(before, { meta: now, body: "" });
        for (const { meta, body } of before) {
          expect(merged.meta.links).toEqual(expect.arrayContaining(meta.links));
          expect(merged.meta.watches).toEqual(expect.arrayContaining(meta.watches));
          const claims = merged.meta.rejections.map((entry) => entry.claim);
          expect(claims).toEqual(expect.arrayContaining(meta.rejections.map((entry) => entry.claim)));
          const texts = merged.meta.unresolved.map((entry) => entry.text);
          expect(texts).toEqual(expect.arrayContaining(meta.unresolved.map((entry) => entry.text)));
          for (const key of Object.keys(meta).filter((name) => name.startsWith("x")))
            expect(merged.meta).toHaveProperty([key]);
          const sections = parseSections(body);
          const kept = parseSections(merged.body);
          if (sections.state) expect(kept.state).toContain(sections.state);
          expect(kept.next).toEqual(expect.arrayContaining(sections.next));
        }
        expect(merged.meta.supersedes).toEqual(expect.arrayContaining(["a", "b"]));
        expect(() => formatDocument(merged)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

describe("mergeAllowance", () => {
  const used = { remaining: 3, state: "held", incident: "i1", helper_used: true, evidence: ["log:1"] };

  it.each([
    ["nothing", undefined],
    ["unknown", "unknown" as const],
    ["a map that measured nothing", { remaining: "unknown", helper_used: "unknown" }],
  ])("carries it over when given %s", (_name, given) => {
    expect(mergeAllowance(used, given)).toEqual(used);
  });

  it("replaces what was measured, adds evidence, keeps the rest", () => {
    expect(mergeAllowance(used, { remaining: 1, evidence: ["log:1", "log:2"] })).toEqual({
      ...used,
      remaining: 1,
      evidence: ["log:1", "log:2"],
    });
    expect(mergeAllowance("unknown", { remaining: 1 })).toEqual({ remaining: 1 });
    expect(mergeAllowance("unknown", undefined)).toBe("unknown");
    expect(mergeAllowance({ remaining: 5 }, { remaining: 0 })).toEqual({ remaining: 0 });
  });

  it.each([
    ["in the same incident", { incident: "i1", helper_used: false }, true],
    ["without an incident named", { helper_used: false }, true],
    ["with an unknown incident", { incident: "unknown", helper_used: false }, true],
    ["in another incident", { incident: "i2", helper_used: false }, false],
    ["in another incident, unmeasured", { incident: "i2" }, true],
  ])("helper_used %s", (_name, given, expected) => {
    expect(mergeAllowance(used, given)).toMatchObject({ helper_used: expected });
  });

  it("does not take a first named incident for another one", () => {
    expect(mergeAllowance({ helper_used: true }, { incident: "i1", helper_used: false })).toMatchObject({
      helper_used: true,
    });
  });
});
