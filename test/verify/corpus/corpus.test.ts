import { afterAll, expect, test } from "vitest";
import { checkFreshness } from "../../../src/verify/freshness.js";
import { factsOf } from "./facts.js";
import { History } from "./history.js";
import { corpus } from "./index.js";

afterAll(() => History.removeAll());

/** Time is not what is tested: the machine may be busy. */
const AMPLE = { commits: 5, each: 30_000, total: 60_000 };
const written = "2026-05-01T10:00:00Z";

test("the corpus is as large as promised, and every name stands once", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60);
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
});

test.each(corpus.map((each) => [each.label.ancestry, each.name, each] as const))(
  "%s: %s",
  async (_ancestry, _name, history) => {
    const asked = history.build(History.fresh());
    const facts = await factsOf(asked.repo.dir);
    const [verdict] = await checkFreshness([{ git: asked.git, written }], facts, {}, AMPLE);
    const { label } = history;
    expect(verdict).toMatchObject({
      ancestry: label.ancestry,
      stale: label.ancestry === "diverged",
      as: asked.as ?? null,
    });
    expect(verdict?.ancestry === "unknown" ? verdict.note : "told").toBeTruthy();
    if (label.note) expect(verdict?.note).toMatch(label.note);
    if (label.behind !== undefined) expect(verdict?.behind).toBe(label.behind);
    expect(facts.calls.length).toBeLessThanOrEqual(14);
  },
);
