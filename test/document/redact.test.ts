import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactDocument, redactText } from "../../src/document/redact.js";
import { sampleDocument } from "../support/document.js";
import { HARMLESS, PERSONAL, SECRETS, TYPED } from "./redact-set.js";

const options = { redact: true, identities: ["grace@navy.mil"], home: "/srv/people/ada" };

describe("a labelled set", () => {
  test("is large enough to mean something", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(80);
    expect(HARMLESS.length).toBeGreaterThanOrEqual(80);
  });

  test.each([...SECRETS, ...TYPED])("$name goes", async ({ text, secret }) => {
    const redacted = await redactText(text, options);
    expect(redacted.text).not.toContain(secret);
    expect(redacted.text).toMatch(/\[REDACTED:[a-z0-9-]+\]/);
    expect(redacted.warnings.join()).not.toContain(secret);
    expect(redacted.warnings).not.toEqual([]);
  });

  test.each(HARMLESS)("$name stays", async ({ text }) => {
    expect(await redactText(text, options)).toEqual({ text, warnings: [] });
  });

  test.each(PERSONAL)("$name goes", async ({ text, secret }) => {
    expect((await redactText(text, options)).text).not.toContain(secret);
  });
});

test("a URL's password goes, and its host is no address", async () => {
  const { text, warnings } = await redactText(`https://user:${"hun" + "ter2"}@example.com/x`, options);
  expect(text).toBe("https://user:[REDACTED:url-password]@example.com/x");
  expect(warnings).toEqual(["redacted in text: url-password"]);
});

describe("a document", () => {
  const token = `gh${"p_"}Zx81mQ4vT7bN2kLr9sWc3dYf6hJg5aPe0UiO`;

  test("loses a secret from every field that is prose, and says where", async () => {
    const document = sampleDocument(`Use ${token}`, {
      goal: `${token}!`,
      rejections: [
        {
          kind: "structural",
          claim: token,
          anchor: token,
          predicate: `grep -q ${token} f`,
          fallback: "x",
          extra: { deep: [token] },
        },
      ],
      artifacts: [{ claim: "a", evidence: `https://ci:${token}@host/x`, oid: "0".repeat(40) }],
      unresolved: [{ kind: "risk", text: token }],
      note: token,
    });
    document.body = `## State\n\n${token}\n`;
    const { document: redacted, warnings } = await redactDocument(document, options);
    expect(JSON.stringify(redacted)).not.toContain(token);
    expect(warnings).toEqual([
      "redacted in intent: github",
      "redacted in goal: github",
      "redacted in rejections[0].claim: github",
      "redacted in rejections[0].anchor: github",
      "redacted in rejections[0].predicate: github",
      "redacted in rejections[0].extra.deep[0]: github",
      "redacted in artifacts[0].evidence: github",
      "redacted in unresolved[0].text: github",
      "redacted in note: github",
      "redacted in body: github",
    ]);
    expect(redacted.meta.artifacts[0]?.oid).toBe("0".repeat(40));
  });

  test("keeps what it must compare: commits, ids, the origin's place", async () => {
    const document = sampleDocument("Go on", {
      git: `main @ ${"a1".repeat(20)}`,
      from: { repo: "other", project: "/home/ada/other", git: `main @ ${"b2".repeat(20)}` },
      supersedes: ["20261130T155441Z-go-on-4aa28c1"],
    });
    expect((await redactDocument(document, options)).document).toEqual(document);
  });

  test("shortens home folders, the user's own wherever it lies", async () => {
    const { text } = await redactText(
      "/srv/people/ada/a.md, /home/grace/b.md; /srv/people/adalbert",
      options,
    );
    expect(text).toBe("~/a.md, ~/b.md; /srv/people/adalbert");
  });

  test("stays as it is when asked", async () => {
    const document = sampleDocument(`Use ${token}`);
    expect(await redactDocument(document, { ...options, redact: false })).toEqual({ document, warnings: [] });
  });
});

test("twice is once", async () => {
  for (const { text } of [...SECRETS, ...PERSONAL]) {
    const once = await redactText(text, options);
    expect(await redactText(once.text, options)).toEqual({ text: once.text, warnings: [] });
  }
});

test("any text is answered in time that grows with its length", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), fc.nat(200), async (unit, times) => {
      const { text } = await redactText(unit.repeat(times), options);
      expect(typeof text).toBe("string");
    }),
    { numRuns: 50 },
  );
}, 60_000);

// Each once took minutes in some rule: a quantifier without a bound, tried again at every character.
test.each([
  "a",
  "1 ",
  "a.",
  "a_",
  "token",
  "a@a.",
  "+1 ",
  "x://:",
  "a:",
  "password=",
  "password ",
  `-----BEGIN ${"PRIVATE"} KEY-----`,
  `-----BEGIN ${"PRIVATE"} KEY----- aaaaaaaaaaaaaaaaaaaa `,
  "eyJaaaaaaaa.",
  "/home/a",
  "authorization: bearer ",
  "postgres://a",
  " -u a:",
  " login a password ",
  "cookie: a=",
  "cookie: a=1;",
  " --token ",
  " --token-",
  "<password>a",
  "password is ",
  "?key=a1",
  "auth: a1",
  "discord.com/api/webhooks/1",
  "my.password",
])(
  "a long text of %j ends",
  async (unit) => {
    const { text } = await redactText(unit.repeat(Math.floor((1 << 17) / unit.length)), options);
    expect(text).not.toBe("");
  },
  20_000,
);
