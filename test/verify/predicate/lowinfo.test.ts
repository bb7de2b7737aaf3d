import { describe, expect, it } from "vitest";
import { checkPredicate } from "../../../src/verify/predicate/check.js";
import { isLowInfo } from "../../../src/verify/predicate/lowinfo.js";
import { makeRepo } from "../../support/repo.js";
import { askAll, factsOf, rejection } from "./ask.js";

const OID = "0123456789abcdef0123456789abcdef01234567";

const ALWAYS = [
  "true",
  ":",
  "grep -q '' f",
  "grep -q . f",
  "grep -q '.*' f",
  "grep -q '^' f",
  "grep -q '$' f",
  "grep -q '^.*$' f",
  "grep -q 'x*' f",
  "grep -qE 'x?' f",
  "grep -qE '(a|b*)' f",
  "grep -qE 'a|.' f",
  "grep -qE '[^a]|a' f",
  "grep -q '..*' f",
  "grep -qF '' f",
  "grep -qx '.*' f",
  "grep -qw '.*' f",
  "grep -q -e nothing -e '' f",
  "grep -qi '[a-z]*' f",
  "grep -rq '' src",
  "! grep -q 'a\\bb' f",
  "! grep -qE 'x\\Bx\\b y\\bz' f",
  "! grep -qv '' f",
  "git grep -q ''",
  "git grep -q . -- f",
  "test -e .",
  "test -d .",
  "test -d ./",
  "test -x ./.",
  "[ -d . ]",
  "! test -f .",
  "test 1 = 1",
  "[ 1 -eq 1 ]",
  "[ a = a ]",
  "[ 2 -gt 1 ]",
  "test a != b",
  "! test 1 = 2",
  "[ -n x ]",
  "test -z ''",
  "test x",
  "1 == 1",
  "always true",
  "git rev-parse --verify HEAD",
  "git cat-file -e HEAD^{tree}",
  "git diff --quiet HEAD HEAD",
  "git diff --quiet main main -- f",
  "git diff --quiet main..main",
  "git merge-base --is-ancestor HEAD HEAD",
  "git merge-base --is-ancestor HEAD~2 HEAD",
  "git ls-files --error-unmatch .",
  "user still wants improvements",
  "User still wants improvements.",
  "user still wants",
  "user still wants <P>",
  "the user still wants a better result",
  "we want it to be good",
  "the team would like more quality",
];

const TELLING = [
  "",
  "grep -q foo f",
  "! grep -q foo f",
  "grep -q '[^a]' f",
  "grep -q '^$' f",
  "grep -qE 'x+' f",
  "grep -qE 'foo|bar' f",
  "grep -qx '.' f",
  "grep -qv '^x' f",
  "grep -qw 'x*' f",
  "grep -qP '.*' f",
  "! grep -q '' f",
  "! grep -qE '[[:alpha:]]{2}' f",
  "! true-ish",
  "git grep -q foo",
  "! git grep -q foo",
  "test -e f",
  "! test -e .",
  "test -f .",
  "test 1 = 2",
  "[ a = b ]",
  "! test 1 = 1",
  "git rev-parse --verify feature",
  // An object may be collected, or never have come to this clone: such a check can fail.
  `git rev-parse --verify ${OID}`,
  `git cat-file -e ${OID}`,
  "[ -f src/parser.ts",
  "[ x",
  "git cat-file -e HEAD:f",
  "git diff --quiet HEAD main",
  "git merge-base --is-ancestor main HEAD",
  "git show-ref --verify refs/heads/main",
  "gh pr view 1",
  "user still prefers the smaller blast-radius approach",
  "user still wants to avoid touching the legacy Foo subsystem",
  "user still wants Windows support",
  "improvements",
];

describe("isLowInfo", () => {
  it.each(ALWAYS)("%s", (predicate) => {
    expect(isLowInfo({ kind: "structural", predicate })).toBe(true);
  });
  it.each(TELLING)("not %s", (predicate) => {
    expect(isLowInfo({ kind: "structural", predicate })).toBe(false);
  });
});

describe("what the kind decides", () => {
  it("asks the user, and nothing else, about goals", async () => {
    const facts = await factsOf(makeRepo());
    const goal = rejection("user still wants improvements", { kind: "goal-conditional" });
    expect(await checkPredicate(goal, facts)).toEqual({
      verdict: "cannot-evaluate",
      note: 'goal-conditional: ask the user: "user still wants improvements"',
      low_info: true,
    });
    expect(await checkPredicate({ ...goal, predicate: "grep -q Parser src/parser.ts" }, facts)).toEqual({
      verdict: "cannot-evaluate",
      note: 'goal-conditional: ask the user: "grep -q Parser src/parser.ts"',
      low_info: false,
    });
  });

  it("evaluates neither untyped ones nor kinds it does not know", async () => {
    const facts = await factsOf(makeRepo());
    for (const kind of ["untyped", "something-else"]) {
      const odd = { ...rejection("grep -q Parser src/parser.ts"), kind } as ReturnType<typeof rejection>;
      expect(await checkPredicate(odd, facts)).toMatchObject({ verdict: "cannot-evaluate", note: "untyped" });
    }
  });

  it("keeps a flag the writer's tool has set", async () => {
    const facts = await factsOf(makeRepo());
    const flagged = rejection("grep -q Parser src/parser.ts", { low_info: true });
    expect(await checkPredicate(flagged, facts)).toMatchObject({ verdict: "holds", low_info: true });
    expect(
      (await askAll(["grep -q Parser src/parser.ts", "true"], facts)).map((one) => one.low_info),
    ).toEqual([false, true]);
  });
});
