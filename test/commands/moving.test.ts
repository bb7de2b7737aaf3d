// list, log, close, ack, reopen and mv as a user calls them.
import { beforeEach, describe, expect, it } from "vitest";
import { git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";

const pushed = { delivery: "pushed", breaking: true, intent: "Rename amount" } as const;
const impact =
  "## Impact here\n\nRename it.\n\n## State\n\nx\n\n## Next steps\n\n1. x\n\n## Pointers\n\n- x\n";

let repo: string;
beforeEach(() => {
  repo = makeRepo("moving");
  git(repo, "branch", "feat/x");
});

function json(...args: string[]): Record<string, unknown> {
  const { code, stdout, stderr } = handoff(repo, [...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Record<string, unknown>;
}

function listed(...args: string[]): string[][] {
  const { code, stdout } = handoff(repo, ["list", ...args]);
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(/ {2,}/));
}

describe("list", () => {
  it("says so on stderr when there is nothing", () => {
    expect(handoff(repo, ["list"])).toEqual({ code: 0, stdout: "", stderr: "No open handoff for main.\n" });
    expect(handoff(repo, ["list", "--all"])).toEqual({ code: 0, stdout: "", stderr: "No open handoff.\n" });
    expect(json("list")).toEqual({ format: 1, branch: "main", handoffs: [], warnings: [] });
  });

  it("shows the branch and the repository's inbox; with --all every branch, the current one first", async () => {
    const own = await seed(repo);
    const other = await seed(repo, { branch: "feat/x", meta: { intent: "Other" } });
    const inbox = await seed(repo, { branch: "HEAD", meta: pushed, body: impact });
    expect(
      listed().map(([id, state, branch, , author, intent]) => [id, state, branch, author, intent]),
    ).toEqual([
      [own.id, "open", "main", "Ada Lovelace", "Fix the parser"],
      [inbox.id, "inbox !!", "HEAD", "Ada Lovelace", "Rename amount"],
    ]);
    expect(listed("--all").map(([id]) => id)).toEqual([own.id, other.id, inbox.id]);
    git(repo, "switch", "-q", "feat/x");
    expect(listed("-a").map(([id]) => id)).toEqual([other.id, own.id, inbox.id]);
    git(repo, "switch", "-q", "--detach");
    expect(listed().map(([id]) => id)).toEqual([inbox.id]);
  });

  it("shows closed ones only when asked", async () => {
    const { id, handle } = await seed(repo);
    handoff(repo, ["close", handle]);
    expect(listed()).toEqual([]);
    expect(listed("--closed").map(([shown, state]) => [shown, state])).toEqual([[id, "closed"]]);
  });

  it("takes what could drive a terminal out of the text", async () => {
    await seed(repo, {
      meta: { intent: "Bad \u001b]0;title\u0007\u001b[31mred\nnext\u202e", author: "\u001b[2JEve <e@x>" },
    });
    expect(listed()[0]?.slice(-2)).toEqual(["Eve", "Bad red next"]);
  });

  it("gives every key in JSON", async () => {
    const { id, handle, writer } = await seed(repo);
    expect(json("list").handoffs).toEqual([
      {
        id,
        handle,
        state: "open",
        branch: "main",
        writer,
        author: "Ada Lovelace <ada@example.com>",
        written: "2026-05-01T10:00:00+00:00",
        intent: "Fix the parser",
        breaking: null,
      },
    ]);
  });
});

describe("close", () => {
  it("closes all open ones of the branch, once", async () => {
    const { handle } = await seed(repo);
    await seed(repo, { branch: "feat/x" });
    expect(handoff(repo, ["close"])).toEqual({
      code: 0,
      stdout: `Closed: ${handle} Fix the parser\n`,
      stderr: "",
    });
    expect(handoff(repo, ["close"])).toEqual({ code: 1, stdout: "", stderr: "No open handoff for main.\n" });
    expect(handoff(repo, ["close", handle]).stdout).toBe(`Already closed: ${handle} Fix the parser\n`);
    expect(listed("--all")).toHaveLength(1);
  });

  it("closes one on another branch by its handle, and keeps the reason to one line", async () => {
    const { handle } = await seed(repo, { branch: "feat/x" });
    expect(handoff(repo, ["close", handle, "-mmerged\nas #4"]).code).toBe(0);
    const [event] = json("log", "feat/x").events as { event: string; reason: string }[];
    expect(event).toMatchObject({ event: "close", reason: "merged as #4" });
  });

  it("gives the state they now have in JSON", async () => {
    const { handle } = await seed(repo);
    expect(json("close", handle)).toMatchObject({
      closed: [{ handle, state: "closed" }],
      already: [],
      warnings: [],
    });
    expect(json("close", handle)).toMatchObject({
      closed: [],
      already: [{ handle, state: "closed" }],
      commits: [],
    });
  });

  it("does nothing when one of several is not known", async () => {
    const { handle } = await seed(repo);
    expect(handoff(repo, ["close", handle, "zzzzzzz"])).toMatchObject({ code: 1, stdout: "" });
    expect(listed()).toHaveLength(1);
  });

  it("lists the candidates of an ambiguous name", async () => {
    const one = await seed(repo);
    handoff(repo, ["close"]);
    const two = await seed(repo, { meta: { intent: "Fix the lexer" } });
    const { code, stderr } = handoff(repo, ["close", "20260501"]);
    expect(code).toBe(1);
    expect(stderr).toContain(one.id);
    expect(stderr).toContain(two.id);
  });

  it("refuses an inbox handoff, and needs a name where there is no branch", async () => {
    const { handle } = await seed(repo, { branch: "HEAD", meta: pushed, body: impact });
    expect(handoff(repo, ["close", handle])).toMatchObject({ code: 1, stdout: "" });
    git(repo, "switch", "-q", "--detach");
    expect(handoff(repo, ["close"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "Not on a branch; name the handoff to close.\n",
    });
  });
});

describe("ack", () => {
  it("acknowledges inbox handoffs, again without complaint", async () => {
    const { handle, id } = await seed(repo, { branch: "HEAD", meta: pushed, body: impact });
    expect(handoff(repo, ["ack", handle])).toEqual({
      code: 0,
      stdout: `Acknowledged: ${handle} Rename amount\n`,
      stderr: "",
    });
    expect(handoff(repo, ["ack", handle])).toMatchObject({ code: 0 });
    expect(json("ack", id)).toMatchObject({ acked: [], already: [{ handle }], declined: false, commits: [] });
    expect(listed("--closed").map(([, state]) => state)).toEqual(["acked"]);
  });

  it("declines with a reason", async () => {
    const { handle } = await seed(repo, { branch: "HEAD", meta: pushed, body: impact });
    expect(handoff(repo, ["ack", handle, "--decline", "-m", "not ours"]).stdout).toBe(
      `Declined: ${handle} Rename amount\n`,
    );
    expect((json("log", "HEAD").events as object[])[0]).toMatchObject({
      event: "decline",
      reason: "not ours",
    });
  });

  it("refuses a journal handoff and says what to call", async () => {
    const { handle } = await seed(repo);
    const { code, stdout, stderr } = handoff(repo, ["ack", handle]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`git handoff close ${handle}`);
  });
});

describe("reopen", () => {
  it("writes a new document with the old content", async () => {
    const { handle, id } = await seed(repo);
    handoff(repo, ["close"]);
    const again = json("reopen", handle);
    expect(Object.keys(again)).toEqual(["id", "handle", "ref", "path", "commit", "warnings"]);
    expect(again.handle).not.toBe(handle);
    expect(git(repo, "show", `${again.ref}:${again.path}`)).toContain(id);
    expect(listed().map(([shown]) => shown)).toEqual([again.id]);
  });

  it("is a negative answer for one that is open", async () => {
    const { handle } = await seed(repo);
    expect(handoff(repo, ["reopen", handle])).toMatchObject({ code: 1, stdout: "" });
  });

  it("beside an open one says what to close, not what only write takes", async () => {
    const { handle } = await seed(repo);
    handoff(repo, ["close"]);
    const open = await seed(repo, { meta: { intent: "Fix the lexer" } });
    expect(handoff(repo, ["reopen", handle])).toEqual({
      code: 1,
      stdout: "",
      stderr: `An open handoff exists for main: ${open.id}. Close it first: git handoff close ${open.handle}\n`,
    });
  });
});

describe("mv", () => {
  it("carries open handoffs over, and warns of a branch that is not here", async () => {
    const { handle } = await seed(repo);
    expect(handoff(repo, ["mv", "main", "new"])).toEqual({
      code: 0,
      stdout: `Moved to new: ${handle} Fix the parser\n`,
      stderr: "warning: there is no branch 'new' in this clone\n",
    });
    expect(listed()).toEqual([]);
    expect(listed("--all").map(([, , branch]) => branch)).toEqual(["new"]);
  });

  it.each([
    ["HEAD", "x"],
    ["x", "HEAD"],
    ["x", "a..b"],
    ["x", "x"],
    ["x", "refs/heads/../y"],
  ])("refuses %s to %s", (from, to) => {
    const { code, stdout, stderr } = handoff(repo, ["mv", from, to]);
    expect({ code, stdout }).toEqual({ code: 128, stdout: "" });
    expect(stderr).toMatch(/^fatal: '.*\n$/);
  });

  it("is a negative answer when nothing is open", () => {
    expect(handoff(repo, ["mv", "main", "feat/x"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "No open handoff for main.\n",
    });
  });

  it("back again: names the document that now stands there, and show still finds the one that moved away", async () => {
    const first = await seed(repo);
    expect(handoff(repo, ["mv", "main", "feat/x"]).code).toBe(0);
    const { stdout } = handoff(repo, ["mv", "feat/x", "main"]);
    const [, handle = ""] = /^Moved to main: ([0-9a-f]{7}) Fix the parser\n$/.exec(stdout) ?? [];
    expect(listed().map(([id]) => id?.slice(-7))).toEqual([handle]);
    expect(handle).not.toBe(first.handle);
    expect(handoff(repo, ["show", first.handle]).stdout).toContain("Fix the parser");
    expect(handoff(repo, ["close", handle]).code).toBe(0);
  });

  it("back again, in JSON", async () => {
    await seed(repo);
    json("mv", "main", "feat/x");
    expect(json("mv", "feat/x", "main").moved).toEqual(json("list").handoffs);
  });
});

describe("log", () => {
  it("tells events newest first", async () => {
    const first = await seed(repo);
    const second = await seed(repo, { mode: "append", meta: { intent: "Go on" } });
    handoff(repo, ["close", "-m", "done"]);
    const lines = handoff(repo, ["log"]).stdout.split("\n");
    expect(lines.filter((line) => /^(write|append|close) /.test(line))).toEqual([
      `close ${second.id}`,
      `append ${second.id}`,
      `write ${first.id}`,
    ]);
    expect(lines).toContain("    reason: done");
    expect(lines).toContain(`    supersedes ${first.id}`);
  });

  it("has nothing to tell of an unknown branch", () => {
    expect(handoff(repo, ["log", "nope"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Nothing was recorded for nope.\n",
    });
  });
});

it.each(["list", "log", "close", "complete-handles", "mv a b", "ack x", "reopen x"])(
  "%s outside a repository is git's own line",
  (words) => {
    const { code, stdout, stderr } = handoff(tempDir(), words.split(" "));
    expect({ code, stdout }).toEqual({ code: 128, stdout: "" });
    expect(stderr).toMatch(/^fatal: not a git repository.*\n$/);
  },
);
