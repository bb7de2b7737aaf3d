// From delivery to acknowledgement, between repositories and between teammates.
import { describe, expect, it } from "vitest";
import { gitRun, installHook } from "../support/hook.js";
import { commit, git, handoff, makeRepo } from "../support/repo.js";
import { seed } from "../support/seed.js";
import { fetch, inHub, makeClone, makeHub, push, putHook, refs, view, writerOf } from "./support.js";

interface Sent {
  id: string;
  handle: string;
  ref: string;
}

function send(origin: string, to: string, intent: string, ...args: string[]): Sent {
  const breaking = args.some((arg) => arg.endsWith("breaking")) ? [] : ["--no-breaking"];
  const result = handoff(origin, [
    ...["send", to, "-m", intent, "--impact", `Impact of ${intent}`, "--state", "s", "--next", "n"],
    ...["--pointer", "p", "--json", ...breaking, ...args],
  ]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(result.stdout);
}

const inbox = (dir: string, verb = "read") => JSON.parse(handoff(dir, [verb, "--json"]).stdout).inbox;
const handles = (dir: string): string[] => inbox(dir).map(({ handle }: { handle: string }) => handle);
const agent = (dir: string) =>
  handoff(dir, ["session-start", "--agent", "claude-code"], {
    input: JSON.stringify({ cwd: dir, source: "startup", session_id: `${dir}${Math.random()}` }),
  }).stdout;

describe("surfacing", () => {
  it("on every branch and in every surface, until it is acknowledged", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    installHook(dest);
    for (const name of ["one", "two"]) git(dest, "branch", name);
    const quiet = send(origin, dest, "Look at this");
    const loud = send(origin, dest, "Rename parse", "--breaking");
    for (const name of ["one", "two", "main", "one"]) {
      const { code, stderr } = gitRun(dest, ["checkout", name]);
      expect(code).toBe(0);
      const surfaces = [stderr, handoff(dest, []).stdout, handoff(dest, ["inbox"]).stdout, agent(dest)];
      for (const text of surfaces) {
        const order = [
          "Unread handoffs in this repo's inbox: 2  (1 BREAKING)",
          "advisory",
          "only when the item is acknowledged",
          `!! BREAKING  ${loud.handle}`,
          "Impact of Rename parse",
          "Rename parse",
          "ancestor of the origin's main line",
          "ancestor of HEAD",
          `git handoff ack ${loud.handle}`,
          quiet.handle,
          "Impact of Look at this",
          `git handoff ack ${quiet.handle}`,
        ].map((words) => text.indexOf(words));
        expect(order).not.toContain(-1);
        expect([...order].sort((a, b) => a - b)).toEqual(order);
      }
      expect(inbox(dest)).toMatchObject([
        { handle: loud.handle, breaking: true, impact: "Impact of Rename parse" },
        { handle: quiet.handle, breaking: false, from: { repo: "origin", project: origin } },
      ]);
      expect(inbox(dest)).toEqual(inbox(dest, "inbox"));
    }
    git(dest, "checkout", "-q", "--detach");
    expect(handoff(dest, []).stdout).toContain("Unread handoffs in this repo's inbox: 2  (1 BREAKING)");
    expect(agent(dest)).toContain(loud.handle);
    git(dest, "checkout", "-q", "one");
    expect(handoff(dest, ["ack", loud.handle, quiet.handle]).code).toBe(0);
    expect(gitRun(dest, ["checkout", "two"]).stderr).toBe("Switched to branch 'two'\n");
    expect(agent(dest)).toBe("");
    expect(handoff(dest, ["inbox"])).toMatchObject({
      code: 0,
      stdout: "No unread handoffs in this repo's inbox.\n",
    });
  });

  it("for one branch: there alone", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    git(dest, "branch", "side");
    const all = send(origin, dest, "for all");
    const side = send(origin, dest, "for the side", "--branch", "side");
    expect(handles(dest)).toEqual([all.handle]);
    git(dest, "checkout", "-q", "side");
    expect(handles(dest).sort()).toEqual([all.handle, side.handle].sort());
    expect(handoff(dest, ["ack", side.handle]).code).toBe(0);
    expect(handles(dest)).toEqual([all.handle]);
  });

  it("beside a journal handoff: read goes on with that one, always; breaking comes before it", async () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const { handle } = await seed(dest, {
      meta: { written: "2020-01-01T00:00:00+00:00", intent: "The journal's" },
    });
    const quiet = send(origin, dest, "newer by far");
    const loud = send(origin, dest, "newest", "--breaking");
    for (const verb of [[], ["read"], ["resume"]]) {
      const text = handoff(dest, verb).stdout;
      const at = [loud.handle, "Open handoff detected for main", `show ${handle}`, quiet.handle].map(
        (words) => text.indexOf(words),
      );
      expect(at).not.toContain(-1);
      expect([...at].sort((a, b) => a - b)).toEqual(at);
      const report = JSON.parse(handoff(dest, [...verb, "--json"]).stdout);
      expect(report.handoffs.map((each: Sent) => each.handle)).toEqual([handle]);
    }
    expect(handoff(dest, ["close"]).stdout).toContain(handle);
    expect(handles(dest)).toHaveLength(2);
    expect(handoff(dest, ["write", "-m", "next", "--json"]).code).toBe(0);
    expect(handles(dest)).toHaveLength(2);
  });

  it("write --inbox leaves a note in the own repository", () => {
    const dest = makeRepo("dest");
    const args = ["write", "--inbox", "-m", "nightly run", "--impact", "two tests fail"];
    expect(handoff(dest, args)).toMatchObject({ code: 129 });
    git(dest, "checkout", "-q", "--detach");
    const result = handoff(dest, [...args, "--no-breaking", "--json"]);
    expect(result.code).toBe(0);
    const { handle, ref } = JSON.parse(result.stdout);
    expect(ref).toBe(`refs/handoff/HEAD/${writerOf(dest)}`);
    git(dest, "checkout", "-q", "main");
    expect(inbox(dest)).toMatchObject([{ handle, from: null, impact: "two tests fail" }]);
    expect(handoff(dest, []).stdout).toContain("Unread handoffs in this repo's inbox: 1  (0 BREAKING)");
    expect(handoff(dest, ["ack", handle]).code).toBe(0);
    expect(inbox(dest)).toEqual([]);
  });

  it("says why the other repository talks to us", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    git(origin, "config", "handoff.repo.parser.url", origin);
    git(dest, "config", "handoff.repo.parser.relation", "we parse with it");
    send(origin, dest, "Look");
    expect(handoff(dest, []).stdout).toContain("From: parser (we parse with it), Ada Lovelace");
  });
});

describe("the two checks", () => {
  it("are asked where they belong, and not swapped", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    commit(origin, { "o.txt": "o" }, "only in the origin");
    commit(dest, { "d.txt": "d" }, "only in the destination");
    send(origin, dest, "Look");
    const both = () => {
      const [{ origin: from, destination }] = inbox(dest);
      return [from.ancestry, destination.ancestry];
    };
    expect(both()).toEqual(["ancestor", "ancestor"]);
    // What happens in one repository changes the verdict of that one alone.
    git(origin, "reset", "-q", "--hard", "HEAD~");
    commit(origin, { "p.txt": "p" }, "instead");
    expect(both()).toEqual(["diverged", "ancestor"]);
    git(dest, "reset", "-q", "--hard", "HEAD~");
    commit(dest, { "q.txt": "q" }, "instead");
    expect(both()).toEqual(["diverged", "diverged"]);
  });

  it("the origin's commit is never looked up here, where it is a blob or a tree", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    commit(origin, { "o.txt": "o" });
    for (const rev of ["HEAD:README.md", "HEAD^{tree}", "HEAD"]) {
      const oid = git(dest, "rev-parse", rev);
      const input = {
        intent: rev,
        impact: "none",
        breaking: false,
        from: { repo: "far", git: `main @ ${oid}` },
      };
      const result = handoff(origin, ["send", dest, "--from", "-", "--json"], {
        input: JSON.stringify(input),
      });
      expect(result.code).toBe(0);
    }
    expect(inbox(dest).map((each: { origin: unknown }) => each.origin)).toEqual(
      [1, 2, 3].map(() => ({ ancestry: "unchecked", note: "the origin is not on this machine" })),
    );
    expect(
      inbox(dest).map((each: { destination: { ancestry: string } }) => each.destination.ancestry),
    ).toEqual([1, 2, 3].map(() => "ancestor"));
  });

  it("an older branch is no reason for alarm: asked of the branch that it names", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    git(dest, "branch", "old");
    commit(dest, { "new.txt": "n" });
    send(origin, dest, "Look");
    git(dest, "checkout", "-q", "old");
    expect(inbox(dest)).toMatchObject([{ destination: { ancestry: "ancestor" } }]);
  });
});

describe("ack", () => {
  it("several at once are one event; by handle, id and prefix; again is fine", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const [a, b, c] = ["first", "second", "third"].map((intent) => send(origin, dest, intent)) as [
      Sent,
      Sent,
      Sent,
    ];
    const result = handoff(dest, ["ack", a.handle, b.id, "-m", "both done"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const log = git(dest, "log", "--format=%B", `refs/handoff/HEAD/${writerOf(dest)}`);
    expect(log.match(/^Handoff-Event: ack$/gm)).toHaveLength(1);
    expect(log.match(/^Handoff-Id: /gm)).toHaveLength(2);
    expect(log).toContain("Handoff-Reason: both done");
    expect(handles(dest)).toEqual([c.handle]);
    expect(handoff(dest, ["ack", a.handle])).toMatchObject({
      code: 0,
      stdout: `Already acknowledged: ${a.handle} first\n`,
    });
    expect(handoff(dest, ["ack", "--decline", c.id.slice(0, -3), "-m", "not ours"]).stdout).toBe(
      `Declined: ${c.handle} third\n`,
    );
    expect(git(dest, "log", "-1", "--format=%B", `refs/handoff/HEAD/${writerOf(dest)}`)).toMatch(
      /Handoff-Event: decline\n.*Handoff-Reason: not ours/s,
    );
    expect(handles(dest)).toEqual([]);
  });

  it("refuses journal, unknown and ambiguous ones, and then does nothing", async () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const { handle } = await seed(dest);
    const [a, b] = ["first", "second"].map((intent) => send(origin, dest, intent)) as [Sent, Sent];
    const before = refs(dest);
    const refused = (...ids: string[]) => {
      const result = handoff(dest, ["ack", ...ids]);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(refs(dest)).toEqual(before);
      return result.stderr;
    };
    expect(refused(a.handle, handle)).toContain(`is not an inbox handoff: git handoff close ${handle}`);
    expect(refused(a.handle, "fffffff")).toBe("No handoff is named 'fffffff'.\n");
    expect(refused("20")).toContain("ambiguous");
    expect(refused("20")).toContain(a.id);
    expect(refused("20")).toContain(b.id);
    expect(handoff(dest, ["close", a.handle])).toMatchObject({ code: 1 });
    expect(handoff(dest, ["ack"]).code).toBe(129);
  });

  it("by one teammate silences it for all after a sync; unacknowledged it comes back every time", async () => {
    const hub = makeHub();
    const [ada, bob] = [makeClone(hub), makeClone(hub)];
    git(bob, "config", "user.name", "Bob");
    for (const dir of [ada, bob]) installHook(dir);
    for (const dir of [ada, bob]) for (const name of ["one", "two"]) git(dir, "branch", name);
    const [a, b] = ["first", "second"].map((intent) => send(makeRepo("origin"), hub, intent)) as [Sent, Sent];
    for (const dir of [ada, bob]) expect(handoff(dir, ["fetch"]).code).toBe(0);
    for (const dir of [ada, bob])
      for (const name of ["one", "two", "main"]) {
        const shown = gitRun(dir, ["checkout", name]).stderr;
        for (const each of [a, b]) expect(shown).toContain(`git handoff ack ${each.handle}`);
      }
    expect(handoff(bob, ["ack", a.handle]).code).toBe(0);
    expect(handoff(bob, ["sync"]).code).toBe(0);
    expect(handles(bob)).toEqual([b.handle]);
    expect(handles(ada).sort()).toEqual([a.handle, b.handle].sort());
    expect(handoff(ada, ["fetch"]).code).toBe(0);
    expect(handles(ada)).toEqual([b.handle]);
    // What is acknowledged is gone from the remote as a ref, and stays acknowledged for whoever comes.
    expect(Object.keys(refs(hub, "refs/handoff/"))).toEqual(
      [b.ref, `refs/handoff/HEAD/${writerOf(bob)}`].sort(),
    );
    expect(Object.keys(refs(ada, "refs/handoff-remotes/"))).not.toContain(`${a.ref}/origin`);
    const carol = makeClone(hub);
    await fetch(carol);
    expect(await view(carol)).toEqual(await view(ada));
    expect(await view(carol)).toEqual(await view(bob));
    expect(handles(carol)).toEqual([b.handle]);
    // Ada acknowledges too: twice is fine.
    expect(handoff(ada, ["ack", a.handle]).code).toBe(0);
    expect(handoff(ada, ["sync"]).code).toBe(0);
    await fetch(bob);
    expect(handles(bob)).toEqual([b.handle]);
  });
});

describe("a sent ref", () => {
  it("delivered into a teammate's clone is passed on as it is, once, and retired by whoever acknowledges it", async () => {
    const hub = makeHub();
    const [ada, bob] = [makeClone(hub), makeClone(hub)];
    const sent = send(makeRepo("origin"), ada, "Look");
    const oid = git(ada, "rev-parse", sent.ref);
    await push(ada);
    expect(inHub(hub, "rev-parse", sent.ref)).toBe(oid);
    expect((await push(ada)).refs).toMatchObject([{ ref: sent.ref, status: "up-to-date" }]);
    await fetch(bob);
    expect(handles(bob)).toEqual([sent.handle]);
    handoff(bob, ["ack", sent.handle]);
    const { refs: pushed } = await push(bob);
    expect(pushed.map(({ ref, status }) => [ref, status])).toEqual([
      [`refs/handoff/HEAD/${writerOf(bob)}`, "new"],
      [sent.ref, "deleted"],
    ]);
    // Ada's copy does not bring it back.
    await fetch(ada);
    await push(ada);
    expect(Object.keys(refs(hub, "refs/handoff/"))).toEqual([`refs/handoff/HEAD/${writerOf(bob)}`]);
    expect(handles(ada)).toEqual([]);
    expect(git(ada, "rev-parse", sent.ref)).toBe(oid);
    expect(await view(ada)).toEqual(await view(bob));
  });

  it("delivered here and acknowledged here goes with the push that brings the acknowledgement", async () => {
    const hub = makeHub();
    const [ada, bob] = [makeClone(hub), makeClone(hub)];
    const sent = send(makeRepo("origin"), ada, "Look");
    handoff(ada, ["ack", sent.handle]);
    expect(refs(ada, "refs/handoff/")).toHaveProperty(sent.ref);
    await push(ada);
    const own = [`refs/handoff/HEAD/${writerOf(ada)}`];
    expect([Object.keys(refs(ada, "refs/handoff/")), Object.keys(refs(hub, "refs/handoff/"))]).toEqual([
      own,
      own,
    ]);
    await fetch(bob);
    expect(await view(bob)).toEqual([`HEAD acked ${sent.handle}`]);
    expect(await view(ada)).toEqual(await view(bob));
  });

  it("stays until the log that acknowledges it has arrived", async () => {
    const hub = makeHub();
    const ada = makeClone(hub);
    const sent = send(makeRepo("origin"), hub, "Look");
    await fetch(ada);
    handoff(ada, ["ack", sent.handle]);
    putHook(hub, "pre-receive", "exit 1");
    expect((await push(ada)).refs).toMatchObject([{ status: "rejected" }]);
    putHook(hub, "pre-receive", "exit 0");
    expect(refs(hub, "refs/handoff/")).toHaveProperty(sent.ref);
    await push(ada);
    expect(refs(hub, "refs/handoff/")).not.toHaveProperty(sent.ref);
  });

  it("for another branch is passed on with --all", async () => {
    const hub = makeHub();
    const ada = makeClone(hub);
    const sent = send(makeRepo("origin"), ada, "Look", "--branch", "side");
    expect(handoff(ada, ["push"]).stdout).toBe("Nothing to push.\n");
    await push(ada, { all: true });
    expect(refs(hub, "refs/handoff/")).toHaveProperty(sent.ref);
  });

  it("of the same name and another content is not replaced, here or there", async () => {
    const hub = makeHub();
    const ada = makeClone(hub);
    const sent = send(makeRepo("origin"), ada, "Look");
    inHub(hub, "update-ref", sent.ref, inHub(hub, "rev-parse", "main"));
    const before = [refs(hub), refs(ada, "refs/handoff/")];
    expect((await push(ada)).refs).toMatchObject([
      { ref: sent.ref, status: "rejected", reason: "another document has this name there" },
    ]);
    expect([refs(hub), refs(ada, "refs/handoff/")]).toEqual(before);
  });

  it("is looked for on the right remote", async () => {
    const [hub, other] = [makeHub(), makeHub()];
    const ada = makeClone(hub);
    git(ada, "remote", "add", "other", other);
    const sent = send(makeRepo("origin"), other, "Look");
    await fetch(ada, "other");
    handoff(ada, ["ack", sent.handle]);
    await push(ada);
    expect(refs(other, "refs/handoff/")).toHaveProperty(sent.ref);
    await push(ada, { remote: "other" });
    expect(refs(other, "refs/handoff/")).not.toHaveProperty(sent.ref);
  });
});
