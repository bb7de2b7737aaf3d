import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { formatDocument } from "../../src/document/format.js";
import { parseHeadline } from "../../src/document/headline.js";
import { parseDocument } from "../../src/document/parse.js";
import { parseOwnDocument } from "../../src/document/parse-own.js";
import { scale } from "../reliability/chance.js";
import { handoffDocument } from "./arbitrary.js";
import { deep, full, fullHeadline, simple, usual } from "./usual.js";

vi.mock(import("../../src/document/parse-own.js"), { spy: true });

const bytes = (text: string) => Buffer.from(text);

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
    // Of a long run: how much of the damage was still accepted.
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
