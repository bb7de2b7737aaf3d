// Colour and pager by git's own settings, seen on a pseudo-terminal.
import { beforeAll, describe, expect, it } from "vitest";
import { git, handoff, makeRepo } from "../support/repo.js";
import { seed } from "../support/seed.js";
import { hasTerminal, onTerminal } from "../support/terminal.js";

const ESCAPE = "\u001b[";
let repo = "";
let handle = "";

beforeAll(async () => {
  repo = makeRepo("terminal");
  git(repo, "config", "core.pager", "sed -e 's/^/PAGED /'");
  ({ handle } = await seed(repo, { meta: { intent: "Fix the parser of comments that go on for long" } }));
});

function list(env: Record<string, string | undefined> = {}, columns = 80): string {
  const { code, output } = onTerminal(repo, ["list"], { env, columns });
  expect(code).toBe(0);
  return output;
}

describe.skipIf(!hasTerminal)("on a terminal", () => {
  it("pages with git's pager and colours", () => {
    const output = list();
    expect(output).toMatch(/^PAGED /);
    expect(output).toContain(ESCAPE);
    expect(output).toContain(handle);
  });

  it.each([
    ["GIT_PAGER=cat", { GIT_PAGER: "cat" }],
    ["an empty GIT_PAGER", { GIT_PAGER: "" }],
    ["a pager of git's already at work", { GIT_PAGER_IN_USE: "true" }],
    ["a pager that is not there", { GIT_PAGER: "no-such-pager-here" }],
  ])("writes plainly with %s", (_, env) => {
    const output = list(env);
    expect(output).not.toContain("PAGED");
    expect(output).toContain(handle);
  });

  it("heeds pager.handoff", () => {
    git(repo, "config", "pager.handoff", "false");
    expect(list()).not.toContain("PAGED");
    git(repo, "config", "pager.handoff", "sed -e 's/^/OWN /'");
    expect(list()).toMatch(/^OWN /);
    git(repo, "config", "pager.handoff", "true");
    expect(list()).toMatch(/^PAGED /);
    git(repo, "config", "--unset", "pager.handoff");
  });

  it.each([
    ["NO_COLOR", { NO_COLOR: "1" }],
    ["a dumb terminal", { TERM: "dumb" }],
  ])("does not colour with %s", (_, env) => {
    expect(list({ GIT_PAGER: "cat", ...env })).not.toContain(ESCAPE);
  });

  it("heeds color.handoff before color.ui", () => {
    git(repo, "config", "color.ui", "false");
    expect(list()).not.toContain(ESCAPE);
    git(repo, "config", "color.handoff", "auto");
    expect(list()).toContain(ESCAPE);
    git(repo, "config", "color.handoff", "never");
    git(repo, "config", "color.ui", "always");
    expect(list()).not.toContain(ESCAPE);
    git(repo, "config", "--unset", "color.handoff");
    git(repo, "config", "--unset", "color.ui");
  });

  it.each([120, 80, 40, 20])("fits %i columns", (columns) => {
    const lines = list({ GIT_PAGER: "cat", NO_COLOR: "1" }, columns).split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines[0]).toMatch(new RegExp(`^${handle}  `));
    expect(lines.filter(Boolean)).toHaveLength(1);
  });

  it("gives JSON plainly all the same", () => {
    const { output } = onTerminal(repo, ["list", "--json"]);
    expect(JSON.parse(output)).toMatchObject({ handoffs: [{ handle }] });
  });
});

it("neither pages nor colours where there is no terminal", () => {
  expect(handoff(repo, ["list"]).stdout).not.toMatch(/PAGED|\u001b/);
});

it("colours where there is no terminal when told always, or when git pages for it", () => {
  const colored = (env: Record<string, string>) => handoff(repo, ["list"], { env }).stdout.includes(ESCAPE);
  expect(colored({ GIT_PAGER_IN_USE: "true", TERM: "xterm" })).toBe(true);
  git(repo, "config", "color.handoff", "always");
  expect(colored({})).toBe(true);
  expect(colored({ NO_COLOR: "1" })).toBe(false);
});
