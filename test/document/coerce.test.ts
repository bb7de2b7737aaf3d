import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coerceFrontmatter } from "../../src/document/coerce.js";
import { frontmatterSchema } from "../../src/document/schema.js";
import { plain } from "./arbitrary.js";

const coerce = (raw: Record<string, unknown>) => coerceFrontmatter({ handoff: 1, intent: "go", ...raw });

describe("coerceFrontmatter", () => {
  it("fills in what is missing, without a word", () => {
    expect(coerceFrontmatter({ handoff: 1, intent: "go" })).toEqual({
      warnings: [],
      meta: {
        handoff: 1,
        task_key: "unknown",
        project: "unknown",
        repository: "unknown",
        delivery: "pulled",
        written: "unknown",
        author: "unknown",
        harness: "unknown",
        session: { runtime: "unknown", id: "unknown", context: "unknown" },
        intent: "go",
        goal: null,
        git: "unknown",
        rejections: [],
        artifacts: [],
        unresolved: [],
        allowance: "unknown",
        links: [],
        watches: [],
      },
    });
  });

  it("gives two documents nothing in common", () => {
    const first = coerceFrontmatter({ intent: "a" }).meta;
    const second = coerceFrontmatter({ intent: "b" }).meta;
    first?.links.push({ rel: "parent", target: "t", evidence: "unknown" });
    if (first) first.session.id = "mine";
    expect(second).toMatchObject({ links: [], session: { id: "unknown" } });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ["a newer version", { handoff: 2 }, { handoff: 1 }, ["written by a newer git-handoff"]],
    [
      "a version in words",
      { handoff: "one" },
      { handoff: 1 },
      ['handoff: expected 1, found "one"; read as 1'],
    ],
    ["no version", { handoff: undefined }, { handoff: 1 }, ["handoff: expected 1, found nothing; read as 1"]],
    [
      "a number for a text",
      { project: 2048 },
      { project: "2048" },
      ["project: expected a string, read 2048 as such"],
    ],
    [
      "a list for a text",
      { project: ["a"] },
      { project: "unknown" },
      ['project: expected a string, found a list; read as "unknown"'],
    ],
    ["a map for an optional text", { summary: {} }, {}, ["summary: expected a string, found a map; dropped"]],
    ["null for an optional text", { summary: null }, {}, []],
    [
      "a map for a goal",
      { goal: {} },
      { goal: null },
      ["goal: expected a string or null, found a map; read as null"],
    ],
    [
      "a choice that is none",
      { delivery: "thrown" },
      { delivery: "pulled" },
      ['delivery: expected one of pulled, pushed, found "thrown"; read as "pulled"'],
    ],
    [
      "a text for a boolean",
      { breaking: "yes" },
      {},
      ['breaking: expected true or false, found "yes"; dropped'],
    ],
    ["pushed without breaking", { delivery: "pushed" }, {}, ["breaking: missing in a pushed handoff"]],
    [
      "a number for a list",
      { rejections: 5 },
      { rejections: [] },
      ["rejections: expected a list, found 5; read as []"],
    ],
    [
      "unknown for a list",
      { links: "unknown" },
      { links: [] },
      ['links: expected a list, found "unknown"; read as []'],
    ],
    [
      "a list of one without its dash",
      { supersedes: "x" },
      { supersedes: ["x"] },
      ["supersedes: expected a list, read as a list of one"],
    ],
    [
      "a wrong entry of a list",
      { supersedes: ["x", {}, null, "y"] },
      { supersedes: ["x", "y"] },
      ["supersedes[1]: expected a string, found a map; dropped", "supersedes[2]: empty; dropped"],
    ],
    [
      "an unknown kind of rejection",
      { rejections: [{ kind: "cosmic", claim: "c", predicate: "p", anchor: "a" }] },
      {
        rejections: [
          { kind: "untyped", claim: "c", predicate: "p", anchor: "a", fallback: "drop and surface to user" },
        ],
      },
      [
        expect.stringMatching(
          /^rejections\[0\]\.kind: expected one of structural, .*, found "cosmic"; read as "untyped"$/,
        ),
      ],
    ],
    [
      "a rejection without kind and claim",
      { rejections: [{ predicate: "true" }] },
      {
        rejections: [
          {
            kind: "untyped",
            claim: "unknown",
            anchor: null,
            predicate: "true",
            fallback: "drop and surface to user",
          },
        ],
      },
      ['rejections[0].kind: missing; read as "untyped"', 'rejections[0].claim: missing; read as "unknown"'],
    ],
    [
      "an entry with nothing in it",
      { artifacts: [{ x: 1 }] },
      { artifacts: [] },
      ["artifacts[0]: expected claim, evidence, found none of them; dropped"],
    ],
    [
      "an entry that is a text",
      { unresolved: ["flaky"] },
      { unresolved: [{ kind: "finding", text: "flaky" }] },
      ["unresolved[0]: expected a map, read as its text"],
    ],
    [
      "an allowance in words",
      { allowance: "some" },
      { allowance: "unknown" },
      ['allowance: expected a map or "unknown", found "some"; read as "unknown"'],
    ],
    [
      "an allowance with anything in it",
      { allowance: { remaining: [1], mine: { a: null } } },
      { allowance: { remaining: [1], mine: { a: null } } },
      [],
    ],
    [
      "digits for a number",
      { watches: [{ pr: "12" }, { pr: "x" }] },
      { watches: [{ pr: 12 }, {}] },
      [
        'watches[0].pr: expected a whole number, read "12" as such',
        'watches[1].pr: expected a whole number, found "x"; dropped',
      ],
    ],
    [
      "a text for the session",
      { session: "abc" },
      { session: { runtime: "unknown", id: "unknown", context: "unknown" } },
      [expect.stringMatching(/^session: expected a map, found "abc"/)],
    ],
    [
      "part of a session",
      { session: { id: "s1" } },
      { session: { runtime: "unknown", id: "s1", context: "unknown" } },
      [],
    ],
    [
      "an intent that is missing",
      { intent: undefined },
      { intent: "unknown" },
      ['intent: missing; read as "unknown"'],
    ],
    [
      "an intent without words",
      { intent: "  " },
      { intent: "unknown" },
      ['intent: empty; read as "unknown"'],
    ],
  ])("takes %s", (_name, raw, expected, warnings) => {
    const defined = Object.fromEntries(
      Object.entries({ handoff: 1, intent: "go", ...raw }).filter(([, value]) => value !== undefined),
    );
    const result = coerceFrontmatter(defined);
    expect(result.meta).toMatchObject(expected);
    expect(result.warnings).toEqual(warnings);
    for (const key of Object.keys(raw))
      if (!(key in expected) && key !== "delivery") expect(result.meta).not.toHaveProperty(key);
  });

  it.each([
    undefined,
    null,
    5,
    "text",
    [],
    [{}],
    {},
    { intent: "" },
    { intent: [] },
    { handoff: "1" },
    { task_key: "a" },
  ])("makes nothing of %j, and says why", (raw) => {
    const { meta, warnings } = coerceFrontmatter(raw);
    expect(meta).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it("keeps unknown keys where they stand, at every level", () => {
    const raw = {
      mine: { b: 1, a: [null, { c: true }] },
      handoff: 1,
      intent: "go",
      zz: "x",
      rejections: [{ q: 1, kind: "structural", claim: "c", p: [2] }],
    };
    const { meta } = coerceFrontmatter(raw);
    expect(Object.keys(meta ?? {}).slice(0, 5)).toEqual(Object.keys(raw));
    expect(meta?.mine).toEqual(raw.mine);
    expect(Object.keys(meta?.rejections[0] ?? {}).slice(0, 4)).toEqual(["q", "kind", "claim", "p"]);
  });

  it("says little about much that is wrong", () => {
    const { warnings } = coerce({ rejections: Array(1000).fill(5) });
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe("… and 980 more like these");
  });

  it("drops what is nested too deeply, and only that", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 100; level += 1) deep = [deep];
    const { meta, warnings } = coerce({ deep, shallow: [[["x"]]] });
    expect(meta?.shallow).toEqual([[["x"]]]);
    expect(warnings).toEqual([
      expect.stringMatching(/^deep(\[0\])+: nested deeper than 64 levels; dropped$/),
    ]);
  });

  it("puts no control character into a warning", () => {
    const { warnings } = coerce({
      session: { "a\u001b[31m\n": { "\u202e": () => 1 } },
      project: { "\n": 1 },
      delivery: "\u001b]0;x\n",
    });
    for (const warning of warnings) expect(warning).toMatch(/^[^\p{Cc}\u202e]+$/u);
  });

  it("never throws, and what it gives satisfies the strict schema", () => {
    const keys = Object.keys(frontmatterSchema.shape);
    const raw = fc.dictionary(
      fc.oneof(fc.constantFrom(...keys), fc.string()),
      fc.oneof(
        plain,
        fc.array(
          fc.dictionary(fc.constantFrom("kind", "claim", "text", "evidence", "rel", "target", "pr"), plain),
        ),
      ),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(raw, fc.boolean(), (value, whole) => {
        const { meta } = coerceFrontmatter(
          whole ? { handoff: 1, intent: "go", breaking: true, ...value } : value,
        );
        if (!meta) return;
        const strict = frontmatterSchema.safeParse(meta);
        // The one thing a reader cannot make up is what a pushed handoff means for its destination.
        const issues = strict.error?.issues.filter((issue) => issue.path[0] !== "breaking") ?? [];
        expect(issues).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
