import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentId, handleOf, matchName, parseDocumentName, slug } from "../../src/document/id.js";
import { hasOffset, writtenTime } from "../../src/document/time.js";

const OID = "0123456789abcdef0123456789abcdef01234567";

describe("slug", () => {
  it.each([
    ["Fix the parser", "fix-parser"],
    [
      "Finish the migration of the regen scripts to Go and update docs",
      "finish-migration-regen-scripts-go-update",
    ],
    ["Don't retry O'Brien's cache", "dont-retry-obriens-cache"],
    ["  ¡Hola!  ", "hola"],
    ["ünï CAFE\u0301", "ünï-café"],
    ["修复解析器 的 错误", "修复解析器-的-错误"],
    ["हिन्दी में लिखो", "हिन्दी-में-लिखो"],
    ["İstanbul", "i̇stanbul"],
    ["../../etc/passwd; rm -rf $HOME", "etc-passwd-rm-rf-home"],
    ["v1.0.2", "v1-0-2"],
    ["", "session"],
    ["the of a", "session"],
    ["🙂 — !", "session"],
    ["\u202e\u0000x", "x"],
  ])("of %j is %s", (intent, expected) => {
    expect(slug(intent)).toBe(expected);
  });

  it("is cut to 60 bytes at a character", () => {
    expect(slug("日".repeat(30))).toBe("日".repeat(20));
    expect(slug(`a${"日".repeat(30)}`)).toBe(`a${"日".repeat(19)}`);
    expect(slug("𠀀".repeat(30))).toBe("𠀀".repeat(15));
    expect(slug(`${"x".repeat(59)} yes`)).toBe("x".repeat(59));
  });

  it("is a name of its own, whatever the intent", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", maxLength: 200 })),
        (intent) => {
          const name = slug(intent);
          expect(name).toMatch(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(60);
          expect(name).toBe(name.normalize("NFC"));
          const id = documentId("2026-05-01T10:00:00Z", intent, OID);
          expect(parseDocumentName(`${id}.md`)).toEqual({
            time: "20260501T100000Z",
            slug: name,
            handle: "0123456",
          });
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("documentId", () => {
  it.each([
    ["2026-05-01T10:00:00+02:00", "20260501T080000Z"],
    ["2026-05-01T10:00:59.999Z", "20260501T100059Z"],
    ["2026-01-01T00:30:00+01:00", "20251231T233000Z"],
    ["2026-05-01T10:00:00-0330", "20260501T133000Z"],
    ["2026-07-11T17:39", "20260711T173900Z"],
    ["2026-07-11", "20260711T000000Z"],
    ["2026-07-11 17:39:01 +02:00", "20260711T153901Z"],
    ["unknown", "00000000T000000Z"],
    ["2026-02-31T00:00:00Z", "00000000T000000Z"],
    ["2026-13-01T00:00:00Z", "00000000T000000Z"],
    ["9999-12-31T23:59:59-12:00", "00000000T000000Z"],
  ])("has %s as %s", (written, time) => {
    expect(documentId(written, "Fix the parser", OID)).toBe(`${time}-fix-parser-0123456`);
  });
});

describe("writtenTime", () => {
  it("counts fractions, to the millisecond", () => {
    expect(writtenTime("1970-01-01T00:00:01.5Z")).toBe(1500);
    expect(writtenTime("1970-01-01T00:00:00.123456789Z")).toBe(123);
  });

  it("knows an offset from none", () => {
    expect(hasOffset("2026-05-01T10:00:00Z")).toBe(true);
    expect(hasOffset("2026-05-01T10:00:00+02:00")).toBe(true);
    expect(hasOffset("2026-05-01T10:00:00")).toBe(false);
    expect(hasOffset("2026-05-01")).toBe(false);
    expect(hasOffset("2026-05-01T10:00:00+99:00")).toBe(false);
  });
});

describe("parseDocumentName", () => {
  it.each([
    "",
    "x.md",
    "20260501T100000Z-x.md",
    "20260501T100000Z-x-012345.md",
    "20260501T100000Z-x-01234567.md",
    "20260501T100000Z--0123456",
    "20260501T100000Z-a/b-0123456",
    "20260501T100000Z-a b-0123456",
    `20260501T100000Z-${"x".repeat(300)}-0123456`,
    "20260501T100000Z-x-0123456.txt",
  ])("does not take %j", (name) => {
    expect(parseDocumentName(name)).toBeNull();
  });
});

describe("matchName", () => {
  const item = (id: string) => ({ id, handle: id.slice(-7) });
  const first = item("20260501T100000Z-fix-parser-0123456");
  const second = item("20260501T110000Z-fix-parser-0123999");
  const third = item("20260601T100000Z-2026050-abcdef0");
  const items = [first, second, third];

  it.each([
    ["0123456", [first]],
    ["012345", [first]],
    ["0123", [first, second]],
    ["0123456 ", [first]],
    ["ABCDEF0", [third]],
    [first.id, [first]],
    [`${first.id}.md`, [first]],
    ["20260501T1", [first, second]],
    ["20260501T11", [second]],
    ["fix", []],
    ["zzz", []],
    ["", []],
    ["  ", []],
  ])("%j names the right ones", (text, expected) => {
    expect(matchName(items, text)).toEqual(expected);
  });

  it("prefers a handle to an id, and a whole id to a prefix", () => {
    const longer = { id: `${first.id}-more-1111111`, handle: "1111111" };
    expect(matchName([longer, first], first.id)).toEqual([first]);
    const clash = { id: "0123456-odd-2222222", handle: "2222222" };
    expect(matchName([clash, first], "0123456")).toEqual([first]);
  });

  it("lists two documents with one handle", () => {
    const twin = item("20260701T100000Z-other-0123456");
    expect(matchName([first, twin], "0123456")).toEqual([first, twin]);
  });

  it("finds an id whatever its normal form", () => {
    const accented = item("20260701T100000Z-café-7654321");
    expect(matchName([accented], accented.id.normalize("NFD"))).toEqual([accented]);
  });
});

it("handleOf is the first seven hex", () => {
  expect(handleOf(OID)).toBe("0123456");
});
