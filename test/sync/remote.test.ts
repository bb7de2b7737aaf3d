import { describe, expect, it, test } from "vitest";
import { Config } from "../../src/git/config.js";
import { nameOfOrigin } from "../../src/sync/origin-name.js";
import { isPolicy, isRace, parsePushed } from "../../src/sync/porcelain.js";
import { fetchRefspec, refspecProblems } from "../../src/sync/refspec.js";
import { chooseRemote } from "../../src/sync/remote.js";
import { git, makeRepo, tempDir } from "../support/repo.js";
import { open } from "./support.js";

async function chosen(
  settings: Record<string, string>,
  options: { named?: string; direction?: "push" | "fetch"; remotes?: string[]; detached?: boolean } = {},
): Promise<string> {
  const dir = makeRepo();
  for (const name of options.remotes ?? ["origin", "fork"]) git(dir, "remote", "add", name, "/nowhere.git");
  for (const [key, value] of Object.entries(settings)) git(dir, "config", key, value);
  if (options.detached) git(dir, "checkout", "-q", "--detach");
  const { named = null, direction = "push" } = options;
  return chooseRemote(await open(dir), { named, direction });
}

describe("which remote", () => {
  it.each<[string, Parameters<typeof chosen>, string]>([
    ["the named one first", [{ "handoff.remote": "origin" }, { named: "fork" }], "fork"],
    ["then handoff.remote", [{ "handoff.remote": "fork", "branch.main.pushRemote": "origin" }], "fork"],
    [
      "the branch's push remote",
      [{ "branch.main.pushRemote": "fork", "branch.main.remote": "origin" }],
      "fork",
    ],
    [
      "which is not where a fetch looks",
      [{ "branch.main.pushRemote": "fork", "branch.main.remote": "origin" }, { direction: "fetch" }],
      "origin",
    ],
    ["the default for pushes", [{ "remote.pushDefault": "fork", "branch.main.remote": "origin" }], "fork"],
    ["the branch's remote", [{ "branch.main.remote": "fork" }], "fork"],
    ["the only one, whatever its name", [{}, { remotes: ["team/x"] }], "team/x"],
    ["else origin", [{}], "origin"],
    ["a branch that tracks a local one has none", [{ "branch.main.remote": "." }], "origin"],
    ["detached", [{ "branch.main.remote": "fork" }, { detached: true }], "origin"],
  ])("%s", async (_name, args, remote) => {
    expect(await chosen(...args)).toBe(remote);
  });

  it("says what is wrong", async () => {
    await expect(chosen({}, { remotes: [] })).rejects.toThrow("no remote to push to");
    await expect(chosen({}, { remotes: [], direction: "fetch" })).rejects.toThrow("no remote to fetch from");
    await expect(chosen({}, { named: "up" })).rejects.toThrow(
      "'up' is not a remote of this repository; there are origin, fork",
    );
    await expect(chosen({ "handoff.remote": "up" })).rejects.toThrow("handoff.remote: 'up' is not a remote");
    await expect(chosen({}, { remotes: ["a", "b"] })).rejects.toThrow("'origin' is not a remote");
  });
});

describe("git push --porcelain", () => {
  const REFUSED = (summary: string, reason: string) =>
    parsePushed(`To /hub.git\n!\tabc:refs/handoff/main/ada-111111\t${summary} (${reason})\nDone\n`)[0];

  it("is read line by line", () => {
    const text = [
      "To ../hub (2).git",
      "*\tabc:refs/handoff/a;b/ada-111111\t[new reference]",
      " \tabc:refs/handoff/main/ada-111111\t1111111..2222222",
      "=\tabc:refs/handoff/日本/ada-111111\t[up to date]",
      "-\t:refs/handoff/HEAD/ada-111111-abcdef0\t[deleted]",
      "Done",
    ].join("\n");
    expect(parsePushed(text)).toEqual([
      { ref: "refs/handoff/a;b/ada-111111", status: "new", summary: "[new reference]", reason: null },
      { ref: "refs/handoff/main/ada-111111", status: "updated", summary: "1111111..2222222", reason: null },
      { ref: "refs/handoff/日本/ada-111111", status: "up-to-date", summary: "[up to date]", reason: null },
      { ref: "refs/handoff/HEAD/ada-111111-abcdef0", status: "deleted", summary: "[deleted]", reason: null },
    ]);
  });

  it.each([
    ["[rejected]", "non-fast-forward"],
    ["[rejected]", "fetch first"],
    ["[rejected]", "stale info"],
    ["[remote rejected]", "failed to update ref"],
    ["[remote rejected]", "incorrect old value provided"],
    ["[remote rejected]", "reference already exists"],
    ["[remote rejected]", "cannot lock ref 'refs/x': is at 1 but expected 2"],
    ["[remote failure]", "remote failed to report status"],
  ])("%s (%s) is a race", (summary, reason) => {
    const ref = REFUSED(summary, reason);
    expect(ref && [isRace(ref), isPolicy(ref)]).toEqual([true, false]);
  });

  it.each([
    "pre-receive hook declined",
    "deny updating a hidden ref",
    "push declined due to repository rule violations",
    "some words of a host nobody has heard of",
  ])("[remote rejected] (%s) is policy", (reason) => {
    const ref = REFUSED("[remote rejected]", reason);
    expect(ref && [isRace(ref), isPolicy(ref)]).toEqual([false, true]);
  });
});

test("a remote that cannot store is neither", () => {
  const [ref] = parsePushed("!\tabc:refs/handoff/main/ada-111111\t[remote rejected] (unpacker error)\n");
  expect(ref && [isRace(ref), isPolicy(ref)]).toEqual([false, false]);
});

describe("refspecs", () => {
  const config = (...lines: [string, string][]) =>
    new Config(lines.map(([key, value]) => ({ scope: "local", key, value })));
  const codes = (lines: [string, string][], remotes = ["origin"]) =>
    refspecProblems(config(...lines), remotes).map(({ code }) => code);

  it("a remote's slashes stay apart from the branch's", () => {
    expect(fetchRefspec("team/x")).toBe("+refs/handoff/*:refs/handoff-remotes/*/team%2Fx");
  });

  it.each<[string, string[]]>([
    ["+refs/heads/*:refs/remotes/origin/*", []],
    ["+refs/handoff/*:refs/handoff-remotes/*/origin", []],
    ["^refs/handoff/*", []],
    ["+refs/tags/*:refs/tags/*", []],
    ["+refs/*:refs/*", ["refspec-onto-handoffs"]],
    ["refs/handoff/*:refs/handoff/*", ["refspec-onto-handoffs"]],
    ["+refs/handoff/main/*:refs/handoff/main/*", ["refspec-onto-handoffs"]],
    ["+refs/heads/h/*:refs/handoff/*", ["refspec-onto-handoffs"]],
    ["+refs/handoff/*:refs/remotes/origin/handoff/*", ["refspec-among-branches"]],
    ["+refs/handoff/*:refs/handoff-remotes/*/upstream", ["refspec-of-another-remote"]],
  ])("%s", (refspec, expected) => {
    expect(codes([["remote.origin.fetch", refspec]])).toEqual(expected);
  });

  it("two remotes in one place", () => {
    const refspec = "+refs/handoff/*:refs/handoff-remotes/*/origin";
    expect(
      codes(
        [
          ["remote.origin.fetch", refspec],
          ["remote.fork.fetch", refspec],
        ],
        ["origin", "fork"],
      ),
    ).toEqual(["refspec-of-another-remote", "refspec-shared"]);
  });
});

describe("under which name others know this repository", () => {
  it.each<[string, (dir: string) => string, string]>([
    ["its folder", (dir) => dir, "us"],
    ["with a slash at the end", (dir) => `${dir}/`, "us"],
    ["its git directory", (dir) => `${dir}/.git`, "us"],
    ["as a URL", (dir) => `file://${dir}`, "us"],
    ["its remote", () => "https://host/team/repo.git", "us"],
    ["its remote, without .git", () => "https://host/team/repo", "us"],
    ["its remote, with a user", () => "https://ada:secret@host/team/repo.git", "us"],
    ["another repository", () => tempDir(), "proj"],
    ["another remote", () => "https://host/team/other.git", "proj"],
  ])("handoff.repo.us.url is %s", async (_name, url, expected) => {
    const dir = makeRepo("proj");
    git(dir, "remote", "add", "origin", "https://host/team/repo.git");
    git(dir, "config", "handoff.repo.us.url", url(dir));
    git(dir, "config", "handoff.repo.us.relation", "we build it");
    git(dir, "worktree", "add", "-q", "--detach", "../linked");
    expect(await nameOfOrigin(await open(dir))).toBe(expected);
    expect(await nameOfOrigin(await open(`${dir}/../linked`))).toBe(expected);
  });
});
