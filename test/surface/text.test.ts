import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT_LIMIT, surfaceText } from "../../src/surface/text.js";
import { handoff, inboxItem, rejection, report } from "./reports.js";

const one = (parts: Parameters<typeof handoff>[0]) => surfaceText(report({ handoffs: [handoff(parts)] }));

describe("the surface block", () => {
  it("has every line of the block in its order", () => {
    const text = one({
      goal: "A parser that recovers",
      freshness: { stale: false, ancestry: "ancestor", behind: 3, as: null, ageDays: 2, note: null },
      rejections: [
        rejection({ claim: "Parser must stay final" }),
        rejection({
          verdict: "fails",
          kind: "contractual",
          claim: "render takes a Context",
          note: "no match in src/r.ts",
        }),
        rejection({ verdict: "cannot-evaluate", kind: "untyped", claim: "felt wrong", note: "untyped" }),
        rejection({ low_info: true, kind: "empirical-local", claim: "always so" }),
      ],
      sections: {
        state: "Half of it is done.",
        impact: null,
        next: ["Read the grammar", "Write the test"],
        pointers: ["src/parser.ts"],
        skills: null,
      },
      artifacts: [
        { claim: "lexer", evidence: "src/lexer.ts", verdict: "verified", withdrawn: null, note: null },
        { claim: "table", evidence: "src/table.ts:3", verdict: "changed", withdrawn: null, note: null },
        { claim: "docs", evidence: "docs/a.md", verdict: "missing", withdrawn: null, note: null },
      ],
      unresolved: [{ kind: "risk", text: "Unicode", withdrawn: null }],
      allowance: { remaining: "2 runs", state: "unknown", helper_used: true },
      watches: [{ until: "2026-04-30", note: "release", due: true }],
    });
    expect(
      text,
    ).toBe(`Open handoff detected for main (written 2026-05-01T10:00:00+00:00 by Ada Lovelace <ada@example.com>, claude-code).

  Immediate next intent:
    Finish the parser

  Active goal:
    A parser that recovers

  Freshness: ancestor of HEAD, 3 commits since; written 2 days ago

  Holding (these gate this session — do not re-try without a stated reason):
    [structural] Parser must stay final
    ... (1 holding)

  Ground may have shifted (you may want to reconsider):
    [contractual] render takes a Context
      reason: predicate failed — no match in src/r.ts
    [untyped] felt wrong
      reason: cannot-evaluate — untyped
    ... (2 surfaced)

  Noted but not gating:
    [empirical-local] always so

  Next steps:
    1. Read the grammar
    2. Write the test
  Done: 1 of 3 verified
    changed  src/table.ts:3 — table
    missing  docs/a.md — docs
  Unresolved:
    [risk] Unicode
  Allowance: remaining: 2 runs, helper_used: true
  Watches that are due:
    until 2026-04-30 — release
  State: Half of it is done.
  Pointers: src/parser.ts

  -> Proceeding. To re-examine the handoff later, run git handoff show 1a2b3c4
`);
  });

  it("leaves empty sections out, but for the goal", () => {
    expect(
      one({}),
    ).toBe(`Open handoff detected for main (written 2026-05-01T10:00:00+00:00 by Ada Lovelace <ada@example.com>, claude-code).

  Immediate next intent:
    Finish the parser

  Active goal:
    (omitted; recoverable from PR/ticket)

  Freshness: ancestor of HEAD, nothing since; written today

  -> Proceeding. To re-examine the handoff later, run git handoff show 1a2b3c4
`);
  });

  it("ends with STALE when stale", () => {
    const text = one({
      freshness: { stale: true, ancestry: "diverged", behind: null, as: null, ageDays: 9, note: null },
    });
    expect(text).toMatch(/^ {2}Freshness: STALE/m);
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      "  -> STALE: confirm with the user before acting. To re-examine the handoff later, run git handoff show 1a2b3c4",
    );
  });

  it("says when the author is somebody else, and nothing where that cannot be told", () => {
    expect(one({ own: false })).toContain("\n  Its author is not you.\n");
    expect(one({ own: null })).not.toContain("not you");
    expect(one({ own: true })).not.toContain("not you");
  });

  it("shows withdrawn entries marked, neither gating nor counted as done", () => {
    const text = one({
      rejections: [
        rejection({ withdrawn: "was wrong", gating: false }),
        rejection({ verdict: "fails", withdrawn: "too" }),
      ],
      artifacts: [{ claim: "c", evidence: "e", verdict: "verified", withdrawn: "redone", note: null }],
      unresolved: [{ kind: "gap", text: "t", withdrawn: "answered" }],
    });
    expect(text).not.toContain("Holding");
    expect(text).not.toContain("Ground may have shifted");
    expect(text).toContain("    [structural] Parser must stay final (withdrawn: was wrong)\n");
    expect(text).toContain("  Done: 0 of 0 verified\n    withdrawn  e — c (withdrawn: redone)\n");
    expect(text).toContain("    [gap] t (withdrawn: answered)\n");
  });

  it("puts the origin's name before what belongs to the origin", () => {
    const text = one({
      from: { repo: "orthanc", git: "unknown" },
      rejections: [rejection({ verdict: "cannot-evaluate", note: "not on this machine" })],
      artifacts: [
        { claim: "c", evidence: "src/x.ts", verdict: "unchecked", withdrawn: null, note: null },
        { claim: "d", evidence: "https://example.com/x", verdict: "unchecked", withdrawn: null, note: null },
      ],
    });
    expect(text).toContain("reason: cannot-evaluate — orthanc: not on this machine");
    expect(text).toContain("    unchecked  orthanc:src/x.ts — c\n    unchecked  https://example.com/x — d\n");
  });

  it("shows several open ones newest first and says so", () => {
    const text = surfaceText(
      report({ handoffs: [handoff({ intent: "Newer" }), handoff({ intent: "Older", handle: "2222222" })] }),
    );
    expect(text.split("\n")[0]).toBe(
      "2 open handoffs for main, newest first (close what is done: git handoff close <id>).",
    );
    expect(text.indexOf("Newer")).toBeLessThan(text.indexOf("Older"));
  });

  it("is empty when nothing is open, and shows warnings alone when there is nothing else", () => {
    expect(surfaceText(report())).toBe("");
    expect(surfaceText(report({ warnings: ["Handoff file at refs/x:open/y.md is malformed"] }))).toBe(
      "warning: Handoff file at refs/x:open/y.md is malformed\n",
    );
  });
});

describe("the inbox", () => {
  const breaking = inboxItem({ breaking: true, handle: "bbbbbbb", impact: "Change the call.\nAt once." });

  it("puts breaking items before the journal and the others after it", () => {
    const text = surfaceText(report({ handoffs: [handoff()], inbox: [breaking, inboxItem()] }));
    const order = [
      "Unread handoffs in this repo's inbox: 2  (1 BREAKING)",
      "!! BREAKING",
      "Impact here:",
      "Change the call.",
      "git handoff ack bbbbbbb",
      "Open handoff detected for main",
      "-> Proceeding",
      "The field is now called name.",
      "git handoff ack 9f8e7d6",
    ].map((part) => text.indexOf(part));
    expect(order.every((at) => at >= 0)).toBe(true);
    expect([...order].sort((a, b) => a - b)).toEqual(order);
  });

  it("leads each item with its impact and gives both verdicts and who wrote it", () => {
    const text = surfaceText(
      report({
        inbox: [
          inboxItem({
            relation: "our image server",
            origin: { ancestry: "unchecked", note: "orthanc is not on this machine" },
            destination: { ancestry: "diverged", note: null },
          }),
        ],
      }),
    );
    expect(text).toBe(`Unread handoffs in this repo's inbox: 1  (0 BREAKING)
  Next steps in an inbox handoff are advisory: this repository's maintainer decides.
  Work on an item is done only when the item is acknowledged: after acting on it or consciously declining it,
  never for having read it.

  9f8e7d6
    Impact here:
      The field is now called name.
    Intent: Rename the field
    From: orthanc (our image server), Bob <bob@example.com>, not you, written 2026-05-01T10:00:00+00:00
    Origin: unchecked; orthanc is not on this machine
    Destination: diverged: its commit and its change are not in HEAD's history
    Whole: git handoff show 9f8e7d6
    When acted on: git handoff ack 9f8e7d6  (or: git handoff ack 9f8e7d6 --decline)
`);
  });
});

describe("the bound for agents", () => {
  const long = (n: number) => `${"word ".repeat(n)}end`;

  it("takes Pointers first, then State, and says what was cut and how to see it", () => {
    const sections = { state: long(500), impact: null, next: ["go"], pointers: [long(1300)], skills: null };
    const first = surfaceText(report({ handoffs: [handoff({ sections })] }), { limit: AGENT_LIMIT });
    expect(first.length).toBeLessThanOrEqual(AGENT_LIMIT);
    expect(first).not.toContain("Pointers: ");
    expect(first).toContain("  State: word");
    expect(first).toContain("  (cut to fit: Pointers; the whole: git handoff show 1a2b3c4)\n");
    const second = surfaceText(
      report({ handoffs: [handoff({ sections: { ...sections, state: long(2000) } })] }),
      {
        limit: AGENT_LIMIT,
      },
    );
    expect(second).not.toContain("  State: word");
    expect(second).toContain("(cut to fit: State, Pointers; ");
    expect(second).toContain("  Next steps:\n    1. go\n");
  });

  it("keeps the counts when lists are cut", () => {
    const rejections = Array.from({ length: 300 }, (_, i) => rejection({ claim: `claim ${i} ${long(10)}` }));
    const text = surfaceText(report({ handoffs: [handoff({ rejections })] }), { limit: AGENT_LIMIT });
    expect(text.length).toBeLessThanOrEqual(AGENT_LIMIT);
    expect(text).toContain("    [structural] claim 0 ");
    expect(text).toMatch(/\.\.\. \(\d+ more cut\)\n {4}\.\.\. \(300 holding\)/);
    expect(text).toContain("-> Proceeding");
  });

  it("cuts breaking items last", () => {
    const text = surfaceText(
      report({
        handoffs: [
          handoff({ rejections: Array.from({ length: 100 }, () => rejection({ claim: long(30) })) }),
        ],
        inbox: [
          ...Array.from({ length: 8 }, (_, i) =>
            inboxItem({ breaking: true, handle: `bbbbbb${i}`, impact: long(40) }),
          ),
          ...Array.from({ length: 192 }, () => inboxItem()),
        ],
      }),
      { limit: AGENT_LIMIT },
    );
    expect(text.length).toBeLessThanOrEqual(AGENT_LIMIT);
    expect(text).toContain("Unread handoffs in this repo's inbox: 200  (8 BREAKING)");
    expect(text.match(/!! BREAKING/g)).toHaveLength(8);
    expect(text).toContain("... (192 more unread handoffs cut to fit; all of them: git handoff inbox)");
  });

  it("never exceeds the bound nor shows a control character, whatever is in the report", () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constant(long(3000)),
      fc.constant("\u001b]0;owned\u0007\u202eabc\u001b[2J"),
      fc.constant("a\nb\rc\n\n"),
    );
    const item = fc.record({ intent: nasty, impact: nasty, author: nasty, breaking: fc.boolean() });
    const document = fc.record({
      intent: nasty,
      goal: nasty,
      author: nasty,
      harness: nasty,
      sections: fc.record({
        state: nasty,
        impact: nasty,
        next: fc.array(nasty),
        pointers: fc.array(nasty),
        skills: fc.constant(null),
      }),
      rejections: fc.array(
        fc.record({
          claim: nasty,
          note: nasty,
          verdict: fc.constantFrom("holds", "fails", "cannot-evaluate"),
        }),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 12 }),
        fc.array(item, { maxLength: 60 }),
        fc.array(nasty, { maxLength: 30 }),
        nasty,
        (documents, items, warnings, branch) => {
          const text = surfaceText(
            report({
              branch,
              handoffs: documents.map((d) =>
                handoff({ ...d, rejections: d.rejections.map((r) => rejection(r as object)) }),
              ),
              inbox: items.map((i) => inboxItem(i)),
              warnings,
            }),
            { limit: AGENT_LIMIT },
          );
          expect(text.length).toBeLessThanOrEqual(AGENT_LIMIT);
          expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("forms", () => {
  it("is one line a thing when brief", () => {
    const text = surfaceText(
      report({
        handoffs: [handoff({ rejections: [rejection(), rejection({ verdict: "fails" })] })],
        inbox: [inboxItem({ breaking: true })],
      }),
      { form: "brief" },
    );
    expect(text).toBe(`Unread handoffs in this repo's inbox: 1  (1 BREAKING): git handoff inbox
  !! BREAKING  9f8e7d6  Rename the field
Open handoff for main: Finish the parser (1 holding, 1 shifted): git handoff read
`);
  });

  it("is the same text with colours between when asked for them", () => {
    const shown = report({
      handoffs: [handoff({ rejections: [rejection()] })],
      inbox: [inboxItem({ breaking: true })],
    });
    const colored = surfaceText(shown, { color: true });
    expect(colored).toContain("\u001b[");
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(surfaceText(shown));
  });
});
