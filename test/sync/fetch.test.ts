import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countGit } from "../support/count.js";
import { commit, git, handoff, makeRepo, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";
import { fetch, inHub, makeClone, makeHub, otherRefs, push, refs, view, writerOf } from "./support.js";

async function shared(): Promise<{ hub: string; ada: string; bob: string; ref: string }> {
  const hub = makeHub();
  const [ada, bob] = [makeClone(hub), makeClone(hub)];
  const { ref } = await seed(ada);
  await push(ada);
  return { hub, ada, bob, ref };
}

const tracking = (ref: string, remote = "origin") =>
  `${ref.replace("refs/handoff/", "refs/handoff-remotes/")}/${remote}`;

describe("fetch", () => {
  it("brings what others wrote into the tracking refs and tells what came", async () => {
    const { bob, ref, hub } = await shared();
    const oid = inHub(hub, "rev-parse", ref);
    expect(await fetch(bob)).toEqual({
      remote: "origin",
      refs: [{ ref: tracking(ref), from: null, to: oid, status: "new" }],
    });
    expect(await fetch(bob)).toEqual({ remote: "origin", refs: [] });
  });

  it("many at once, while others write: each ends well", async () => {
    const { ada, bob, ref } = await shared();
    for (let n = 2; n < 6; n++) {
      await seed(ada, { mode: "append", meta: { intent: `${n}`, written: `2026-05-0${n}T10:00:00+00:00` } });
      await push(ada);
      await Promise.all([fetch(bob), fetch(bob), fetch(bob), fetch(bob)]);
      expect(git(bob, "rev-parse", tracking(ref))).toBe(git(ada, "rev-parse", ref));
    }
  });

  it("brings nothing else: no branch, tag, submodule or FETCH_HEAD", async () => {
    const { ada, bob } = await shared();
    commit(ada, { "new.txt": "1" });
    git(ada, "tag", "-a", "v1", "-m", "v1");
    git(ada, "push", "-q", "origin", "main", "v1");
    for (const [key, value] of [
      ["remote.origin.tagOpt", "--tags"],
      ["fetch.prune", "true"],
      ["fetch.pruneTags", "true"],
      ["fetch.writeCommitGraph", "true"],
      ["fetch.recurseSubmodules", "true"],
    ])
      git(bob, "config", String(key), String(value));
    git(bob, "tag", "mine");
    writeFileSync(join(bob, ".git/FETCH_HEAD"), "as it was\n");
    const before = otherRefs(bob);
    await fetch(bob);
    expect(otherRefs(bob)).toEqual(before);
    expect(readFileSync(join(bob, ".git/FETCH_HEAD"), "utf8")).toBe("as it was\n");
    expect(existsSync(join(bob, ".git/objects/info/commit-graphs"))).toBe(false);
  });

  it("from nothing, and with nothing new, it is content", async () => {
    const hub = join(tempDir(), "empty.git");
    git(tempDir(), "init", "-q", "--bare", hub);
    const dir = makeRepo();
    git(dir, "remote", "add", "origin", hub);
    expect(handoff(dir, ["fetch"])).toEqual({ code: 0, stdout: "", stderr: "" });
    await seed(dir);
    const result = handoff(dir, ["sync"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys(refs(hub))).toEqual([`refs/handoff/main/${writerOf(dir)}`]);
  });

  it("a refspec onto refs/handoff/ writes over nothing while we fetch (git-ai#907)", async () => {
    const { hub, bob, ref } = await shared();
    await seed(bob, { meta: { intent: "not pushed yet" } });
    // As a copied directory: the remote has another log of this name.
    inHub(hub, "update-ref", `refs/handoff/main/${writerOf(bob)}`, inHub(hub, "rev-parse", ref));
    git(bob, "config", "--add", "remote.origin.fetch", "+refs/*:refs/*");
    const before = refs(bob, "refs/handoff/");
    const result = handoff(bob, ["fetch"]);
    expect(refs(bob, "refs/handoff/")).toEqual(before);
    expect(result.stderr).toContain(
      "warning: remote.origin.fetch '+refs/*:refs/*' writes onto refs/handoff/",
    );
  });

  it.each([
    ["renamed", (dir: string) => git(dir, "remote", "rename", "origin", "upstream"), "was it renamed?"],
    ["dropped", (dir: string) => git(dir, "remote", "set-branches", "origin", "main"), "no longer has"],
    [
      "doubled",
      (dir: string) =>
        git(dir, "config", "--add", "remote.origin.fetch", "+refs/handoff/*:refs/handoff-remotes/*/origin"),
      "more than once",
    ],
  ])("notices a refspec that was %s", async (_name, change, words) => {
    const { bob } = await shared();
    handoff(bob, ["install"]);
    expect(handoff(bob, ["fetch"]).stderr).toBe("");
    change(bob);
    const result = handoff(bob, ["fetch"]);
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/^warning: .*\n$/);
    expect(result.stderr).toContain(words);
  });

  it("a ref the user keeps out of every fetch stays out", async () => {
    const { hub, ada, bob, ref } = await shared();
    inHub(hub, "update-ref", "refs/handoff/main/bad-111111", inHub(hub, "rev-parse", ref));
    git(bob, "config", "--add", "remote.origin.fetch", "^refs/handoff/main/bad-111111");
    await fetch(bob);
    expect(Object.keys(refs(bob, "refs/handoff-remotes/"))).toEqual([tracking(ref)]);
    await fetch(ada);
    expect(Object.keys(refs(ada, "refs/handoff-remotes/"))).toHaveLength(2);
  });

  it("absence on the remote means nothing but for sent refs (beads#417)", async () => {
    const { hub, ada, bob, ref } = await shared();
    const sent = "refs/handoff/HEAD/eve-222222-abcdef0";
    inHub(hub, "update-ref", sent, inHub(hub, "rev-parse", ref));
    for (const key of ["fetch.prune", "remote.origin.prune"]) git(bob, "config", key, "true");
    await fetch(bob);
    const before = refs(bob, "refs/handoff-remotes/");
    expect(Object.keys(before)).toHaveLength(2);
    inHub(hub, "update-ref", "-d", ref);
    inHub(hub, "update-ref", "-d", sent);
    const { refs: changed } = await fetch(bob);
    expect(changed).toMatchObject([{ ref: tracking(sent), to: null, status: "removed" }]);
    expect(Object.keys(refs(bob, "refs/handoff-remotes/"))).toEqual([tracking(ref)]);
    expect(await view(bob)).toEqual(await view(ada));
  });

  it("plain git fetch, with and without --prune, never touches what was written here (commitlore#417)", async () => {
    const { hub, bob, ref } = await shared();
    await seed(bob, { meta: { intent: "not pushed" } });
    handoff(bob, ["install"]);
    git(bob, "fetch", "-q");
    const own = refs(bob, "refs/handoff/");
    const both = await view(bob);
    expect(both).toHaveLength(2);
    for (const args of [["--prune"], ["--prune", "--all"], ["--prune", "--tags"], ["--prune", "--force"]]) {
      git(bob, "fetch", "-q", ...args);
      expect(refs(bob, "refs/handoff/")).toEqual(own);
      expect(await view(bob)).toEqual(both);
    }
    git(bob, "remote", "prune", "origin");
    inHub(hub, "update-ref", "-d", ref);
    git(bob, "fetch", "-q", "--prune");
    expect(refs(bob, "refs/handoff/")).toEqual(own);
    git(bob, "pull", "-q", "--prune");
    expect(refs(bob, "refs/handoff/")).toEqual(own);
  });

  it("no identity is needed (git-bug#1003), and what plain git fetched is seen at once (git-bug#1326)", async () => {
    const { bob } = await shared();
    const env = { HOME: tempDir(), EMAIL: "" };
    const refspec = "+refs/handoff/*:refs/handoff-remotes/*/origin";
    git(bob, "fetch", "-q", "origin", refspec);
    const plain = handoff(bob, ["read"], { env });
    expect(plain.stdout).toContain("Fix the parser");
    expect(handoff(bob, ["fetch"], { env }).code).toBe(0);
    expect(handoff(bob, ["read"], { env })).toEqual(plain);
  });

  it("uses a number of processes that does not grow with handoffs and writers", async () => {
    const { hub, bob, ref } = await shared();
    const calls = async () => (await countGit(() => fetch(bob))).calls.map(([verb]) => verb);
    const few = await calls();
    const tip = inHub(hub, "rev-parse", ref);
    for (let n = 0; n < 40; n++) inHub(hub, "update-ref", `refs/handoff/b${n}/eve-22222${n % 10}`, tip);
    expect(await calls()).toEqual(few);
    expect(few.filter((verb) => verb === "fetch")).toHaveLength(1);
  });
});

describe("clones that do not hold everything", () => {
  it("partial: git handoff fetch brings the documents, also those that a plain fetch left out", async () => {
    const { hub, bob, ref } = await shared();
    for (const key of ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"])
      inHub(hub, "config", key, "true");
    for (const filter of ["blob:none", "tree:0"]) {
      const [first, later] = [1, 2].map(() => makeClone(`file://${hub}`, `--filter=${filter}`));
      await fetch(String(first));
      git(String(later), "fetch", "-q", "origin", `+refs/handoff/*:refs/handoff-remotes/*/origin`);
      expect((await view(String(later))).join()).toMatch(/not downloaded: git handoff fetch/);
      await fetch(String(later));
      await fetch(bob);
      for (const dir of [String(first), String(later)]) {
        expect(await view(dir)).toEqual(await view(bob));
        expect(git(dir, "config", "remote.origin.partialclonefilter")).toBe(filter);
        const missing = git(dir, "rev-list", "--objects", "--missing=print", tracking(ref));
        expect(missing.split("\n").filter((line) => line.startsWith("?"))).toEqual([]);
      }
    }
  });

  it("partial: asks for everything again only where something is missing", async () => {
    const { hub } = await shared();
    inHub(hub, "config", "uploadpack.allowFilter", "true");
    const dir = makeClone(`file://${hub}`, "--filter=blob:none");
    for (let n = 0; n < 2; n++) {
      const { calls } = await countGit(() => fetch(dir));
      expect(calls.filter(([verb]) => verb === "fetch")).toHaveLength(1);
    }
  });

  it("shallow: stays as shallow as it was, with whole logs", async () => {
    const { hub, ada, ref } = await shared();
    await seed(ada, { mode: "append", meta: { intent: "more", written: "2026-05-02T10:00:00+00:00" } });
    await push(ada);
    commit(ada, { "new.txt": "1" });
    git(ada, "push", "-q", "origin", "main");
    const dir = makeClone(`file://${hub}`, "--depth=1");
    const before = readFileSync(join(dir, ".git/shallow"), "utf8");
    await fetch(dir);
    expect(readFileSync(join(dir, ".git/shallow"), "utf8")).toBe(before);
    expect(git(dir, "rev-list", "--count", tracking(ref))).toBe("2");
  });

  it("bare and mirrored: tracking refs and nothing else", async () => {
    const { hub, ref } = await shared();
    const dir = join(tempDir(), "mirror.git");
    git(tempDir(), "clone", "-q", "--mirror", hub, dir);
    const before = refs(dir);
    inHub(hub, "update-ref", "refs/heads/later", "main");
    appendFileSync(join(dir, "FETCH_HEAD"), "");
    await fetch(dir);
    expect(refs(dir)).toEqual({ ...before, [tracking(ref)]: before[ref] });
  });
});
