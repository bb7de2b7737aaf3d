import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { coerceFrontmatter, DOCUMENT_SCHEMA } from "../../src/document/coerce.js";
import { formatDocument } from "../../src/document/format.js";
import { type Headline, parseHeadline } from "../../src/document/headline.js";
import { parseDocument } from "../../src/document/parse.js";
import { parseOwnDocument } from "../../src/document/parse-own.js";
import { isMap, type Schema } from "../../src/document/schema-reader.js";
import type { HandoffDocument } from "../../src/document/types.js";
import { scale } from "../reliability/chance.js";
import { sampleDocument } from "../support/document.js";
import { handoffDocument } from "./arbitrary.js";

vi.mock(import("../../src/document/parse-own.js"), { spy: true });
beforeEach(() => {
  vi.mocked(parseOwnDocument).mockClear();
});

const bytes = (text: string) => Buffer.from(text);

/** What the full reader says of it; null when it gives no document. */
function fullHeadline(stored: Uint8Array): Headline | null {
  const { document } = parseDocument(stored);
  if (!document) return null;
  const { task_key, delivery, written, author, intent, breaking } = document.meta;
  const headline: Headline = { task_key, delivery, written, author, intent };
  return breaking === undefined ? headline : { ...headline, breaking };
}

/** The same with nothing in it but what the schema names, and no text of more than 100 characters. */
function known(value: unknown, schema: Schema): unknown {
  if (typeof value === "string") return value.slice(0, 100);
  if (Array.isArray(value)) {
    return value.map((item) => known(item, schema.items ?? {})).filter((item) => item !== "unknown");
  }
  const properties = schema.properties ?? schema.anyOf?.[0]?.properties;
  if (!isMap(value) || !properties) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!property) return [];
    const isAny = Object.keys(property).length === 0;
    return [[key, isAny && !/string|boolean/.test(typeof item) ? 5 : known(item, property)]];
  });
  return entries.length === 0 ? "unknown" : Object.fromEntries(entries);
}

const pushed = fc.tuple(handoffDocument, fc.boolean()).map(
  ([{ meta, body }, breaking]): HandoffDocument => ({
    meta: { ...meta, delivery: "pushed", breaking },
    body,
  }),
);
/** As the tool writes them: only its own keys. */
const usual = fc.oneof(handoffDocument, pushed).map(({ meta: given, body }): HandoffDocument => {
  const intent = given.intent.slice(0, 100).trim() === "" ? "go on" : given.intent;
  const { meta } = coerceFrontmatter(known({ ...given, intent }, DOCUMENT_SCHEMA));
  if (!meta) throw new Error("not a clean document");
  return { meta, body };
});

const simple = sampleDocument("Fix the parser");
const full = sampleDocument("Fix it: the parser isn't done (yet)", {
  delivery: "pushed",
  breaking: false,
  author: "Jürgen <j@example.com>",
  goal: "all of it",
  summary: 'tabs\tand "quotes" and \\',
  dirty_files: ["a.ts", "b c.ts"],
  from: { repo: "https://example.com/x.git", git: "main @ 1234567" },
  rejections: [
    { kind: "structural", claim: "no regex", anchor: "a.ts", predicate: "test -f a.ts", fallback: "drop" },
    { kind: "untyped", claim: "null", anchor: null, predicate: "", fallback: "drop", low_info: true },
    { kind: "contractual", claim: "no", anchor: null, predicate: "x", fallback: "y", withdrawn: "was wrong" },
  ],
  artifacts: [
    { claim: "done", evidence: "a.ts:3", oid: "45b983be36b73c0788dc9cbcb76cbb80fc7bb057" },
    { claim: "日本語", evidence: "commit:1234567" },
  ],
  unresolved: [{ kind: "risk", text: "why, then?" }],
  allowance: { remaining: 3, state: "low", incident: null },
  links: [{ rel: "parent", target: "x", evidence: "unknown" }],
  work: [{ store: "jira", project: "P", id: "P-1", association: "unknown" }],
  observed: { by: "ada", at: "2026-05-01T10:00:00+00:00", cutoff: "unknown" },
  spans: [{ work: "w", source: "s", from: "1", to: "2", digest: "unknown" }],
  watches: [{ until: "2027-01-01" }, { ref: "refs/heads/main", at: "1234567" }, { pr: 3, state: "open" }],
  supersedes: ["20260501T100000Z-fix-41de3f6"],
});

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

function deep(levels: number): string {
  return Array.from(
    { length: levels },
    (_, at) => `${"  ".repeat(at + 1)}a:${at + 1 < levels ? "" : " b"}`,
  ).join("\n");
}

describe("parseHeadline of damaged documents", () => {
  const line = fc.record({
    what: fc.constantFrom("delete", "repeat", "swap", "indent", "outdent", "move"),
    at: fc.nat(),
    to: fc.nat(),
  });
  const characters = fc.record({
    at: fc.nat(),
    cut: fc.nat({ max: 3 }),
    put: fc.constantFrom(
      ...[
        "",
        " ",
        "  ",
        "- ",
        ": ",
        ":",
        "\n",
        '"',
        "#",
        " #",
        "a",
        "0",
        "\t",
        "'",
        "\\",
        "\u00a0",
        "[]",
        "{}",
      ],
      ...[
        "---\n",
        "\r",
        "&a ",
        "null",
        "no",
        "é",
        "\x00",
        "\x7f",
        "\u0085",
        "\u2028",
        "\ufeff",
        "\n  ",
        "\n    ",
      ],
      ...[
        "x: 1\n",
        "  - ",
        "unknown",
        "1",
        "true",
        "\\u0041",
        "\\x41",
        "?",
        "|",
        ">",
        "!",
        "*a",
        "%",
        "@",
        "`",
        ",",
      ],
    ),
  });
  const bits = fc.record({ at: fc.nat(), bit: fc.nat({ max: 7 }) });
  const cut = fc.record({ length: fc.nat() });
  const damages = fc.array(
    fc.oneof({ arbitrary: line, weight: 4 }, { arbitrary: characters, weight: 5 }, bits, {
      arbitrary: cut,
      weight: 1,
    }),
    { minLength: 1, maxLength: 3 },
  );
  type Damage = (typeof damages extends fc.Arbitrary<(infer T)[]> ? T : never) & object;

  function damaged(stored: Buffer, damage: Damage): Buffer {
    if ("what" in damage) return bytes(damagedLines(stored.toString(), damage));
    // Mostly in the frontmatter, which is what is read.
    const end = stored.indexOf("\n---", 3) + 5;
    if ("length" in damage) return stored.subarray(0, damage.length % (stored.length + 1));
    const at = damage.at % Math.max(1, end);
    if ("bit" in damage) {
      const copy = Buffer.from(stored);
      copy[at] = (copy[at] ?? 0) ^ (1 << damage.bit);
      return copy;
    }
    return Buffer.concat([stored.subarray(0, at), bytes(damage.put), stored.subarray(at + damage.cut)]);
  }

  function damagedLines(text: string, { what, at, to }: { what: string; at: number; to: number }): string {
    const lines = text.split("\n");
    const end = Math.max(1, lines.indexOf("---", 1));
    const [one, other] = [at % end, to % end];
    const [first = "", second = ""] = [lines[one], lines[other]];
    if (what === "delete") lines.splice(one, 1);
    else if (what === "repeat") lines.splice(one, 0, first);
    else if (what === "move") lines.splice(other, 0, ...lines.splice(one, 1));
    else if (what === "indent") lines[one] = `${" ".repeat(1 + (to % 4))}${first}`;
    else if (what === "outdent") lines[one] = first.replace(/^ {1,2}/, "");
    else [lines[one], lines[other]] = [second, first];
    return lines.join("\n");
  }

  it("says what the full reader says, or nothing", () => {
    const documents = fc.oneof(
      { arbitrary: fc.constantFrom(simple, full), weight: 2 },
      { arbitrary: usual, weight: 1 },
      { arbitrary: handoffDocument, weight: 1 },
    );
    const counts = { accepted: 0, quickly: 0, warned: 0, refused: 0 };
    fc.assert(
      fc.property(documents, damages, (document, all) => {
        const stored = all.reduce(damaged, bytes(formatDocument(document)));
        vi.mocked(parseOwnDocument).mockClear();
        const headline = parseHeadline(stored);
        if (!headline) {
          counts.refused += 1;
          return;
        }
        counts.accepted += 1;
        if (vi.mocked(parseOwnDocument).mock.calls.length === 0) counts.quickly += 1;
        expect(headline).toEqual(fullHeadline(stored));
        if (parseOwnDocument(stored) !== undefined) return;
        counts.warned += 1;
        // Then only the schema may have had something to say, and of no key that is shown.
        const ours =
          /^(?:session|from|dirty_files|rejections|artifacts|unresolved|allowance|links|work|observed)\b/;
        const others = /^(?:spans|watches|supersedes)\b/;
        for (const warning of parseDocument(stored).warnings) {
          expect(ours.test(warning) || others.test(warning)).toBe(true);
          expect(warning).not.toContain("given twice");
        }
      }),
      { numRuns: scale(2000, 300_000), ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}) },
    );
    if (process.env.HANDOFF_THOROUGH === "1") console.log("damaged documents:", counts);
    expect(counts.quickly).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  }, 900_000);
});

describe("parseHeadline of hostile documents comes to an end", () => {
  const MIB = 1 << 20;
  const top = formatDocument(simple).split("watches:")[0] ?? "";
  const filled = (start: string, part: string, end = "") =>
    bytes(start + part.repeat(Math.floor((MIB - start.length - end.length) / bytes(part).length)) + end);
  const near = (start: string, part: string, end = "") =>
    bytes(start + part.repeat(Math.floor((8000 - start.length - end.length) / bytes(part).length)) + end);
  const item = "  - kind: untyped\n    claim: a b c\n";
  const intent = top.slice(0, top.indexOf("intent: ") + 8);

  it.each([
    ["words", intent, "a ", "\n"],
    ["words without an end", intent, "a ", ""],
    ["one word", intent, "a", "-\n"],
    ["spaces", intent, " ", ""],
    ["an open quote", `${intent}"`, "a", ""],
    ["an open quote and escapes", `${intent}"`, "\\\\", ""],
    ["escapes and a bad one", `${intent}"`, "\\u0041", '\\x"\n'],
    ["quotes", intent, '"', "\n"],
    ["rejections and no end", `${top}rejections:\n`, item, ""],
    ["rejections and a bad line", `${top}rejections:\n`, item, "  - kind: #\n---\n"],
    ["dashes", `${top}watches:\n`, "  - ", "\n---\n"],
    ["nested dashes", `${top}watches:\n  `, "- ", "a\n---\n"],
    ["unknown keys", `${top}watches: []\n`, "x: 1\n", "---\n"],
    ["ever deeper", `${top}x:\n`, `${deep(30)}\n`, "---\n"],
    ["lines of ---", "", "---\n", ""],
    ["lines of --- and a space", top, "--- x\n", ""],
    ["empty lines", top, "\n", ""],
    ["reserved words", `${top}dirty_files:\n`, "  - nul\n", "  - null\n---\n"],
    ["bytes above ASCII", `${intent}"`, "é", '"\n---\n'],
    ["two-space lines", `${top}dirty_files:\n`, "  \n", "---\n"],
  ])("%s", (_name, start, part, end) => {
    for (const stored of [near(start, part, end), filled(start, part, end)]) {
      expect(stored.length).toBeLessThanOrEqual(MIB);
      const headline = parseHeadline(stored);
      if (headline) expect(headline).toEqual(fullHeadline(stored));
    }
  });
});
