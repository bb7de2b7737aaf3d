// prune and redact with several clones, remotes and copies: nothing closed comes back, nothing open goes, and a
// secret that was taken out stays out.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { chance, scale } from "./chance.js";
import { expectTidy, expectWhole, run } from "./program.js";

interface Row {
  id: string;
  handle: string;
  state: string;
}

function rows(dir: string): Row[] {
  const answer = handoff(dir, ["list", "--all", "--closed", "--json"]);
  expectTidy(answer, ["list"]);
  return JSON.parse(answer.stdout).handoffs;
}

function live(dir: string): string[] {
  return rows(dir)
    .filter(({ state }) => state === "open" || state === "inbox")
    .map(({ handle }) => handle)
    .sort();
}

function ok(dir: string, ...args: string[]): string {
  const { code, stdout, stderr } = handoff(dir, args);
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

function makeHub(): string {
  const hub = join(tempDir("hub"), "hub.git");
  git(tempDir(), "init", "-q", "--bare", hub);
  const first = makeRepo("first");
  git(first, "push", "-q", hub, "main");
  return hub;
}

function cloneOf(hub: string, name: string, settings: Record<string, string> = {}): string {
  const dir = join(tempDir(name), name);
  git(tempDir(), "clone", "-q", hub, dir);
  git(dir, "config", "user.name", name);
  for (const [key, value] of Object.entries(settings)) git(dir, "config", key, value);
  return dir;
}

/** As a person does it who reads what is said: a log with somebody's redacted document is kept back until it is out. */
function synced(dir: string): void {
  for (let turn = 0; turn < 20; turn++) {
    const { code, stderr } = handoff(dir, ["sync", "--all"]);
    const [, handle] = /which was redacted: run git handoff redact ([0-9a-f]{7})/.exec(stderr) ?? [];
    expect({ code, stderr: handle ? "" : stderr }).toEqual({ code: handle ? 1 : 0, stderr: "" });
    if (handle === undefined) return;
    ok(dir, "redact", handle, "--yes");
  }
  throw new Error("it is kept back for ever");
}

const STEPS = scale(24, 150);

test(`after ${STEPS} writes, closes, prunes, redactions and fetches in any order every clone has the same open ones`, {
  timeout: 1_800_000,
}, async () => {
  const random = chance("upkeep");
  const hub = makeHub();
  const clones = [cloneOf(hub, "ada"), cloneOf(hub, "bob", { "fetch.prune": "true" }), cloneOf(hub, "cy")];
  ok(clones[1] ?? "", "install");
  const written = new Set<string>();
  /** Seen to end in some clone; never live again in a clone of which it was seen. */
  const ended = new Set<string>();
  const notes: string[] = [];
  /** Taken out in some clone: no clone that learned of it shows it again, in whatever state. */
  const redacted = new Set<string>();
  const seen = new Map<string, Set<string>>();
  const hidden = new Map<string, Set<string>>();
  const shown = new Map<string, Set<string>>();
  const had = (dir: string): Set<string> => {
    const all = shown.get(dir) ?? new Set<string>();
    shown.set(dir, all);
    return all;
  };
  const story: string[] = [];
  const look = (dir: string): void => {
    const now = rows(dir);
    const known = seen.get(dir) ?? new Set<string>();
    seen.set(dir, known);
    const gone = hidden.get(dir) ?? new Set<string>();
    hidden.set(dir, gone);
    const there = new Set(now.map(({ handle }) => handle));
    for (const handle of redacted) if (!there.has(handle) && had(dir).has(handle)) gone.add(handle);
    for (const handle of there) {
      had(dir).add(handle);
      expect(gone.has(handle), `${handle} was redacted\n${story.join("\n")}`).toBe(false);
    }
    for (const { handle, state } of now) {
      if (state === "open" || state === "inbox")
        expect(known.has(handle), `${handle} came back\n${story.join("\n")}`).toBe(false);
      else {
        ended.add(handle);
        known.add(handle);
      }
    }
  };
  for (let step = 0; step < STEPS; step++) {
    if (step % 15 === 14)
      clones.push(cloneOf(hub, `late${step}`, random.fraction() < 0.5 ? { "fetch.prune": "true" } : {}));
    const dir = random.pick(clones);
    const args = random.pick<() => string[]>([
      () => ["write", "--append", "-m", `step ${step}`, "--json"],
      () => ["write", "--overwrite", "-m", `step ${step}`, "--json"],
      () => ["write", random.pick(["--append", "--overwrite"]), "-m", `step ${step}`, "--json"],
      () => ["write", "--inbox", "--no-breaking", "--impact", "x", "-m", `step ${step}`, "--json"],
      () => ["send", hub, "--no-breaking", "--impact", "x", "-m", `step ${step}`, "--json"],
      () => ["close"],
      () => ["close"],
      () => ["close"],
      () => ["ack", random.pick(["0000000", ...notes])],
      () => ["ack", random.pick(["0000000", ...notes])],
      () => ["sync"],
      () => ["sync"],
      () => ["sync"],
      () => ["sync", "--all"],
      () => ["push"],
      () => ["fetch"],
      () => ["prune", "--force", "--older-than", "0"],
      () => ["prune", "--force", "--older-than", "0"],
      () => ["redact", random.pick(["0000000", ...written]), "--yes"],
      () => ["redact", random.pick(["0000000", ...written]), "--yes"],
      () => ["git", "fetch", "-q", "--prune"],
      () => ["git", "fetch", "-q", "origin", "+refs/handoff/*:refs/handoff-remotes/*/origin"],
      () => ["git", "gc", "-q"],
    ])();
    story.push(`${clones.indexOf(dir)} ${args.join(" ")}`);
    if (args[0] === "git") git(dir, ...args.slice(1));
    else {
      const answer = await run(dir, args);
      expectTidy(answer, args);
      expect([0, 1], JSON.stringify({ args, ...answer })).toContain(answer.code);
      if (answer.code === 0 && ["write", "send"].includes(args[0] ?? "")) {
        const handle = String(JSON.parse(answer.stdout).id).slice(-7);
        written.add(handle);
        if (args[0] === "send" || args[1] === "--inbox") notes.push(handle);
      }
      if (answer.code === 0 && args[0] === "redact") {
        redacted.add(args[1] ?? "");
        ended.add(args[1] ?? "");
      }
    }
    look(dir);
  }
  for (let turn = 0; turn < 2; turn++) for (const dir of clones) synced(dir);
  for (const dir of clones) look(dir);
  const wanted = [...written].filter((handle) => !ended.has(handle)).sort();
  const fresh = cloneOf(hub, "fresh");
  ok(fresh, "fetch");
  for (const dir of [...clones, fresh]) expect(live(dir), story.join("\n")).toEqual(wanted);
  // Pruned everywhere, and once more.
  for (const dir of clones) ok(dir, "prune", "--force", "--older-than", "0");
  for (const dir of clones) synced(dir);
  const late = cloneOf(hub, "last");
  ok(late, "fetch");
  for (const dir of [...clones, fresh, late]) {
    ok(dir, "fetch");
    expect(live(dir), story.join("\n")).toEqual(wanted);
  }
  expectWhole(hub);
  console.log(
    `upkeep: ${STEPS} steps, ${written.size} documents, ${clones.length + 2} clones, ${redacted.size} redacted, ${wanted.length} open at the end`,
  );
});

describe("a secret that got in", () => {
  const SECRET = "correct-horse-battery";

  /** Everything a repository can reach, as text: objects, names, messages and reflogs. */
  function reachable(dir: string): string {
    const objects = git(dir, "rev-list", "--objects", "--all", "--reflog").split("\n");
    const texts = objects.map((line) => git(dir, "cat-file", "-p", line.split(" ")[0] ?? ""));
    return [...texts, ...objects, git(dir, "for-each-ref"), git(dir, "reflog", "show", "--all")].join("\n");
  }

  /** `intent` is in the id too, and the id in what supersedes it: which no tool can change, and redact names. */
  function scene(intent = `Use ${SECRET} there`) {
    const hub = makeHub();
    const fork = makeHub();
    const ada = cloneOf(hub, "ada");
    git(ada, "remote", "add", "fork", fork);
    const { id } = JSON.parse(ok(ada, "write", "-m", intent, "--state", `It is ${SECRET}.`, "--json"));
    for (const remote of ["origin", "fork"]) ok(ada, "push", remote);
    return { hub, fork, ada, handle: String(id).slice(-7) };
  }

  test("goes from this clone and every remote, and what was written before and after stays", () => {
    const { hub, fork, ada, handle } = scene();
    ok(ada, "close", "-m", `because of ${SECRET}`);
    ok(ada, "write", "-m", "Go on");
    ok(ada, "write", "--append", "-m", "Go further");
    ok(ada, "sync");
    expect(reachable(hub)).toContain(SECRET);
    const said = handoff(ada, ["redact", handle, "--yes"]);
    expect(said).toMatchObject({ code: 0 });
    expect(`${said.stdout}${said.stderr}`).not.toContain(SECRET);
    expect(said.stderr).toMatch(/may still have it/);
    for (const dir of [ada, hub, fork]) expect(reachable(dir)).not.toContain(SECRET);
    expect(live(ada)).toHaveLength(1);
    expect(rows(ada)).toHaveLength(2);
    // From there on as ever, and nowhere by force.
    ok(ada, "close");
    ok(ada, "sync");
    for (const dir of [hub, ada]) expectWhole(dir);
    git(ada, "gc", "-q", "--prune=now");
    expect(reachable(ada)).not.toContain(SECRET);
  });

  test("goes from the reflog too where the program was killed before it came to that", () => {
    const { hub, ada, handle } = scene();
    const shim = tempDir("shim");
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    put(
      shim,
      "git",
      `#!/bin/sh\ncase "$*" in *"reflog expire"*) kill -9 $PPID; exit 1 ;; esac\nexec '${real}' "$@"\n`,
    );
    chmodSync(join(shim, "git"), 0o755);
    const env = { PATH: `${shim}:${process.env.PATH}` };
    expect(handoff(ada, ["redact", handle, "--yes"], { env }).code).toBe(null);
    expect(reachable(ada)).toContain(SECRET);
    ok(ada, "redact", handle, "--yes");
    for (const dir of [ada, hub]) expect(reachable(dir)).not.toContain(SECRET);
  });

  test("is not brought back by a copied directory, which was there before", () => {
    const { hub, ada, handle } = scene("Use the password there");
    const copy = join(tempDir("copy"), "copy");
    cpSync(ada, copy, { recursive: true });
    ok(ada, "redact", handle, "--yes");
    ok(copy, "write", "--overwrite", "-m", "The copy goes on");
    const pushed = handoff(copy, ["push", "origin"]);
    expectTidy(pushed, ["push"]);
    // Fetched or refused: nothing of it reaches the remote, then or later.
    ok(copy, "fetch", "origin");
    ok(copy, "sync", "origin");
    expect(reachable(hub)).not.toContain(SECRET);
    expect(live(copy)).toHaveLength(1);
    ok(ada, "fetch", "origin");
    expect(rows(ada).map(({ handle: each }) => each)).not.toContain(handle);
    expect(live(ada)).toEqual(live(copy));
  });

  test("is not brought back by the copy of another remote, nor by a teammate's sync", () => {
    const { hub, fork, ada, handle } = scene();
    const carol = cloneOf(hub, "carol");
    git(carol, "remote", "add", "fork", fork);
    for (const remote of ["origin", "fork"]) ok(carol, "fetch", remote);
    expect(live(carol)).toEqual([handle]);
    ok(ada, "redact", handle, "--yes");
    // One of her two remotes is asked: what the other brought still holds it.
    ok(carol, "fetch", "origin");
    expect(rows(carol)).toEqual([]);
    ok(carol, "write", "-m", "Carol goes on");
    ok(carol, "sync", "origin");
    ok(carol, "push", "fork");
    for (const dir of [hub, fork]) expect(reachable(dir)).not.toContain(SECRET);
    const dan = cloneOf(hub, "dan");
    ok(dan, "fetch");
    expect(rows(dan)).toHaveLength(1);
  });

  test("is not brought back by a copied directory that takes a new writer id for another branch's sake", () => {
    const { hub, ada, handle } = scene("Use the password there");
    for (const branch of ["side", "later"]) git(ada, "branch", "-q", branch);
    git(ada, "switch", "-q", "side");
    ok(ada, "write", "-m", "On the side");
    ok(ada, "push", "origin");
    const copy = join(tempDir("copy"), "copy");
    cpSync(ada, copy, { recursive: true });
    ok(ada, "redact", handle, "--yes");
    ok(ada, "write", "--append", "-m", "Ada further");
    ok(ada, "push", "origin");
    // Nothing of main is fetched or refused here, and its log is taken over all the same.
    ok(copy, "write", "--append", "-m", "The copy further");
    expect(handoff(copy, ["push", "origin"]).stderr).toContain("this one now writes as");
    ok(copy, "push", "origin", "--all");
    expect(reachable(hub)).not.toContain(SECRET);
    expect(rows(copy).map(({ handle: each }) => each)).not.toContain(handle);
  });

  test("in what a teammate has not pushed yet is kept back, until he takes it out", () => {
    const { hub, ada, handle } = scene();
    const bob = cloneOf(hub, "bob");
    ok(bob, "fetch");
    ok(bob, "close", handle);
    ok(ada, "redact", handle, "--yes");
    const { code, stdout, stderr } = handoff(bob, ["sync"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ ! \[not sent\] +refs\/handoff\/main\/bob-[0-9a-f]{6} /m);
    expect(stderr).toMatch(
      new RegExp(`1 of 1 refs not pushed .*${handle}, which was redacted: .*git handoff redact ${handle}`),
    );
    expect(reachable(hub)).not.toContain(SECRET);
    ok(bob, "write", "-m", "Bob goes on");
    expect(handoff(bob, ["push"]).code).toBe(1);
    ok(bob, "redact", handle, "--yes");
    ok(bob, "sync");
    for (const dir of [bob, hub]) expect(reachable(dir)).not.toContain(SECRET);
    expect(live(bob)).toHaveLength(1);
    // What was pruned is in everybody's history for good, and keeps nobody back.
    ok(bob, "close");
    ok(bob, "prune", "--force", "--older-than", "0");
    ok(bob, "sync");
  });

  test("that a teammate pushed unaware is named by doctor and by another redaction, until he takes it out", () => {
    const { hub, ada, handle } = scene();
    const bob = cloneOf(hub, "bob");
    ok(bob, "fetch");
    ok(bob, "close", handle);
    ok(ada, "redact", handle, "--yes");
    // He has not fetched since, so that his clone cannot know.
    ok(bob, "push");
    ok(ada, "fetch", "origin");
    const copy = /refs\/handoff-remotes\/main\/bob-[0-9a-f]{6}\/origin/;
    expect(handoff(ada, ["doctor"]).stdout).toMatch(
      new RegExp(`still with a document that was redacted: ${copy.source}\n.*git handoff redact ${handle}`),
    );
    expect(handoff(ada, ["redact", handle, "--yes"]).stderr).toMatch(
      new RegExp(`a copy remains in ${copy.source}`),
    );
    ok(bob, "fetch");
    ok(bob, "redact", handle, "--yes");
    expect(reachable(hub)).not.toContain(SECRET);
    ok(ada, "fetch", "origin");
    expect(handoff(ada, ["doctor"]).stdout).not.toContain("redacted");
  });

  test("that was delivered goes with the ref that brought it, here and on the remote", () => {
    const hub = makeHub();
    const [ada, carol] = [cloneOf(hub, "ada"), cloneOf(hub, "carol")];
    const send = ["send", "--no-breaking", "--impact", SECRET, "-m"];
    ok(makeRepo("elsewhere"), ...send, "To the hub", hub);
    ok(makeRepo("elsewhere"), ...send, "To the clone", ada);
    for (const dir of [ada, carol]) ok(dir, "fetch");
    for (const handle of live(ada)) expect(handoff(ada, ["redact", handle, "--yes"]).code).toBe(0);
    ok(carol, "sync");
    for (const dir of [ada, hub, carol]) expect(reachable(dir)).not.toContain(SECRET);
    for (const dir of [ada, carol]) expect(rows(dir)).toEqual([]);
    // Without a remote there is nobody to tell first.
    const alone = makeRepo("alone");
    ok(makeRepo("elsewhere"), ...send, "To one alone", alone);
    ok(alone, "redact", live(alone)[0] ?? "", "--yes");
    expect(reachable(alone)).not.toContain(SECRET);
  });

  test("in the text of what supersedes it is named, as that is another document", () => {
    const { ada, handle } = scene();
    const { id } = JSON.parse(ok(ada, "write", "--append", "-m", "Go on", "--json"));
    expect(handoff(ada, ["redact", handle, "--yes"]).stderr).toContain(`${id} names it in its own text`);
  });

  test("in a teammate's own log it is hidden from all, named as a copy that remains, and leaves the tip at the next write", () => {
    const { hub, ada, handle } = scene();
    const bob = cloneOf(hub, "bob");
    ok(bob, "fetch");
    ok(bob, "close", handle);
    ok(bob, "sync");
    ok(ada, "fetch", "origin");
    const { code, stderr } = handoff(ada, ["redact", handle, "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/a copy remains in refs\/handoff-remotes\/main\/bob-[0-9a-f]{6}\/origin/);
    ok(bob, "fetch");
    const fresh = cloneOf(hub, "fresh");
    ok(fresh, "fetch");
    for (const dir of [ada, bob, fresh]) expect(rows(dir)).toEqual([]);
    ok(bob, "write", "-m", "Bob goes on");
    ok(bob, "push");
    const tip = git(bob, "for-each-ref", "--format=%(refname)", "refs/handoff/main/");
    expect(git(bob, "ls-tree", "-r", "--name-only", tip)).not.toContain("correct-horse");
    // He takes it out of his own history too.
    ok(bob, "redact", handle, "--yes");
    expect(reachable(hub)).not.toContain(SECRET);
  });
});
