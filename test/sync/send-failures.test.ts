// Each way in which a delivery fails: its own words, and a document that is not lost.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, handoff, makeRepo, programForAll, SSH_REFUSED, tempDir } from "../support/repo.js";
import { serve } from "./daemon.js";
import { inHub, makeHub, putHook, refs } from "./support.js";

const CONTENT = ["-m", "Rename parse to read", "--impact", "Callers break", "--breaking"];
const KEPT = /\nThe document is kept; to send it again: git handoff (.*)\n$/;

interface Failure {
  origin: string;
  state: string;
  stderr: string;
  /** The retry command's words, as a shell takes them. */
  again: string[];
}

/** Sends, sees it fail with these words, and finds the document kept. */
function fail(to: string, words: RegExp, origin = makeRepo("origin"), args: string[] = CONTENT): Failure {
  const state = tempDir("state");
  const result = handoff(origin, ["send", to, ...args], { env: { XDG_STATE_HOME: state } });
  expect(result).toMatchObject({ code: 128, stdout: "" });
  const fatal = result.stderr.slice(result.stderr.indexOf("fatal: "));
  expect(fatal.slice("fatal: ".length).split("\n")[0]).toMatch(words);
  const command = KEPT.exec(fatal)?.[1] ?? "";
  const shell = spawnSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" });
  const again = shell.stdout.trim().split("\n");
  expect(readFileSync(String(again.at(-1)), "utf8")).toContain("\nintent: Rename parse to read\n");
  return { origin, state, stderr: fatal, again };
}

function retry({ origin, state, again }: Failure): { ref: string; handle: string } {
  const result = handoff(origin, [...again, "--json"], { env: { XDG_STATE_HOME: state } });
  expect(result.stderr.replaceAll(/^warning: .*\n/gm, "")).toBe("");
  expect(result.code).toBe(0);
  // It has arrived, so nothing is kept any more.
  expect(readdirSync(join(state, "git-handoff/unsent"))).toEqual([]);
  return JSON.parse(result.stdout);
}

describe("the destination cannot be found or asked", () => {
  it("no such folder, no folder, not a repository, nothing of that name", () => {
    const plain = tempDir("plain");
    writeFileSync(join(plain, "file"), "");
    fail(join(plain, "gone"), /^'.*gone' does not exist$/);
    fail(join(plain, "file"), /^'.*file' is no folder$/);
    fail(plain, /^'.*' is not in a git repository$/);
    fail("../gone", /^'\.\.\/gone' is no folder, no URL, no remote and no handoff\.repo\.<name>\.url$/);
  });

  it.each([
    ["git://127.0.0.1:1/x.git", /^'git:\/\/127\.0\.0\.1:1\/x\.git' is unreachable: .*Connection refused/],
    [
      "ssh://git@127.0.0.1:1/x.git",
      new RegExp(`^'ssh://git@127\\.0\\.0\\.1:1/x\\.git' is unreachable: .*${SSH_REFUSED}`),
    ],
    [
      "https://ada:secret@127.0.0.1:1/x.git",
      /^'https:\/\/127\.0\.0\.1:1\/x\.git' is unreachable: unable to access/,
    ],
    [
      "file:///nowhere/x.git",
      /^'file:\/\/\/nowhere\/x\.git' is unreachable: '\/nowhere\/x\.git' does not appear/,
    ],
  ])("%s", (url, words) => {
    expect(fail(url, words).stderr).not.toContain("secret");
  });

  it("kept before the destination was known, sent again it is addressed like any other", () => {
    const dest = join(tempDir("dest"), "dest");
    const failure = fail(dest, /does not exist/);
    git(failure.origin, "init", "-q", dest);
    const { ref } = retry(failure);
    const text = git(dest, "cat-file", "-p", `${git(dest, "rev-parse", `${ref}^{tree}`)}:inbox`);
    const blob = /blob ([0-9a-f]+)/.exec(text)?.[1] ?? "";
    expect(git(dest, "cat-file", "-p", blob)).toMatch(
      new RegExp(`\\nproject: dest\\n.*\\ngit: none\\n.*\\n  project: "?${failure.origin}"?\\n`, "s"),
    );
  });

  it("belongs to somebody else: how to allow it", () => {
    if (process.getuid?.() !== 0) return;
    const [dest, hub] = [makeRepo("dest"), makeHub()];
    for (const path of [dest, join(dest, ".git"), hub]) chownSync(path, 4242, 4242);
    fail(
      dest,
      /^'.*' belongs to another user, so git refuses it \(dubious ownership\); to allow it: git config --global --add safe\.directory '.*'$/,
    );
    fail(`file://${hub}`, /^'file:.*' belongs to another user.*safe\.directory/);
  });
});

describe("the destination refuses", () => {
  it("a hook: by policy, with its words; sent again once it allows", () => {
    const hub = makeHub();
    putHook(hub, "pre-receive", `printf 'ask first \\033[2J\\n' >&2; exit 1`);
    const failure = fail(hub, /^'.*' refused the handoff by policy: pre-receive hook declined$/);
    // Newer gits show the escape instead of passing it on.
    expect(failure.stderr).toMatch(/\nremote: ask first( \^\[\[2J)?\n/);
    expect(refs(hub, "refs/handoff")).toEqual({});
    putHook(hub, "pre-receive", "exit 0");
    const { ref } = retry(failure);
    expect(Object.keys(refs(hub, "refs/handoff/"))).toEqual([ref]);
  });

  it("a hook that ends every update", () => {
    const hub = makeHub();
    putHook(hub, "reference-transaction", "exit 1");
    fail(hub, /^'.*' refused by policy: .*aborted by .*hook/);
  });

  it("hidden refs", () => {
    const hub = makeHub();
    inHub(hub, "config", "receive.hideRefs", "refs/handoff");
    fail(hub, /^'.*' hides refs\/handoff\/ and takes no handoffs \(deny updating a hidden ref\)$/);
  });

  it("a server that only lends", async () => {
    const url = await serve(makeHub(), { write: false });
    fail(url, /^no write access to 'git:.*': .*(service not enabled|access denied)/);
  });

  it("no write access to a folder", () => {
    const root = process.getuid?.() === 0;
    const [origin, hub, home] = [makeRepo("origin"), makeHub(), tempDir("home")];
    for (const dir of [join(hub, "objects"), hub]) chmodSync(dir, 0o555);
    writeFileSync(join(home, ".gitconfig"), "[safe]\n\tdirectory = *\n[user]\n\tname = A\n\temail = a@b\n");
    // Root may write everywhere: the sender is somebody else, who owns the origin alone.
    const uid = 4242;
    if (root) {
      for (const dir of [home, join(hub, ".."), join(origin, "..")]) chmodSync(dir, 0o755);
      spawnSync("chown", ["-R", String(uid), origin, home]);
    }
    const result = spawnSync(process.execPath, [programForAll(), "send", hub, ...CONTENT], {
      cwd: origin,
      encoding: "utf8",
      env: { ...process.env, HOME: home, XDG_STATE_HOME: home },
      ...(root ? { uid } : {}),
    });
    for (const dir of [hub, join(hub, "objects")]) chmodSync(dir, 0o755);
    expect(result.stderr).toMatch(
      /\nfatal: no write access to '.*': .*unable to create temporary object directory/,
    );
    expect(result.stderr).toMatch(KEPT);
    expect(result.status).toBe(128);
  });

  it("fails in the middle and has it all the same: sent again it is up to date", () => {
    const [origin, dest] = [makeRepo("origin"), makeHub()];
    // The ref is there, and the answer is lost: the server dies after the update.
    putHook(dest, "reference-transaction", `[ "$1" != committed ] || kill -9 $PPID`);
    const state = tempDir("state");
    const env = { XDG_STATE_HOME: state };
    const result = handoff(origin, ["send", dest, ...CONTENT], { env });
    expect(result.code).toBe(128);
    const before = refs(dest, "refs/handoff/");
    expect(Object.keys(before)).toHaveLength(1);
    const again = KEPT.exec(result.stderr)?.[1]?.split(" ") ?? [];
    const second = handoff(origin, again, { env });
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toMatch(/up to date/);
    expect(refs(dest, "refs/handoff/")).toEqual(before);
  });
});

describe("what is kept", () => {
  it("the command works as it stands: a branch, spaces, quotes and a relative path", () => {
    const home = tempDir("it's");
    const dest = join(home, "a b;c");
    mkdirSync(dest);
    const origin = makeRepo("origin");
    const failure = fail(dest, /not in a git repository/, origin, [...CONTENT, "--branch", "feat/$x"]);
    git(dest, "init", "-q");
    expect(retry(failure).ref).toMatch(/^refs\/handoff\/feat\/\$x\//);
  });

  it("an edited one is a new document, with its new words", () => {
    const hub = makeHub();
    putHook(hub, "pre-receive", "exit 1");
    const failure = fail(hub, /policy/);
    const path = String(failure.again.at(-1));
    writeFileSync(path, readFileSync(path, "utf8").replace("Callers break", "Nothing breaks"));
    putHook(hub, "pre-receive", "exit 0");
    const { handle } = retry(failure);
    expect(path).not.toContain(handle);
  });

  it("from stdin; and where nothing can be kept it is printed", () => {
    const [origin, hub] = [makeRepo("origin"), makeHub()];
    putHook(hub, "pre-receive", "exit 1");
    const file = join(tempDir(), "file");
    writeFileSync(file, "");
    const input = "intent: from a pipe\nimpact: some\nbreaking: false\n";
    const result = handoff(origin, ["send", hub, "--from", "-"], {
      input,
      env: { XDG_STATE_HOME: file },
    });
    expect(result.code).toBe(128);
    expect(result.stderr).toMatch(/\nThe document is printed above\.\n$/);
    expect(result.stdout).toContain("\nintent: from a pipe\n");
  });

  it("a destination that hangs ends with the deadline", { timeout: 60_000 }, async () => {
    const { findDestination } = await import("../../src/sync/destination.js");
    const { open } = await import("./support.js");
    const origin = makeRepo("origin");
    const ssh = join(tempDir(), "ssh");
    writeFileSync(ssh, "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
    const env = { ...process.env, GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: "simple" };
    const network = { deadline: Date.now() + 500, terminal: false };
    await expect(findDestination(await open(origin, env), "ssh://h.invalid/x", network)).rejects.toThrow(
      "'ssh://h.invalid/x' is unreachable: no answer in time",
    );
  });
});
