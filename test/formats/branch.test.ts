import { expect, it } from "vitest";
import { type Branches, branchFor } from "../../src/formats/branch.js";
import type { BranchHint } from "../../src/formats/types.js";

const none: Branches = { given: null, current: "main", known: ["main"], tracked: [] };
const slug: BranchHint = { kind: "slug", slug: "feat-park" };

it.each<[string, BranchHint, Partial<Branches>, string, RegExp | null]>([
  ["a branch with slashes", slug, { known: ["main", "feat/park"] }, "feat/park", null],
  ["one without", slug, { known: ["feat-park"] }, "feat-park", null],
  ["one not born yet", slug, { current: "feat/park" }, "feat/park", null],
  ["one that was only fetched", slug, { tracked: ["feat/park"] }, "feat/park", null],
  [
    "this clone's before a fetched one",
    slug,
    { known: ["feat/park"], tracked: ["feat-park"] },
    "feat/park",
    null,
  ],
  ["none at all", slug, {}, "feat-park", /^no branch is written feat-park/],
  [
    "both",
    slug,
    { known: ["feat/park", "feat-park"] },
    "feat-park",
    /could be for feat\/park: --branch decides/,
  ],
  ["--branch", slug, { known: ["feat/park"], given: "x" }, "x", null],
  ["a name", { kind: "branch", name: "gone" }, {}, "gone", null],
  ["the repository", { kind: "repository" }, {}, "HEAD", null],
  ["--branch for the repository's", { kind: "repository" }, { given: "x" }, "x", null],
  ["nothing", { kind: "unknown" }, {}, "main", /^says no branch; taken for the current one, main$/],
])("%s", (_, hint, branches, branch, warning) => {
  const found = branchFor(hint, { ...none, ...branches });
  expect(found.branch).toBe(branch);
  expect(found.warnings).toEqual(warning === null ? [] : [expect.stringMatching(warning)]);
});

it("refuses to guess", () => {
  expect(() => branchFor({ kind: "unknown" }, { ...none, current: null })).toThrow(/give --branch$/);
  expect(() => branchFor({ kind: "slug", slug: "a b" }, none)).toThrow(
    "'a b' is no branch name: give --branch",
  );
  expect(() => branchFor({ kind: "slug", slug: "HEAD" }, none)).toThrow(/no branch name/);
});
