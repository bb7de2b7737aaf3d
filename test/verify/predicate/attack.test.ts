// Each row asks one predicate in a repository that would run, write or fetch something given the chance.
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Facts } from "../../../src/verify/facts.js";
import { git } from "../../support/repo.js";
import { snapshot } from "../../support/tree.js";
import { askAll, factsOf } from "./ask.js";
import { type Hostile, hostileRepo } from "./hostile.js";
import { ABSENT_OID, GONE_ROWS, GREP_ROWS, OTHER_ROWS, REFUSED_ROWS, type Row } from "./table.js";

const MARK = `HANDOFF_ATTACK_${process.pid}`;

/** Processes that carry this test's mark, besides itself; Linux tells, elsewhere nothing is known. */
function descendants(): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) return false;
    try {
      return readFileSync(`/proc/${id}/environ`, "latin1").includes(MARK);
    } catch {
      return false;
    }
  });
}

/** What only this repository has. */
const OWN_ROWS: readonly Row[] = [
  ["git diff --quiet -- attacked.txt", "?", "would run a filter"],
  ["git diff --quiet HEAD -- processed.txt", "?", "would run a filter"],
  ["git diff --quiet HEAD~1 HEAD -- attacked.txt", "fails"],
  ["git grep -q needle -- attacked.txt", "holds"],
  ["git grep -q 'n..dle' -- processed.txt", "holds"],
  ["git grep -qE 'need(le|les)' -- processed.txt", "holds"],
  ["git diff --quiet HEAD -- docs/api.md", "holds"],
  ["git cat-file -e HEAD:attacked.txt", "holds"],
  [`git cat-file -e ${ABSENT_OID}:x`, "fails"],
  ["git grep --ext-grep foo -- words.txt", "?", "would run code"],
  ["git grep -O'sh -c id' foo", "?", "would run code"],
  ["git grep foo ext::sh -- words.txt", "?"],
  ["git cat-file -e ext::sh", "fails"],
  ["git cat-file -e --batch", "?", "option not accepted"],
  ["git cat-file -e --filters HEAD:attacked.txt", "?", "option not accepted"],
  ["git rev-parse --verify --exec=id", "?"],
  ["git fetch ext::sh", "?", "would run code"],
  ["git archive --remote=ext::sh HEAD", "?", "would run code"],
  ["git ls-remote --upload-pack=id .", "?", "would run code"],
  ["git -c alias.x=!id x", "?", "git option not accepted"],
  ["git diff --quiet --ext-diff HEAD~1 HEAD", "?", "would run code"],
  ["git diff --quiet --textconv HEAD~1 HEAD", "?", "would run code"],
  ["git diff --quiet --output=stolen HEAD~1 HEAD", "?", "would run code"],
  ["git show-ref --verify refs/../config", "?", "full ref name"],
  ["grep -qe root -- /proc/self/environ", "?", "outside the repository"],
  ["grep -q x /dev/zero", "?", "outside the repository"],
  ["grep -q x /dev/stdin", "?", "outside the repository"],
  ["grep -rq root link-folder-out", "?", "outside the repository"],
  ["grep -q --include=/etc/passwd root words.txt", "fails"],
  ["grep -q 'root:' link-folder/../link-out", "?", "outside the repository"],
  ["test -s link-folder-out/passwd", "?", "outside the repository"],
  ["test -d link-folder-out", "?", "outside the repository"],
  ["git ls-files --error-unmatch :(top)words.txt", "?", "needs a shell"],
  ["git ls-files --error-unmatch ':(top)words.txt'", "?", "a pattern of paths"],
];

const BOMBS: readonly string[] = [
  "grep -qE '(a+)+$' words.txt",
  "grep -qE '(.*)(.*)(.*)(.*)(.*)(.*)[x]y' big-line.txt",
  "grep -qE '(a|b)*a(a|b){200}c' big-line.txt",
  "grep -q '\\(.*\\)\\(.*\\)\\1\\2\\1x' big-line.txt",
  "grep -qP '^(a|ab?)*$' big-line.txt",
  "grep -qP '(a*)*b' big-line.txt",
  "grep -qE '((((((((((x{1,255})))))))))))*y' big-line.txt",
  "grep -qE 'x{1,32767}y' big-line.txt",
  "grep -qE '(x{1,1000}){1,1000}y' big-line.txt",
  "git grep -qE '(x{1,1000}){1,1000}y' -- words.txt",
  "git grep -qP '(a*)*b' -- words.txt",
  "grep -rqE '(a|b)*a(a|b){200}c' .",
  "grep -rq '\\(.*\\)\\1\\1x' .",
];

describe.each(["hook", "daemon"] as const)("a hostile repository with an fsmonitor %s", (fsmonitor) => {
  let hostile: Hostile;
  let before: Record<string, string>;
  let ranBefore: string[];
  let facts: Facts;

  beforeAll(async () => {
    hostile = hostileRepo(fsmonitor);
    // Hashed again and again otherwise.
    rmSync(join(hostile.dir, "big.txt"));
    process.env[MARK] = "1";
    let state = 1;
    const letters = Array.from({ length: 200_000 }, () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 1 ? "a" : "b";
    });
    writeFileSync(join(hostile.dir, "big-line.txt"), `${letters.join("")}c\n`);
    const opened = await factsOf(hostile.dir, { deadline: Date.now() + 600_000 });
    // A remote that is a promisor makes it a partial clone, in which an absent object says nothing.
    facts = { ...opened, repository: { ...opened.repository, partial: false } };
    ranBefore = hostile.ran();
    before = snapshot(hostile.dir);
  });
  afterAll(() => {
    delete process.env[MARK];
  });

  const untouched = (): void => {
    expect(snapshot(hostile.dir)).toEqual(before);
    expect(hostile.ran()).toEqual(ranBefore);
    expect(descendants()).toEqual([]);
  };

  const rows = [...OWN_ROWS, ...OTHER_ROWS, ...GONE_ROWS, ...REFUSED_ROWS, ...GREP_ROWS.slice(0, 10)].filter(
    ([predicate]) => !predicate.includes("big.txt"),
  );
  // The newest commit adds the attributes: revisions of the table's history are one further back.
  const moved = (predicate: string): string =>
    predicate
      .replace(/HEAD~(\d)/g, (_, n: string) => `HEAD~${Number(n) + 1}`)
      .replace(/HEAD(?=[\s:^]|$)/g, "HEAD~1");
  const asked: readonly Row[] = rows.map((row) =>
    OWN_ROWS.includes(row) ||
    /diff --quiet (--cached |--staged )?(HEAD )?-- /.test(row[0]) ||
    /\.\.\./.test(row[0])
      ? row
      : ([moved(row[0]), row[1], row[2] ?? ""] as const),
  );

  // Looking for traces takes longer than the questions: twenty rows at a time, each asked alone.
  const chunks = Array.from({ length: Math.ceil(asked.length / 20) }, (_, at) =>
    asked.slice(at * 20, at * 20 + 20),
  );
  it.each(chunks.map((chunk) => [chunk[0]?.[0] ?? "", chunk] as const))(
    "leaves no trace: %s …",
    { timeout: 60_000 },
    async (_, chunk) => {
      for (const [predicate, verdict, note] of chunk) {
        const [answer] = await askAll([predicate], facts);
        expect([predicate, answer?.verdict, answer?.note]).toEqual([
          predicate,
          verdict === "?" ? "cannot-evaluate" : verdict,
          verdict === "holds" ? null : expect.stringContaining(note ?? ""),
        ]);
      }
      untouched();
    },
  );

  it.each(BOMBS)("ends in its time: %s", { timeout: 20_000 }, async (predicate) => {
    const [answer] = await askAll([predicate], { ...facts, predicateTimeout: 500 });
    expect(answer?.verdict).toMatch(/^(fails|holds|cannot-evaluate)$/);
    untouched();
  });

  it("ends all of them in the time for all", { timeout: 30_000 }, async () => {
    const many = Array.from(
      { length: 60 },
      (_, at) => `grep -qE '(a|b)*a(a|b){2${String(at).padStart(2, "0")}}c' big-line.txt`,
    );
    const answers = await askAll(many, { ...facts, predicateTimeout: 500, deadline: Date.now() + 1_500 });
    expect(answers.map((one) => one.verdict)).toEqual(many.map(() => "cannot-evaluate"));
    const notes = answers.map((one) => one.note ?? "");
    expect(notes.some((note) => note === "timeout")).toBe(true);
    expect(notes.some((note) => note.startsWith("out-of-budget: "))).toBe(true);
    untouched();
  });
});

describe("a folder that has become a link", () => {
  it("is not searched by git grep", async () => {
    const { dir } = hostileRepo("hook");
    renameSync(join(dir, "src/deep"), join(dir, "deep-was"));
    symlinkSync("/etc", join(dir, "src/deep"));
    git(dir, "config", "core.fsmonitor", "false");
    const rows = [
      "git grep -q root",
      "git grep -q root -- src",
      "git grep -q root -- src/deep",
      "git grep -q root -- src/deep/passwd",
    ];
    for (const answer of await askAll(rows, await factsOf(dir))) {
      expect(answer).toMatchObject({ verdict: "cannot-evaluate", note: "outside the repository" });
    }
  });
});
