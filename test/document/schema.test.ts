import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import {
  documentJsonSchema,
  frontmatterSchema,
  reportJsonSchema,
  type reportSchema,
} from "../../src/document/schema.js";
import type { Frontmatter } from "../../src/document/types.js";
import type { HandoffReport, InboxReport, Report } from "../../src/surface/report.js";

const path = new URL("../../src/document/schema.json", import.meta.url);

describe("schema.json", () => {
  it("is what zod says (UPDATE_SCHEMA=1 writes it anew)", () => {
    if (process.env.UPDATE_SCHEMA) writeFileSync(path, `${JSON.stringify(documentJsonSchema(), null, 2)}\n`);
    // Compared as text: the order of the keys is the order in which a document is written.
    expect(JSON.stringify(JSON.parse(readFileSync(path, "utf8")))).toBe(JSON.stringify(documentJsonSchema()));
  });

  it("requires what the format requires", () => {
    expect(documentJsonSchema()).toMatchObject({ type: "object", required: ["handoff", "intent"] });
  });
});

describe("types", () => {
  it("are those of the schemas", () => {
    expectTypeOf<z.output<typeof frontmatterSchema>>().toEqualTypeOf<Frontmatter>();
    type Printed = z.output<typeof reportSchema>;
    expectTypeOf<Omit<Printed, "handoffs" | "inbox">>().toEqualTypeOf<
      Omit<Report, "handoffs" | "inbox" | "unread" | "left">
    >();
    // `own` and `relation` are for the text alone.
    expectTypeOf<Printed["handoffs"][number]>().toEqualTypeOf<Omit<HandoffReport, "own">>();
    expectTypeOf<Printed["inbox"][number]>().toEqualTypeOf<Omit<InboxReport, "own" | "relation">>();
  });
});

describe("the frontmatter schema", () => {
  it("fills in what may be left out", () => {
    expect(frontmatterSchema.parse({ handoff: 1, intent: "go on" })).toMatchObject({
      delivery: "pulled",
      goal: null,
      rejections: [],
      session: { runtime: "unknown", id: "unknown", context: "unknown" },
      allowance: "unknown",
    });
  });

  it("asks for `breaking` when pushed", () => {
    const result = frontmatterSchema.safeParse({ handoff: 1, intent: "go on", delivery: "pushed" });
    expect(result.error?.issues.map((issue) => issue.path.join("."))).toEqual(["breaking"]);
  });
});

describe("the report's schema", () => {
  it("has every key required", () => {
    expect(reportJsonSchema().required).toEqual([
      "format",
      "branch",
      "head",
      "handoffs",
      "inbox",
      "warnings",
    ]);
  });
});
