import { expect, it } from "vitest";
import { suggestKind } from "../../src/write/ask/kinds.js";

it.each([
  ["smaller blast radius is preferred", "goal-conditional"],
  ["fewer files is better", "goal-conditional"],
  ["the change was too big for this release", "goal-conditional"],
  ["blast radius must not exceed K files", "structural"],
  ["no new dependencies allowed", "structural"],
  ["no lexer allowed", "structural"],
  ["callers may not hold the lock", "structural"],
  ["at most three queries a page", "structural"],
  // Both at once is a doubt: the next session is to ask.
  ["must not touch legacy, a smaller change is preferred", "goal-conditional"],
  ["retrying with backoff still times out", null],
  ["preview returns null", null],
])("'%s' suggests %s", (claim, kind) => {
  expect(suggestKind(claim)).toBe(kind);
});
