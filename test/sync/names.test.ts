// Branch names as git allows them, here and on a remote.
import { describe, expect, it } from "vitest";
import { readBranch } from "../../src/read/flow.js";
import { git, handoff } from "../support/repo.js";
import { seed } from "../support/seed.js";
import {
  closeAll,
  fetch,
  inHub,
  makeClone,
  makeHub,
  open,
  push,
  refs,
  switchTo,
  view,
  writerOf,
} from "./support.js";

const NAMES = [
  "日本語",
  "a;b",
  "a$b",
  "feat/ünï",
  "v1.0",
  "Foo",
  "foo",
  "a%2Fb",
  "🎉",
  "`x`",
  "a&b|c",
  "'q\"",
  "HEADS",
  "head",
];

describe("branch names", () => {
  it("all round-trip through one remote, told apart", async () => {
    const hub = makeHub();
    const [ada, bob] = [makeClone(hub), makeClone(hub)];
    const handles = new Map<string, string>();
    for (const name of NAMES) {
      git(ada, "branch", "-q", name);
      handles.set(name, (await seed(ada, { branch: name, meta: { intent: `on ${name}` } })).handle);
    }
    git(ada, "push", "-q", "origin", "--all");
    expect((await push(ada, { all: true })).refs.map(({ status }) => status)).toEqual(NAMES.map(() => "new"));
    expect(Object.keys(refs(hub, "refs/handoff/")).sort()).toEqual(
      NAMES.map((name) => `refs/handoff/${name}/${writerOf(ada)}`).sort(),
    );
    git(bob, "fetch", "-q");
    await fetch(bob);
    const repository = await open(bob);
    for (const name of NAMES) {
      const report = await readBranch(repository, { branch: name, now: new Date() });
      expect(report).toMatchObject({ branch: name, handoffs: [{ handle: handles.get(name) }], warnings: [] });
      await closeAll(bob, name);
    }
    await push(bob, { all: true });
    await fetch(ada);
    expect(await view(ada)).toEqual([...handles].map(([name, handle]) => `${name} closed ${handle}`).sort());
  });

  it.each(["日本語", "a$b"])("%s, as a user does it", async (name) => {
    const hub = makeHub();
    const [ada, bob] = [makeClone(hub), makeClone(hub)];
    git(ada, "checkout", "-q", "-b", name);
    const written = handoff(ada, ["write", "-m", `go on with ${name}`, "--json"]);
    expect(handoff(ada, ["push"]).stdout).toContain(`-> refs/handoff/${name}/${writerOf(ada)}\n`);
    git(bob, "checkout", "-q", "-b", name);
    expect(handoff(bob, ["sync"]).code).toBe(0);
    expect(handoff(bob, []).stdout).toContain(`git handoff show ${JSON.parse(written.stdout).handle}`);
  });

  it("branch a parked and deleted, then a/b: both fine, locally and on the remote (desktop#5438)", async () => {
    const hub = makeHub();
    const [ada, bob] = [makeClone(hub), makeClone(hub)];
    let time = 0;
    const park = async (branch: string) => {
      switchTo(ada, branch);
      git(ada, "push", "-q", "origin", branch);
      await seed(ada, { branch, mode: "append", meta: { intent: `on ${branch}, time ${++time}` } });
      expect((await push(ada)).refs.map(({ status }) => status)).not.toContain("rejected");
      await fetch(bob);
      git(ada, "checkout", "-q", "main");
    };
    await park("a");
    git(ada, "branch", "-q", "-D", "a");
    git(ada, "push", "-q", "origin", ":a");
    await park("a/b");
    git(ada, "branch", "-q", "-D", "a/b");
    git(ada, "push", "-q", "origin", ":a/b");
    await park("a");
    expect(Object.keys(refs(hub, "refs/handoff/"))).toEqual([
      `refs/handoff/a/${writerOf(ada)}`,
      `refs/handoff/a/b/${writerOf(ada)}`,
    ]);
    expect((await view(bob)).map((line) => line.split(" ")[0])).toEqual(["a", "a", "a/b"]);
    expect(await view(bob)).toEqual(await view(ada));
  });

  it("another tool's refs of all shapes stay out of the way", async () => {
    const hub = makeHub();
    const [ada, bob] = [makeClone(hub), makeClone(hub)];
    const tip = inHub(hub, "rev-parse", "main");
    for (const name of ["seal/1/x", "outgoing/42", "a", "main/notes"])
      inHub(hub, "update-ref", `refs/handoff/${name}`, tip);
    await seed(ada);
    expect((await push(ada)).refs.map(({ status }) => status)).toEqual(["new"]);
    await fetch(bob);
    inHub(hub, "update-ref", "-d", "refs/handoff/a");
    inHub(hub, "update-ref", "refs/handoff/a/ada-111111", tip);
    await fetch(bob);
    await fetch(bob);
    expect((await view(bob)).filter((line) => line.startsWith("main "))).toEqual(await view(ada));
    expect(Object.keys(refs(hub, "refs/handoff/"))).toHaveLength(5);
  });
});
