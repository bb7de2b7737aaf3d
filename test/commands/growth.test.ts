// prune and redact, with a remote and a teammate.
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";
import { hasTerminal, onTerminal } from "../support/terminal.js";

const SECRET = "hunter2hunter2";
const secret = { meta: { intent: `Use ${SECRET} for the staging host` } };

let hub: string;
let ada: string;
let bob: string;

beforeEach(() => {
  hub = join(tempDir("hub"), "hub.git");
  git(tempDir(), "init", "-q", "--bare", hub);
  ada = makeRepo("ada");
  git(ada, "remote", "add", "origin", hub);
  git(ada, "push", "-q", "origin", "main");
  bob = join(tempDir("bob"), "bob");
  git(tempDir(), "clone", "-q", hub, bob);
});

function ok(dir: string, ...args: string[]): string {
  const { code, stdout, stderr } = handoff(dir, args);
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

function refs(dir: string): string[] {
  return git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/", "refs/handoff-remotes/")
    .split("\n")
    .filter(Boolean);
}

/** Everything a repository can still reach, as text. */
function reachable(dir: string): string {
  const objects = git(dir, "rev-list", "--objects", "--all", "--reflog")
    .split("\n")
    .map((line) => line.split(" ")[0]);
  return objects
    .map((oid) => `${git(dir, "cat-file", "-t", oid ?? "")} ${git(dir, "cat-file", "-p", oid ?? "")}`)
    .join("\n");
}

describe("redact", () => {
  it("takes the document out of both sides' history, ids and subjects included", async () => {
    const { handle } = await seed(ada, secret);
    await seed(ada, { mode: "append", meta: { intent: "Go on" } });
    ok(ada, "push");
    expect(reachable(hub)).toContain(SECRET);
    const answer = JSON.parse(ok(ada, "redact", handle, "--yes", "--json"));
    expect(answer).toMatchObject({
      dry_run: false,
      copies: [],
      remotes: [{ remote: "origin", error: null }],
    });
    expect(reachable(ada)).not.toContain(SECRET);
    expect(reachable(hub)).not.toContain(SECRET);
    expect(ok(ada, "list")).toContain("Go on");
    expect(handoff(ada, ["show", handle]).code).toBe(1);
    ok(bob, "fetch");
    expect(reachable(bob)).not.toContain(SECRET);
    expect(handoff(bob, ["list"]).stdout).toContain("Go on");
    // An ordinary fast-forward from there.
    ok(ada, "close");
    ok(ada, "push");
  });

  it("says where copies remain, and hides a teammate's document from everybody", async () => {
    const { handle, ref } = await seed(bob, secret);
    ok(bob, "push");
    ok(ada, "fetch");
    const { code, stdout, stderr } = handoff(ada, ["redact", handle, "--yes"]);
    expect({ code, stdout: stdout.split("\n").length > 1 }).toEqual({ code: 0, stdout: true });
    expect(stderr).toContain(
      `a copy remains in ${ref.replace("refs/handoff/", "refs/handoff-remotes/")}/origin`,
    );
    expect(handoff(ada, ["list"]).stdout).toBe("");
    ok(bob, "fetch");
    expect(handoff(bob, ["list"]).stdout).toBe("");
  });

  it("goes on where a remote did not answer", async () => {
    const { handle, id } = await seed(ada, secret);
    ok(ada, "push");
    git(ada, "remote", "set-url", "origin", "/nowhere/at/all");
    const first = handoff(ada, ["redact", id, "--yes"]);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain("'origin' is unreachable: ");
    git(ada, "remote", "set-url", "origin", hub);
    expect(reachable(hub)).toContain(SECRET);
    ok(ada, "redact", handle, "--yes");
    expect(reachable(hub)).not.toContain(SECRET);
  });

  it("never overwrites what the remote has beyond it", async () => {
    const { handle } = await seed(ada, secret);
    ok(ada, "push");
    const copy = join(tempDir("copy"), "copy");
    git(tempDir(), "clone", "-q", "--mirror", hub, join(copy, ".git"));
    git(copy, "config", "core.bare", "false");
    git(copy, "config", "handoff.writer", git(ada, "config", "handoff.writer"));
    git(copy, "update-ref", "HEAD", git(ada, "rev-parse", "HEAD"));
    await seed(copy, { mode: "append", meta: { intent: "Beyond" } });
    git(copy, "push", "-q", hub, "refs/handoff/*:refs/handoff/*");
    const before = git(hub, "for-each-ref", "refs/handoff/");
    const { code } = handoff(ada, ["redact", handle, "--yes"]);
    const after = git(hub, "for-each-ref", "refs/handoff/");
    expect({ code, same: before === after }).toEqual({ code: 1, same: true });
  });

  it("needs a word of consent", async () => {
    const { handle } = await seed(ada, secret);
    const before = refs(ada);
    expect(handoff(ada, ["redact", handle])).toEqual({
      code: 128,
      stdout: "",
      stderr: "fatal: redact rewrites history for good: say --yes\n",
    });
    expect(ok(ada, "redact", handle, "--dry-run")).toContain(before[0]);
    expect(refs(ada)).toEqual(before);
    expect(handoff(ada, ["redact", "0000000", "--yes"])).toMatchObject({ code: 1, stdout: "" });
    expect(handoff(ada, ["redact", handle, "--yes", "--remote", "nope"])).toMatchObject({
      code: 128,
      stdout: "",
    });
  });

  it.skipIf(!hasTerminal)("asks at a terminal", async () => {
    const { handle } = await seed(ada, secret);
    const no = onTerminal(ada, ["redact", handle], { input: "n" });
    expect(no.output).toContain("This cannot be undone.");
    expect(no.code).toBe(1);
    expect(ok(ada, "list")).toContain(handle);
  });
});

describe("prune", () => {
  it("shows only, unless told to do it", async () => {
    const { id, handle } = await seed(ada);
    ok(ada, "close", handle);
    expect(ok(ada, "prune")).toBe("Nothing to prune.\n");
    const before = reachable(ada);
    const { stdout, stderr } = handoff(ada, ["prune", "--older-than=0"]);
    expect(stdout).toBe(`would drop ${id} (main)\n`);
    expect(stderr).toContain("Nothing was changed");
    expect(reachable(ada)).toBe(before);
    expect(handoff(ada, ["prune", "--older-than=0", "--force", "--dry-run"]).stdout).toBe(stdout);
    expect(ok(ada, "prune", "--older-than=0", "--force")).toBe(`dropped ${id} (main)\n`);
    expect(ok(ada, "list", "--closed")).toBe("");
    expect(ok(ada, "log")).toContain(`prune ${id}`);
    expect(reachable(ada)).toContain("Half done.");
    ok(ada, "push");
  });

  it("keeps what somebody still has open", async () => {
    const { id, handle } = await seed(bob);
    ok(bob, "push");
    ok(ada, "fetch");
    ok(ada, "close", handle);
    const plan = JSON.parse(ok(ada, "prune", "--older-than", "0", "--force", "--json"));
    expect(plan).toMatchObject({ dry_run: false, older_than: 0, documents: [], kept: [{ id }] });
    expect(ok(ada, "list", "--closed")).toContain("closed");
  });

  it("deletes the log of a branch that is gone everywhere, and of no other", async () => {
    git(ada, "branch", "old");
    git(ada, "branch", "kept");
    git(ada, "push", "-q", "origin", "kept");
    for (const branch of ["old", "kept"]) {
      const { handle } = await seed(ada, { branch });
      ok(ada, "close", handle);
    }
    ok(ada, "push", "--all");
    git(ada, "branch", "-D", "-q", "old", "kept");
    ok(ada, "prune", "--force", "--older-than=0");
    expect(refs(ada).filter((name) => name.includes("/old/"))).toEqual([]);
    expect(refs(hub).map((name) => name.split("/")[2])).toEqual(["kept"]);
    expect(refs(ada).some((name) => name.startsWith("refs/handoff/kept/"))).toBe(true);
  });

  /** Open on `feat` in both clones; the branch is gone everywhere. */
  async function onGoneBranch(): Promise<string> {
    git(ada, "branch", "feat");
    const { handle } = await seed(ada, { branch: "feat" });
    ok(ada, "push", "--all");
    ok(bob, "fetch");
    git(ada, "branch", "-D", "-q", "feat");
    return handle;
  }

  it("keeps the log of a gone branch until everybody has had time to fetch its close", async () => {
    const handle = await onGoneBranch();
    ok(ada, "close", handle);
    ok(ada, "push", "--all");
    expect(ok(ada, "prune", "--force")).toBe("Nothing to prune.\n");
    ok(bob, "fetch");
    expect(ok(bob, "list", "--all")).toBe("");
  });

  it("with an age that leaves no time for that, says what it means for who has not fetched", async () => {
    const handle = await onGoneBranch();
    ok(ada, "close", handle);
    ok(ada, "push", "--all");
    expect(ok(ada, "prune", "--force", "--older-than=0")).toMatch(
      /^deleted refs\/handoff\/feat\/\S+ \(branch feat is gone\)\n {2}closed \d{4}-\d\d-\d\d: whoever has not fetched since goes on seeing it as open\ndeleted /,
    );
    // That a log is absent on the remote never means that it was deleted: Bob has it as he last saw it ...
    ok(bob, "fetch");
    expect(ok(bob, "list", "--all")).toContain(" open ");
    // ... until he closes it himself, which lasts.
    ok(bob, "close", handle);
    ok(bob, "sync", "--all");
    ok(ada, "fetch");
    for (const dir of [ada, bob]) expect(ok(dir, "list", "--all")).toBe("");
  });

  it("of any age keeps a close of what is still open in its writer's log", async () => {
    const handle = await onGoneBranch();
    ok(bob, "close", handle);
    ok(bob, "push", "--all");
    expect(ok(bob, "prune", "--force", "--older-than=0")).toMatch(/^kept .*: still open in /);
    ok(ada, "fetch");
    expect(ok(ada, "list", "--all")).toBe("");
    // Its writer has seen the close; it is the closer's log that tells the others then.
    ok(ada, "prune", "--force", "--older-than=0");
    const third = join(tempDir("third"), "third");
    git(tempDir(), "clone", "-q", hub, third);
    ok(third, "fetch");
    expect(ok(third, "list", "--all")).toBe("");
  });

  it("does nothing when a remote cannot be asked", async () => {
    const { handle } = await seed(ada);
    ok(ada, "close", handle);
    git(ada, "remote", "set-url", "origin", "/nowhere/at/all");
    const before = refs(ada);
    const { code, stdout, stderr } = handoff(ada, ["prune", "--older-than=0", "--force"]);
    expect({ code, stdout }).toEqual({ code: 128, stdout: "" });
    expect(stderr).toMatch(/^fatal: 'origin' is unreachable: .*\n$/);
    expect(refs(ada)).toEqual(before);
  });
});
