/** Documents for property tests: every key, unknown ones too, and the texts that break careless YAML. */
import fc from "fast-check";
import { coerceFrontmatter } from "../../src/document/coerce.js";
import { KINDS, UNRESOLVED_KINDS } from "../../src/document/types.js";

const nasty = fc.constantFrom(
  "a: b",
  "x #y",
  "# c",
  "---",
  "a\n---\nb",
  "- a",
  "? a",
  "? ",
  ": ",
  "null",
  "No",
  "on",
  "0123456",
  "1e3",
  "2026-05-01",
  "1.10",
  "-0",
  ".inf",
  "0x1f",
  "~",
  "<<",
  "*a",
  "&a b",
  "!t",
  "%x",
  "@x",
  "`x`",
  "'q'",
  '"q"',
  "a\\nb",
  "\\",
  "[a]",
  "{a: b}",
  "a,b",
  "|",
  ">-",
  " lead",
  "trail ",
  "\ttab\t",
  "a\tb",
  "\r\n",
  "a\rb",
  "\n\n",
  "\u0000\u0007\u001b[31m",
  "\u0085\u009b",
  "\u2028\u2029",
  "\ufeffx",
  "\ud800",
  "日本語 ünï",
  "👩‍💻",
  "x".repeat(5000),
  "word ".repeat(300),
  "main @ 0a1b (dirty)",
  "feat/x.y",
  "",
  " ",
  "a-",
  "a.",
  "Ada <a@b.c>",
  "constructor",
  "toString",
);

export const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), nasty);

const key = fc
  .oneof(fc.string({ maxLength: 12 }), nasty)
  .map((name) => name.slice(0, 300))
  .filter((name) => name !== "__proto__");

const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

/** Any plain data that YAML can hold. */
export const plain = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(key, tie("any"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

const maybe = { nil: undefined, freq: 3 };

/** A map of these keys in any order, with unknown keys between. */
function map(known: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const unknown = fc.dictionary(
    key.map((name) => `x${name}`),
    plain,
    { maxKeys: 2, noNullPrototype: true },
  );
  return fc
    .tuple(fc.record(known), unknown)
    .chain(([record, extra]) => {
      const entries = Object.entries({ ...record, ...extra }).filter(([, value]) => value !== undefined);
      return fc.shuffledSubarray(entries, { minLength: entries.length });
    })
    .map((entries) => Object.fromEntries(entries));
}

const rejection = map({
  kind: fc.constantFrom(...KINDS),
  claim: text,
  anchor: fc.option(text),
  predicate: text,
  fallback: text,
  low_info: fc.option(fc.boolean(), maybe),
  withdrawn: fc.option(text, maybe),
});
const artifact = map({ claim: text, evidence: text, oid: fc.option(text, maybe) });
const unresolved = map({
  kind: fc.constantFrom(...UNRESOLVED_KINDS),
  text,
  withdrawn: fc.option(text, maybe),
});
const allowance = fc.oneof(
  fc.constant("unknown"),
  map({ remaining: plain, incident: text, evidence: fc.array(text, { maxLength: 2 }) }),
);
const list = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 3 });

const frontmatter = map({
  handoff: fc.constant(1),
  task_key: text,
  project: text,
  repository: text,
  delivery: fc.constant("pulled"),
  written: fc.oneof(text, fc.constant("2026-05-01T10:00:00+02:00")),
  author: text,
  harness: text,
  session: map({ runtime: text, id: text, context: text }),
  intent: text.filter((value) => value.trim() !== ""),
  goal: fc.option(text),
  summary: fc.option(text, maybe),
  git: text,
  dirty_files: fc.option(list(text), maybe),
  from: fc.option(map({ repo: text, git: text }), maybe),
  breaking: fc.option(fc.boolean(), maybe),
  rejections: list(rejection),
  artifacts: list(artifact),
  unresolved: list(unresolved),
  allowance,
  links: list(map({ rel: fc.constantFrom("parent", "resume", "related"), target: text, evidence: text })),
  watches: list(map({ until: fc.option(text, maybe), pr: fc.option(fc.integer(), maybe) })),
  supersedes: fc.option(list(text), maybe),
});

const body = fc.oneof(
  fc.string(),
  // Lone surrogates have no UTF-8: they cannot be in a file.
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "\n", "\n\n", "## State\n\nx\n", "---\n", "\r\n## State\r\n", "x\n---\ny"),
);

export const handoffDocument = fc.tuple(frontmatter, body).map(([raw, content]) => {
  const { meta, warnings } = coerceFrontmatter(raw);
  if (!meta || warnings.length > 0) throw new Error(`not a clean document: ${warnings.join("; ")}`);
  return { meta, body: content };
});
