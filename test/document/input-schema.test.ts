import { describe, expect, it } from "vitest";
import { describeInputErrors, inputSchema } from "../../src/document/schema.js";

function errors(value: unknown): string[] {
  const { error } = inputSchema.safeParse(value);
  return error ? describeInputErrors(error, value) : [];
}

describe("inputSchema", () => {
  it("takes an intent alone, and adds nothing", () => {
    expect(inputSchema.parse({ intent: "go on" })).toEqual({ intent: "go on" });
  });

  it("takes every key of a document, the body's parts and lessons, and keeps unknown keys", () => {
    const value = {
      intent: "go on",
      goal: null,
      summary: "s",
      written: "2026-05-01T10:00:00+02:00",
      rejections: [{ kind: "cosmic", claim: "c", predicate: "true", mine: 1 }],
      artifacts: [{ claim: "c" }],
      allowance: { remaining: 3 },
      watches: [{ until: "2026-06-01" }, { pr: 12, state: "open" }],
      state: "half",
      next: ["a", "b"],
      pointers: ["src/a.ts"],
      skills: "tdd",
      body: "x",
      lessons: ["l"],
      mine: { a: 1 },
    };
    expect(inputSchema.parse(value)).toEqual({
      ...value,
      rejections: [{ kind: "cosmic", claim: "c", predicate: "true", mine: 1 }],
    });
  });

  it("takes a single line for a list, a text for an open item, an empty key for none", () => {
    expect(
      inputSchema.parse({ intent: "x", next: "one", unresolved: ["flaky"], summary: null, state: null }),
    ).toEqual({
      intent: "x",
      next: ["one"],
      unresolved: [{ kind: "finding", text: "flaky" }],
    });
  });
});

describe("describeInputErrors", () => {
  it("names every wrong key path with what was expected, all at once", () => {
    expect(
      errors({
        goal: 5,
        next: [1],
        delivery: "thrown",
        breaking: "yes",
        written: "yesterday",
        rejections: [{ claim: "" }, { claim: "c", predicate: 5 }, "x"],
        artifacts: { claim: "c" },
        unresolved: [{ kind: "doubt", text: "t" }, 7],
        allowance: "some",
        links: [{ rel: "cousin", target: "t" }],
        watches: [{ note: "n" }, { pr: "x" }, { until: "soon" }],
      }),
    ).toEqual([
      'delivery: expected "pulled" | "pushed", found "thrown"',
      'written: expected a time in ISO 8601 with its offset, as 2026-05-01T10:00:00+02:00, found "yesterday"',
      "intent: expected a string, found nothing",
      "goal: expected a string, found 5",
      'breaking: expected true or false, found "yes"',
      'rejections[0].claim: expected a text that is not empty, found ""',
      "rejections[1].predicate: expected a string, found 5",
      'rejections[2]: expected a map, found "x"',
      "artifacts: expected a list, found a map",
      'unresolved[0].kind: expected "acceptance" | "finding" | "uncertainty" | "risk" | "gap", found "doubt"',
      "unresolved[1]: expected a map or a string, found 7",
      'allowance: expected a map or "unknown", found "some"',
      'links[0].rel: expected "parent" | "resume" | "related", found "cousin"',
      "watches[0]: expected one of until, ref or pr, found a map",
      'watches[1].pr: expected a number, found "x"',
      'watches[2].until: expected a date, as 2026-06-01, found "soon"',
      "next[0]: expected a string, found 1",
    ]);
  });

  it.each([
    [null, ["the document: expected a map, found null"]],
    [["a"], ["the document: expected a map, found a list"]],
    ["text", ['the document: expected a map, found "text"']],
    [{ intent: "  " }, ['intent: expected a text that is not empty, found "  "']],
  ])("of %j", (value, expected) => {
    expect(errors(value)).toEqual(expected);
  });
});
