import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fetchHandoffs } from "../../src/sync/fetch.js";
import { countGit } from "../support/count.js";
import { commit, git, handoff, makeRepo, SSH_REFUSED, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";
import {
  closeAll,
  fetch,
  guardForwardOnly,
  inHub,
  makeClone,
  makeHub,
  network,
  open,
  otherRefs,
  push,
  putHook,
  refs,
  switchTo,
  view,
  writerOf,
} from "./support.js";

const DAY = (n: number) => `2026-05-${String(n).padStart(2, "0")}T10:00:00+00:00`;

async function parked(hub = makeHub()): Promise<{ hub: string; dir: string; ref: string }> {
  const dir = makeClone(hub);
  const { ref } = await seed(dir);
  return { hub, dir, ref };
}

describe("push", () => {
  it("sends the current branch's log and the repository's, and says nothing else was there", async () => {
    const { hub, dir, ref } = await parked();
    switchTo(dir, "other");
    await seed(dir, { branch: "other", meta: { intent: "elsewhere" } });
    await seed(dir, { branch: "HEAD", meta: { delivery: "pushed", breaking: false, intent: "to all" } });
    git(dir, "checkout", "-q", "main");
    const pushed = await push(dir);
    const own = writerOf(dir);
    expect(Object.keys(refs(hub, "refs/handoff"))).toEqual([`refs/handoff/HEAD/${own}`, ref]);
    expect(pushed.refs.map(({ status }) => status)).toEqual(["new", "new"]);
    const all = await push(dir, { all: true });
    expect(Object.keys(refs(hub, "refs/handoff"))).toContain(`refs/handoff/other/${own}`);
    expect(all.refs.filter(({ status }) => status === "new")).toHaveLength(1);
  });

  it("a fresh clone's push leaves the others' logs (tak#19)", async () => {
    const { hub, dir, ref } = await parked();
    await push(dir);
    const before = refs(hub, "refs/handoff");
    const other = makeClone(hub);
    await seed(other, { meta: { intent: "mine" } });
    await push(other);
    const after = refs(hub, "refs/handoff");
    expect(after[ref]).toBe(before[ref]);
    expect(Object.keys(after)).toHaveLength(2);
  });

  it("never forces: the remote's own log and hook agree", async () => {
    const { hub, dir, ref } = await parked();
    inHub(hub, "config", "core.logAllRefUpdates", "always");
    const log = join(tempDir(), "log");
    guardForwardOnly(hub, log);
    await push(dir);
    for (let n = 2; n < 5; n++) {
      await seed(dir, { mode: "append", meta: { intent: `step ${n}`, written: DAY(n) } });
      await push(dir);
    }
    await closeAll(dir);
    await push(dir);
    const moves = inHub(hub, "reflog", "show", "--format=%H", ref).split("\n").reverse();
    expect(moves).toHaveLength(5);
    for (const [index, oid] of moves.entries())
      if (index > 0) inHub(hub, "merge-base", "--is-ancestor", moves[index - 1] ?? "", oid);
    expect(readFileSync(log, "utf8").trim().split("\n")).toHaveLength(5);
  });

  it("takes no tags, branches, options or signatures along and runs no hook of the user", async () => {
    const { hub, dir, ref } = await parked();
    git(dir, "tag", "-a", "v1", "-m", "v1");
    commit(dir, { "new.txt": "1" });
    for (const [key, value] of [
      ["push.followTags", "true"],
      ["push.gpgSign", "true"],
      ["push.pushOption", "ci.skip"],
      ["push.recurseSubmodules", "on-demand"],
      ["push.default", "matching"],
      ["remote.origin.push", "+refs/heads/*:refs/heads/*"],
    ])
      git(dir, "config", String(key), String(value));
    putHook(join(dir, ".git"), "pre-push", "exit 1");
    const [here, there] = [otherRefs(dir), otherRefs(hub)];
    const { refs: sent } = await push(dir);
    expect(sent.map(({ ref: name, status }) => [name, status])).toEqual([[ref, "new"]]);
    expect(otherRefs(hub)).toEqual(there);
    expect(otherRefs(dir)).toEqual(here);
  });

  it("a mirror remote takes handoffs and loses nothing", async () => {
    const { hub, dir } = await parked();
    const other = makeClone(hub);
    await seed(other, { meta: { intent: "theirs" } });
    await push(other);
    git(dir, "remote", "add", "--mirror=push", "copy", hub);
    const before = refs(hub);
    const { refs: sent } = await push(dir, { remote: "copy" });
    expect(sent.map(({ status }) => status)).toEqual(["new"]);
    expect(refs(hub)).toMatchObject(before);
    expect(git(dir, "config", "remote.copy.mirror")).toBe("true");
  });

  it("a remote whose name has '=' and '.' is one like others", async () => {
    const { hub, dir } = await parked();
    git(dir, "remote", "add", "--mirror=push", "a=b.c/d", hub);
    expect((await push(dir, { remote: "a=b.c/d" })).refs.map(({ status }) => status)).toEqual(["new"]);
  });

  it("goes where the remote pushes to, which may be elsewhere than it fetches from", async () => {
    const { hub, dir, ref } = await parked();
    const fork = makeHub();
    git(dir, "remote", "set-url", "--push", "origin", fork);
    const { refs: sent } = await push(dir);
    expect(sent).toMatchObject([{ ref, status: "new" }]);
    expect(refs(hub, "refs/handoff")).toEqual({});
    expect(Object.keys(refs(fork, "refs/handoff"))).toEqual([ref]);
    expect((await push(dir)).refs).toMatchObject([{ status: "up-to-date" }]);
  });

  it("several push addresses: what one refuses is not called pushed", async () => {
    const { dir, ref } = await parked();
    const [good, bad] = [makeHub(), makeHub()];
    putHook(bad, "pre-receive", "exit 1");
    for (const url of [good, bad]) git(dir, "remote", "set-url", "--add", "--push", "origin", url);
    const { refs: sent } = await push(dir);
    expect(sent).toMatchObject([{ ref, status: "rejected", reason: "pre-receive hook declined" }]);
    expect(Object.keys(refs(good, "refs/handoff"))).toEqual([ref]);
  });

  it("success is what the remote lists (entire#1871)", async () => {
    const { hub, dir, ref } = await parked();
    putHook(hub, "post-receive", `while read old new ref; do git update-ref -d "$ref"; done`);
    const { refs: sent } = await push(dir);
    expect(sent).toMatchObject([{ ref, status: "rejected", reason: "the remote does not list it" }]);
    expect(handoff(dir, ["push"]).code).toBe(1);
  });

  it("uses a number of processes that does not grow with the handoffs", async () => {
    const { hub, dir } = await parked();
    const count = async () => (await countGit(() => push(dir))).calls.map(([verb]) => verb);
    const few = await count();
    for (let n = 2; n < 9; n++)
      await seed(dir, { mode: "append", meta: { intent: `step ${n}`, written: DAY(n) } });
    for (let n = 0; n < 5; n++) {
      const other = makeClone(hub);
      await seed(other, { meta: { intent: `theirs ${n}` } });
      await push(other);
    }
    await fetch(dir);
    expect(await count()).toEqual(few);
    expect(few.filter((verb) => verb === "push")).toHaveLength(1);
  });

  it("sends many branches in chunks", async () => {
    const { hub, dir, ref } = await parked();
    const oid = git(dir, "rev-parse", ref);
    const own = writerOf(dir);
    const input = Array.from({ length: 230 }, (_, n) => `create refs/handoff/b${n}/${own} ${oid}\n`).join("");
    writeFileSync(join(dir, ".git/in"), input);
    git(dir, "-c", "alias.x=!git update-ref --stdin <.git/in", "x");
    const { calls, result } = await countGit(() => push(dir, { all: true }));
    expect(result.refs).toHaveLength(231);
    expect(result.refs.every(({ status }) => status === "new")).toBe(true);
    expect(calls.filter(([verb]) => verb === "push")).toHaveLength(3);
    expect(Object.keys(refs(hub, "refs/handoff"))).toHaveLength(231);
  });
});

describe("what stands in the way of a push", () => {
  it("nothing to push, and nothing new to push", async () => {
    const dir = makeClone(makeHub());
    expect(handoff(dir, ["push"])).toMatchObject({ code: 0, stdout: "Nothing to push.\n" });
    await seed(dir);
    handoff(dir, ["push"]);
    expect(handoff(dir, ["push"])).toMatchObject({
      code: 0,
      stdout: "Everything up-to-date; nothing to push.\n",
    });
  });

  it("no remote", async () => {
    const result = handoff(makeRepo(), ["push"]);
    expect(result).toMatchObject({ code: 128, stdout: "" });
    expect(result.stderr).toBe("fatal: no remote to push to: add one with git remote add\n");
  });

  it.each([
    ["a folder that is gone", "/nowhere/hub.git", "does not appear to be a git repository"],
    ["nobody listens", "git://127.0.0.1:1/hub.git", "Connection refused"],
    ["ssh is refused", "ssh://git@127.0.0.1:1/hub.git", SSH_REFUSED],
  ])("unreachable: %s", async (_name, url, reason) => {
    const { dir } = await parked();
    git(dir, "remote", "set-url", "origin", url);
    for (const verb of ["push", "fetch", "sync"]) {
      const result = handoff(dir, [verb]);
      expect(result).toMatchObject({ code: 128, stdout: "" });
      expect(result.stderr).toMatch(/^fatal: '.*' is unreachable: .*\n$/);
      expect(result.stderr).toContain(reason);
    }
  });

  it("unreachable: there is no ssh, and that is said", async () => {
    const { dir } = await parked();
    git(dir, "remote", "set-url", "origin", "ssh://git@127.0.0.1/hub.git");
    git(dir, "config", "core.sshCommand", "ssh-that-is-not-there");
    expect(handoff(dir, ["fetch"]).stderr).toMatch(
      /^fatal: 'origin' is unreachable: cannot run ssh-that-is-not-there: .+\n$/,
    );
    git(dir, "config", "--unset", "core.sshCommand");
    const result = handoff(dir, ["fetch"], {
      env: { GIT_SSH: "ssh-that-is-not-there" },
    });
    expect(result.stderr).toMatch(/^fatal: '.*' is unreachable: cannot run ssh-that-is-not-there: .+\n$/);
  });

  it("refused by policy: says so, with the remote's own words, and exits 1", async () => {
    const { hub, dir, ref } = await parked();
    putHook(hub, "pre-receive", `printf 'no handoffs \\033[31mhere\\n' >&2; exit 1`);
    const result = handoff(dir, ["push"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(` ! [remote rejected] ${ref} -> ${ref} (pre-receive hook declined)\n`);
    expect(result.stderr).toBe(
      "remote: no handoffs here\nerror: 1 of 1 refs refused by policy of 'origin': pre-receive hook declined\n",
    );
    const json = JSON.parse(handoff(dir, ["push", "--json"]).stdout);
    expect(json.pushed).toMatchObject([{ ref, status: "rejected", reason: "pre-receive hook declined" }]);
    expect(json.warnings).toEqual(["remote: no handoffs here"]);
  });

  it("one log that is damaged here does not keep the others back", async () => {
    const { hub, dir, ref } = await parked();
    const own = writerOf(dir);
    for (let n = 0; n < 9; n++) git(dir, "update-ref", `refs/handoff/b${n}/${own}`, ref);
    const { ref: bad } = await seed(dir, { branch: "bad", meta: { intent: "to be damaged" } });
    const blob = git(dir, "rev-parse", `${bad}:open`);
    rmSync(join(dir, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    const { refs: sent } = await push(dir, { all: true });
    expect(sent.filter(({ status }) => status === "new")).toHaveLength(10);
    const [left] = sent.filter(({ status }) => status === "rejected");
    expect(left).toMatchObject({ ref: bad, summary: "[not sent]" });
    expect(left?.reason).toMatch(/^damaged here: .*[0-9a-f]{40}/);
    expect(Object.keys(refs(hub, "refs/handoff/"))).toHaveLength(10);
    expect(handoff(dir, ["push", "--all"]).stderr).toMatch(
      /^error: 1 of 11 refs not pushed to 'origin': damaged here/,
    );
  });

  it("a remote that cannot store is not called policy, and asked once", async () => {
    const { hub, dir } = await parked();
    inHub(hub, "config", "receive.maxInputSize", "1");
    const { calls, result } = await countGit(() => push(dir));
    expect(result.refs).toMatchObject([{ status: "rejected", reason: "unpacker error" }]);
    expect(calls.filter(([verb]) => verb === "push")).toHaveLength(1);
    expect(handoff(dir, ["push"]).stderr).toMatch(
      /error: 1 of 1 refs not pushed to 'origin': unpacker error\n$/,
    );
  });

  it("hidden refs are policy too, asked once", async () => {
    const { hub, dir } = await parked();
    inHub(hub, "config", "transfer.hideRefs", "refs/handoff");
    const { calls, result } = await countGit(() => push(dir));
    expect(result.refs).toMatchObject([{ status: "rejected", reason: "deny updating a hidden ref" }]);
    expect(calls.filter(([verb]) => verb === "push")).toHaveLength(1);
  });

  it("300 refs to a refusing remote end with the first chunk (entire#2522)", async () => {
    const { hub, dir, ref } = await parked();
    putHook(hub, "pre-receive", "exit 1");
    const oid = git(dir, "rev-parse", ref);
    const own = writerOf(dir);
    const input = Array.from({ length: 299 }, (_, n) => `create refs/handoff/b${n}/${own} ${oid}\n`).join("");
    writeFileSync(join(dir, ".git/in"), input);
    git(dir, "-c", "alias.x=!git update-ref --stdin <.git/in", "x");
    const { calls, result } = await countGit(() => push(dir, { all: true }));
    expect(result.refs).toHaveLength(300);
    expect(result.refs.every(({ status }) => status === "rejected")).toBe(true);
    expect(calls.filter(([verb]) => verb === "push")).toHaveLength(1);
  });

  it("a remote that never answers ends with the deadline, and so does what it started", async () => {
    const { dir } = await parked();
    const trace = join(tempDir(), "pid");
    const ssh = join(tempDir(), "ssh");
    writeFileSync(ssh, `#!/bin/sh\necho $$ >'${trace}'\nexec sleep 600\n`, { mode: 0o755 });
    git(dir, "remote", "set-url", "origin", "ssh://git@example.invalid/hub.git");
    const env = { ...process.env, GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: "simple" };
    await expect(push(dir, { env, milliseconds: 700 })).rejects.toThrow(
      "'origin' is unreachable: no answer in time",
    );
    const pid = Number(readFileSync(trace, "utf8"));
    expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
  });
});

it("a remote that stops answering in the middle ends with the deadline too, and the next push is right", async () => {
  const { hub, dir, ref } = await parked();
  const trace = join(tempDir(), "pid");
  putHook(hub, "pre-receive", `echo $$ >'${trace}'\nexec sleep 600`);
  await expect(push(dir, { milliseconds: 1500 })).rejects.toThrow(
    "'origin' is unreachable: no answer in time",
  );
  for (let tries = 0; existsSync(`/proc/${readFileSync(trace, "utf8").trim()}/exe`) && tries < 100; tries++)
    await sleep(50);
  expect(existsSync(`/proc/${readFileSync(trace, "utf8").trim()}/exe`)).toBe(false);
  expect(refs(hub, "refs/handoff/")).toEqual({});
  rmSync(join(hub, "hooks/pre-receive"));
  expect((await push(dir)).refs).toMatchObject([{ ref, status: "new" }]);
});

it("a remote that stops answering a fetch ends with the deadline, and nothing has changed", async () => {
  const { dir } = await parked();
  await push(dir);
  const bob = makeClone(git(dir, "config", "remote.origin.url"));
  const stuck = join(tempDir(), "upload-pack");
  // It begins to tell what it has, and goes no further.
  writeFileSync(stuck, `#!/bin/sh\ngit upload-pack "$1" | { head -c 4; exec sleep 600; }\n`, { mode: 0o755 });
  git(bob, "config", "remote.origin.uploadpack", stuck);
  const before = refs(bob);
  const started = fetchHandoffs(await open(bob), "origin", network(1500));
  await expect(started).rejects.toThrow("'origin' is unreachable: no answer in time");
  expect(refs(bob)).toEqual(before);
});

const [, major, minor] = /(\d+)\.(\d+)/.exec(execFileSync("git", ["version"], { encoding: "utf8" })) ?? [];
const REFTABLE = Number(major) * 1000 + Number(minor) >= 2045;

it.each([
  ["sha256", "--object-format=sha256", true],
  ["reftable", "--ref-format=reftable", REFTABLE],
] as const)("%s: push, close, fetch and a copied directory", async (_name, format, able) => {
  if (!able) return;
  const { hub, dir } = await parked(makeHub([format]));
  const bob = makeClone(hub);
  expect((await push(dir)).refs).toMatchObject([{ status: "new" }]);
  await fetch(bob);
  await closeAll(bob);
  await push(bob);
  const copy = join(tempDir("copy"), "work");
  cpSync(dir, copy, { recursive: true });
  for (const [each, intent] of [
    [dir, "here"],
    [copy, "there"],
  ] as const)
    await seed(each, { mode: "append", meta: { intent } });
  expect((await push(dir)).newWriter).toBe(null);
  expect((await push(copy)).newWriter).not.toBe(null);
  for (const each of [dir, bob, copy]) await fetch(each);
  expect(await view(dir)).toHaveLength(3);
  expect(await view(bob)).toEqual(await view(dir));
  expect(await view(copy)).toEqual(await view(dir));
});

it("sync fetches where the branch comes from and pushes where it goes, also when one does not answer", async () => {
  const { hub, dir } = await parked();
  const [fork, bob] = [makeHub(), makeClone(hub)];
  await seed(bob, { meta: { intent: "upstream's" } });
  await push(bob);
  git(dir, "remote", "add", "fork", fork);
  git(dir, "config", "branch.main.pushRemote", "fork");
  const result = handoff(dir, ["sync"]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toMatch(/^From origin\n.*\nTo fork\n/s);
  expect(await view(dir)).toHaveLength(2);
  expect(refs(hub, `refs/handoff/main/${writerOf(dir)}`)).toEqual({});
  await closeAll(dir);
  git(dir, "remote", "set-url", "origin", "/nowhere/hub.git");
  const half = handoff(dir, ["sync"]);
  expect(half.code).toBe(128);
  expect(half.stdout).toMatch(/^To fork\n/);
  expect(half.stderr).toMatch(/^fatal: 'origin' is unreachable: /);
  expect(refs(fork, "refs/handoff/")).toEqual(refs(dir, "refs/handoff/"));
});

it("the user's own configuration by environment counts as before", async () => {
  const { hub, dir, ref } = await parked();
  git(dir, "remote", "add", "--mirror=push", "copy", "short:hub.git");
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${hub.slice(0, -"hub.git".length)}.insteadOf`,
    GIT_CONFIG_VALUE_0: "short:",
  };
  expect((await push(dir, { remote: "copy", env })).refs).toMatchObject([{ ref, status: "new" }]);
});

it("push from a worktree, a subfolder and a shallow clone", async () => {
  const { hub, dir } = await parked();
  git(dir, "worktree", "add", "-q", "../linked");
  const linked = join(dir, "../linked");
  await seed(linked, { branch: "linked", meta: { intent: "from the worktree" } });
  expect(handoff(linked, ["push"]).code).toBe(0);
  expect(handoff(join(dir, "src"), ["push"]).stdout).toContain("refs/handoff/main/");
  const shallow = makeClone(`file://${hub}`, "--depth=1");
  await seed(shallow, { meta: { intent: "from the shallow one" } });
  expect(handoff(shallow, ["sync"]).code).toBe(0);
  await fetch(dir);
  await fetch(shallow);
  expect(await view(shallow)).toEqual(await view(dir));
  expect(git(shallow, "rev-parse", "--is-shallow-repository")).toBe("true");
});
