import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import { parseHeadline } from "../../src/document/headline.js";
import { parseOwnDocument } from "../../src/document/parse-own.js";
import { scale } from "../reliability/chance.js";
import { handoffDocument } from "./arbitrary.js";
import { deep, full, fullHeadline, pushed, simple, usual } from "./usual.js";

vi.mock(import("../../src/document/parse-own.js"), { spy: true });
beforeEach(() => {
  vi.mocked(parseOwnDocument).mockClear();
});

const bytes = (text: string) => Buffer.from(text);

describe("parseHeadline of what formatDocument writes", () => {
  it("accepts all of it and says what the full reader says", () => {
    fc.assert(
      fc.property(fc.oneof(handoffDocument, pushed, usual), (document) => {
        const stored = bytes(formatDocument(document));
        expect(parseHeadline(stored)).toEqual(fullHeadline(stored));
      }),
      { numRuns: scale(1000, 5000) },
    );
  });

  it.each([
    ["a simple one", simple],
    ["one with all that there is", full],
    ["a long body", { meta: full.meta, body: "x\n---\n\n".repeat(20_000) }],
    ["an empty body", { meta: full.meta, body: "" }],
  ])("does not take it apart: %s", (_name, document) => {
    const stored = bytes(formatDocument(document));
    expect(parseHeadline(stored)).toEqual(fullHeadline(stored));
    expect(parseHeadline(new Uint8Array(stored))).toEqual(fullHeadline(stored));
    expect(parseOwnDocument).not.toHaveBeenCalled();
  });

  it("does not take it apart, whatever its values hold", () => {
    fc.assert(
      fc.property(usual, (document) => {
        vi.mocked(parseOwnDocument).mockClear();
        const text = formatDocument(document);
        parseHeadline(bytes(text));
        const inFull = vi.mocked(parseOwnDocument).mock.calls.length > 0;
        expect(inFull ? text : "").toBe("");
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["an unknown key", { priority: "high" }],
    ["an unknown list", { labels: ["a", "b"] }],
    [
      "an unknown key in a known map",
      { session: { runtime: "a", id: "b", context: "c", more: [1, { x: 2 }] } },
    ],
    ["more rejections than are usual", { rejections: Array(200).fill(full.meta.rejections[0]) }],
    ["a long intent", { intent: `é${"x".repeat(20_000)}` }],
    ["a task named unknown", { task_key: "unknown", more: 1 }],
  ])("accepts %s", (_name, more) => {
    const stored = bytes(formatDocument({ meta: { ...full.meta, ...more }, body: "x" }));
    expect(fullHeadline(stored)).not.toBeNull();
    expect(parseHeadline(stored)).toEqual(fullHeadline(stored));
  });
});

describe("parseHeadline leaves to the full readers", () => {
  const text = formatDocument(full);
  const without = (key: string) => text.replace(new RegExp(`\n${key}: .*`), "");
  const changed = (key: string, value: string) =>
    text.replace(new RegExp(`\n${key}: .*`), `\n${key}: ${value}`);

  it.each([
    ["nothing", ""],
    ["another version", changed("handoff", "2")],
    ["a version as text", changed("handoff", '"1"')],
    ...["handoff", "task_key", "delivery", "written", "author", "intent", "breaking"].map((key) => [
      `no ${key}`,
      without(key),
    ]),
    ...["task_key", "delivery", "written", "author", "intent"].flatMap((key) => [
      [`${key} of null`, changed(key, "null")],
      [`${key} of another type`, changed(key, "7")],
      [`${key} with nothing`, changed(key, "")],
      [`${key} as a reserved word`, changed(key, "Yes")],
      [`${key} with a comment`, changed(key, "x #y")],
      [`${key} in single quotes`, changed(key, "'pulled'")],
      [`${key} with an escape that JSON has not`, changed(key, '"a\\x20b"')],
    ]),
    ["an empty intent", changed("intent", '""')],
    ["a blank intent", changed("intent", '" \\n\u00a0"')],
    ["an unknown delivery", changed("delivery", "thrown")],
    ["breaking as text", changed("breaking", '"true"')],
    ["a key twice", text.replace("\ngoal: all of it", "$&$&")],
    ["an unknown key twice", text.replace("\ngoal:", "\nx: 1\nx: 1$&")],
    ["a key twice in a rejection", text.replace("\n    anchor: a.ts", "$&$&")],
    ["a missing task_key that a key inside or the body has", `${without("task_key")}\ntask_key: x\n`],
    ["CRLF", text.replaceAll("\n", "\r\n")],
    ["a carriage return", text.replace("goal: all", "goal: all\r")],
    ["a BOM", `\ufeff${text}`],
    ["a tab as indentation", text.replace("\n  runtime", "\n\truntime")],
    ["three spaces", text.replace("\n    anchor", "\n   anchor")],
    ["an item that hangs too far", text.replace("  - kind: structural", "  -     kind: structural")],
    ["a list at its key", text.replace("\n  - a.ts", "\n- a.ts")],
    ["an empty line", text.replace("\ngoal", "\n\ngoal")],
    ["a space at the end", text.replace("\ngoal: all of it", "$& ")],
    ["two spaces in a plain text", text.replace("all of it", "all  of it")],
    ["a plain text that is too long", changed("goal", "x".repeat(201))],
    ["a block without lines", text.replace("\n  - a.ts\n  - b c.ts", "")],
    ["a session without lines", text.replace(/session:\n(?: {2}.*\n)+/, "session:\n")],
    ["an item in an item", text.replace("  - kind: structural", "  -   - kind: structural")],
    ["a plain text that ends oddly", changed("goal", "all of it-")],
    ["a tab in a quoted text", changed("goal", '"a\tb"')],
    ["a tab in a quoted intent", changed("intent", '"a\tb"')],
    ["a carriage return in a list", text.replace("- a.ts", '- "a\r"')],
    ["a flow list", text.replace("\n  - a.ts\n  - b c.ts", " [a.ts]")],
    ["a folded text", text.replace("goal: all", "goal: all\n ")],
    ["no end", text.slice(0, text.indexOf("\n---", 3))],
    ["deep nesting", text.replace("\ngoal", `\nx:\n${deep(60)}$&`.replace(/\n\n/g, "\n"))],
  ])("%s", (_name, odd) => {
    expect(odd).not.toBe(text);
    expect(parseHeadline(bytes(odd))).toBeUndefined();
  });

  it("bytes that are no UTF-8, wherever they are", () => {
    expect(parseHeadline(Buffer.concat([bytes(text), Buffer.from([0xff])]))).toBeUndefined();
    expect(parseHeadline(Buffer.from(text, "latin1"))).toBeUndefined();
  });

  it("more than 1 MiB", () => {
    const body = (length: number) => bytes(text + "x".repeat(length - bytes(text).length));
    expect(parseHeadline(body(1 << 20))).toEqual(fullHeadline(bytes(text)));
    expect(parseHeadline(body((1 << 20) + 1))).toBeUndefined();
  });
});
