// The pictures in the README: the block as two terminals show it. Drawn anew after a change by
// `npx vitest run --config test/vitest.config.ts test/readme/screens -u`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commit, git, handoff, makeRepo, root } from "../support/repo.js";
import { draw, rows, type Theme } from "../support/screen.js";
import { hasTerminal, onTerminal } from "../support/terminal.js";

const DOCUMENT = `intent: Teach the hook to show two handoffs at once
goal: A checkout never hides a teammate's handoff
state: The join brings both; the block still draws the newest alone.
next: [Draw the second block under the first, Ask Bob to try it on a narrow terminal]
pointers: [src/surface.ts]
rejections:
  - kind: structural
    claim: Parsing with the yaml library in the hook, it doubles the start
    anchor: src/hook.ts
    predicate: "! grep -q yaml src/hook.ts"
  - kind: empirical-external
    claim: Writing an argument parser, yargs 18 does it all
    anchor: yargs 18
    predicate: grep -q 'yargs.*18' package.json
artifacts:
  - claim: The block is drawn from a report alone
    evidence: src/surface.ts
  - claim: Two blocks fit in 8,000 characters
    evidence: src/limit.ts:1
unresolved:
  - kind: risk
    text: Two long handoffs may not fit an agent's limit
`;

/** What `git handoff` shows a teammate, after the code moved on. Times and ids are made the same at every run. */
function block(columns: number): string {
  const repo = makeRepo("screen");
  git(repo, "switch", "-q", "-c", "fix-parser");
  const files = { "package.json": '{ "yargs": "18.2.0" }\n', "src/hook.ts": "main();\n" };
  commit(repo, { ...files, "src/surface.ts": "draw();\n", "src/limit.ts": "8000\n" });
  handoff(repo, ["write", "--from", "-"], { input: DOCUMENT });
  git(repo, "config", "user.email", "bob@example.com");
  commit(repo, { "package.json": '{ "yargs": "19.0.0" }\n', "src/limit.ts": "9000\n" });
  const { output } = onTerminal(repo, ["read"], { columns, env: { GIT_PAGER: "cat" } });
  return output
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d/g, "2026-11-30T15:54:41+00:00")
    .replace(/(?<=handoff show )[0-9a-f]{7}/g, "4aa28c1");
}

it.runIf(hasTerminal).each<Theme>(["dark", "light"])(
  "a %s terminal of 80 and of 40 columns",
  async (theme) => {
    const [wide, narrow] = [block(80), block(40)];
    // A terminal breaks the lines; the program's words are the same at any width.
    expect(narrow).toBe(wide);
    await expect(draw(wide, [80, 40], theme)).toMatchFileSnapshot(`screens/${theme}.svg`);
  },
);

it("the README shows both", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const theme of ["dark", "light"]) expect(readme).toContain(`test/readme/screens/${theme}.svg`);
});

it("breaks lines at the width, and refuses what is no colour", () => {
  const text = (cells: { character: string }[]) => cells.map(({ character }) => character).join("");
  expect(rows("\u001b[1mabcdef\u001b[22mg\nh\n", 3).map(text)).toEqual(["abc", "def", "g", "h"]);
  expect(rows("\u001b[1;31ma\u001b[22mb\u001b[39mc", 9)[0]?.map(({ styles }) => styles)).toEqual([
    "bold red",
    "red",
    "",
  ]);
  expect(() => rows("\u001b[2J", 9)).toThrow("no colour");
});
