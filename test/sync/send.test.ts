// Delivery to every kind of destination, and what of it is touched.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../src/document/parse.js";
import type { Frontmatter } from "../../src/document/types.js";
import { hashObject } from "../../src/git/object.js";
import { commit, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { snapshot } from "../support/tree.js";
import { serve } from "./daemon.js";
import { inHub, makeClone, makeHub, putHook, refs, writerOf } from "./support.js";

const CONTENT = [
  "-m",
  "Rename parse to read",
  "--impact",
  "Callers of parse() break",
  "--next",
  "Rename the calls",
];

interface Sent {
  id: string;
  handle: string;
  ref: string;
  path: string;
  commit: string;
  warnings: string[];
}

function send(origin: string, to: string, ...args: string[]): Sent {
  const result = handoff(origin, ["send", to, ...CONTENT, "--breaking", "--json", ...args]);
  expect(result.stderr).toBe("");
  expect(result.code).toBe(0);
  return JSON.parse(result.stdout);
}

const show = (dir: string, { ref, path }: Sent) => git(dir, "show", `${ref}:${path}`);

/** The frontmatter of what arrived. */
function metaOf(text: string): Frontmatter {
  const { document, warnings } = parseDocument(new TextEncoder().encode(text));
  expect(warnings).toEqual([]);
  if (!document) throw new Error("nothing arrived");
  return document.meta;
}

const metaAt = (dir: string, sent: Sent) => metaOf(show(dir, sent));

/** A repository in use: two branches, a dirty work tree and index, config, hooks, a linked worktree. */
function busyRepo(): string {
  const dir = makeRepo("dest");
  git(dir, "branch", "other");
  git(dir, "worktree", "add", "-q", "-b", "side", "../side");
  git(dir, "config", "gc.auto", "1");
  git(dir, "config", "handoff.note", "mine");
  put(dir, "README.md", "changed\n");
  put(dir, "staged.txt", "staged\n");
  git(dir, "add", "staged.txt");
  put(dir, "untracked.txt", "new\n");
  return dir;
}

/** Every file of a repository but the objects and the refs of handoffs. */
function untouched(dir: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snapshot(dir)).filter(
      ([name, what]) =>
        !/\/objects(\/|$)/.test(name) &&
        !/\/(refs|logs\/refs)\/handoff(\/|$)/.test(name) &&
        !what.startsWith("folder"),
    ),
  );
}

describe("to a path", () => {
  it("leaves everything but the one ref as it was: work tree, index, HEAD, branches, config, hooks", () => {
    const [origin, dest] = [makeRepo("origin"), busyRepo()];
    // git status refreshes the index, so it comes before.
    const status = git(dest, "status", "--porcelain", "--untracked-files=all");
    const before = untouched(dest);
    const { ref } = send(origin, dest);
    const after = untouched(dest);
    expect(after).toEqual(before);
    expect(git(dest, "status", "--porcelain", "--untracked-files=all")).toBe(status);
    expect(Object.keys(refs(dest, "refs/handoff/"))).toEqual([ref]);
    expect(git(dest, "rev-list", "--count", ref)).toBe("1");
    expect(git(dest, "fsck", "--strict")).not.toContain("error");
  });

  it("starts no garbage collection there", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    for (const [key, value] of [
      ["gc.auto", "1"],
      ["maintenance.auto", "true"],
      ["gc.autoDetach", "false"],
      ["maintenance.autoDetach", "false"],
    ])
      git(dest, "config", String(key), String(value));
    // git guesses from the number of loose objects in this one folder.
    for (let n = 0, found = 0; found < 3; n++) {
      const content = Buffer.from(`${n}`);
      if (!hashObject("blob", content, "sha1").startsWith("17")) continue;
      put(dest, "blob", `${n}`);
      git(dest, "hash-object", "-w", "blob");
      found++;
    }
    send(origin, dest);
    const packs = Object.keys(snapshot(join(dest, ".git/objects"))).filter((name) => name.endsWith(".pack"));
    expect(packs).toEqual([]);
  });

  it("leaves the origin as it was, but for its writer id", () => {
    const [origin, dest] = [busyRepo(), makeRepo("dest")];
    send(origin, dest);
    const before = untouched(origin);
    send(origin, dest, "--goal", "another");
    expect(untouched(origin)).toEqual(before);
    expect(refs(origin, "refs/handoff")).toEqual({});
  });

  it.each<[string, (dest: string) => string]>([
    ["a subfolder", (dest) => join(dest, "src")],
    ["the git directory", (dest) => join(dest, ".git")],
    ["a linked worktree", (dest) => join(dest, "../side")],
    ["a subfolder of one", (dest) => join(dest, "../side/src")],
  ])("%s means the repository", (_name, of) => {
    const [origin, dest] = [makeRepo("origin"), busyRepo()];
    const sent = send(origin, of(dest));
    const branch = of(dest).includes("side") ? "side" : "main";
    expect(metaAt(dest, sent)).toMatchObject({
      project: "dest",
      git: `${branch} @ ${git(dest, "rev-parse", branch)}`,
      from: { repo: "origin", project: origin, git: `main @ ${git(origin, "rev-parse", "HEAD")}` },
    });
  });

  it("a relative path is one from where the user is", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const up = `../../../${basename(join(dest, ".."))}/dest`;
    expect(send(join(origin, "src"), up).ref).toMatch(/^refs\/handoff\/HEAD\//);
  });

  it("bare, also where coming upon a bare repository is forbidden", () => {
    const [origin, hub] = [makeRepo("origin"), makeHub()];
    const home = tempDir("home");
    cpSync(join(process.env.HOME ?? "", ".gitconfig"), join(home, ".gitconfig"));
    git(origin, "config", "--file", join(home, ".gitconfig"), "safe.bareRepository", "explicit");
    const args = ["send", hub, ...CONTENT, "--no-breaking", "--json"];
    const result = handoff(origin, args, { env: { HOME: home } });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const sent: Sent = JSON.parse(result.stdout);
    expect(metaOf(inHub(hub, "show", `${sent.ref}:${sent.path}`)).project).toBe("hub");
  });

  it("without a commit yet: git is none", () => {
    const origin = makeRepo("origin");
    const dest = tempDir("dest");
    git(dest, "init", "-q");
    expect(metaAt(dest, send(origin, dest)).git).toBe("none");
  });

  it("from a detached, an unborn and a bare origin", () => {
    const dest = makeRepo("dest");
    const detached = makeRepo("detached");
    git(detached, "checkout", "-q", "--detach");
    expect(metaAt(dest, send(detached, dest)).from?.git).toMatch(/^HEAD @ /);
    const unborn = tempDir("unborn");
    git(unborn, "init", "-q");
    expect(metaAt(dest, send(unborn, dest)).from?.git).toBe("none");
    const hub = makeHub();
    expect(metaAt(dest, send(hub, dest)).from).toMatchObject({ repo: "hub", project: hub });
  });

  it.each([
    ["sha1", "sha256"],
    ["sha256", "sha1"],
  ])("from %s to %s, which goes by way of a repository made for it", (from, to) => {
    const origin = makeRepo("origin", [`--object-format=${from}`]);
    const dest = makeRepo("dest", [`--object-format=${to}`]);
    const sent = send(origin, dest);
    expect(sent.commit).toHaveLength(to === "sha1" ? 40 : 64);
    expect(metaAt(dest, sent).from?.git).toBe(`main @ ${git(origin, "rev-parse", "HEAD")}`);
    const report = JSON.parse(handoff(dest, ["inbox", "--json"]).stdout);
    expect(report.inbox).toMatchObject([{ handle: sent.handle, origin: { ancestry: "ancestor" } }]);
    const hub = join(tempDir(), "hub.git");
    git(origin, "init", "-q", "--bare", `--object-format=${to}`, hub);
    git(origin, "config", "url.file:///.insteadOf", "nowhere:");
    git(origin, "remote", "add", "empty", `nowhere:${hub.slice(1)}`);
    const again = send(origin, "empty");
    expect(again.commit).toHaveLength(to === "sha1" ? 40 : 64);
    expect(refs(hub)).toEqual({ [again.ref]: again.commit });
  });
});

it("under a hook's GIT_DIR the origin's configuration stays as it was (tandem#1957)", () => {
  const [origin, dest] = [busyRepo(), makeRepo("dest", ["--object-format=sha256"])];
  send(origin, dest);
  const before = readFileSync(join(origin, ".git/config"), "utf8");
  const env = {
    GIT_DIR: join(origin, ".git/worktrees/side"),
    GIT_INDEX_FILE: join(origin, ".git/worktrees/side/index"),
    GIT_PREFIX: "",
  };
  for (const to of [dest, makeRepo("plain")]) {
    const result = handoff(join(origin, "../side"), ["send", to, ...CONTENT, "--breaking"], { env });
    expect(result.code).toBe(0);
  }
  expect(readFileSync(join(origin, ".git/config"), "utf8")).toBe(before);
});

it.each(["--depth=1", "--filter=blob:none"])("from a clone with %s", (option) => {
  const [hub, dest] = [makeHub(), makeRepo("dest")];
  inHub(hub, "config", "uploadpack.allowFilter", "true");
  const sent = send(makeClone(`file://${hub}`, option), dest);
  expect(metaAt(dest, sent).from).toMatchObject({ repo: "work" });
  expect(git(dest, "fsck", "--strict")).not.toContain("missing");
});

describe("to a URL, a remote and a name", () => {
  it("file://, git:// and a remote's name: the destination is asked, the path stays at home", async () => {
    const [origin, hub] = [makeRepo("origin"), makeHub()];
    git(origin, "remote", "add", "theirs", `file://${hub}`);
    const url = await serve(hub, { write: true });
    const tip = inHub(hub, "rev-parse", "main");
    for (const to of [`file://${hub}`, url, "theirs"]) {
      const sent = send(origin, to, "--goal", to);
      const text = inHub(hub, "show", `${sent.ref}:${sent.path}`);
      const { git: at, project, repository, from } = metaOf(text);
      expect({ at, project, repository }).toEqual({
        at: `main @ ${tip}`,
        project: "hub",
        repository: to === "theirs" ? `file://${hub}` : to,
      });
      expect(from).toEqual({ repo: "origin", git: `main @ ${git(origin, "rev-parse", "HEAD")}` });
      expect(text).not.toContain(origin);
    }
    expect(Object.keys(refs(hub, "refs/handoff/"))).toHaveLength(3);
  });

  it("a configured name, before a remote of the same name", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    git(origin, "remote", "add", "them", makeHub());
    git(origin, "config", "handoff.repo.them.url", dest);
    git(origin, "config", "handoff.repo.us.url", origin);
    expect(metaAt(dest, send(origin, "them")).from?.repo).toBe("us");
    git(origin, "config", "handoff.repo.near.url", `../../${dest.split("/").slice(-2).join("/")}`);
    expect(send(join(origin, "src"), "near", "--goal", "again").ref).toMatch(/^refs\/handoff\/HEAD\//);
  });

  it("a remote with another push address", () => {
    const [origin, fetched, pushed] = [makeRepo("origin"), makeHub(), makeHub()];
    git(origin, "remote", "add", "two", fetched);
    git(origin, "remote", "set-url", "--push", "two", pushed);
    const { ref } = send(origin, "two");
    expect([Object.keys(refs(fetched, "refs/handoff/")), Object.keys(refs(pushed, "refs/handoff/"))]).toEqual(
      [[], [ref]],
    );
  });

  it("takes no tags along, dies on no setting and runs no hook of the sender", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("a=b")];
    git(origin, "tag", "-a", "v1", "-m", "v1");
    for (const [key, value] of [
      ["push.followTags", "true"],
      ["push.gpgSign", "true"],
      ["push.pushOption", "x"],
      ["push.recurseSubmodules", "check"],
    ])
      git(origin, "config", String(key), String(value));
    putHook(join(origin, ".git"), "pre-push", "exit 1");
    const { ref } = send(origin, dest);
    expect(Object.keys(refs(dest))).toEqual([ref, "refs/heads/main"]);
  });
});

describe("the document", () => {
  it("is for the repository, or for a branch that need not be there", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const sent = send(origin, dest, "--branch", "feat/ünï");
    expect(sent.ref).toBe(`refs/handoff/feat/ünï/${writerOf(origin)}-${sent.handle}`);
    expect(metaAt(dest, sent).task_key).toBe("feat/ünï");
    expect(handoff(origin, ["send", dest, ...CONTENT, "--breaking", "--branch", "a..b"])).toMatchObject({
      code: 129,
    });
  });

  it("carries nothing of the sender's session or dirty files that was not given for it", () => {
    const [origin, dest] = [busyRepo(), makeRepo("target")];
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "secret-session" };
    const args = ["send", dest, ...CONTENT, "--breaking", "--json"];
    const plain = metaAt(dest, JSON.parse(handoff(origin, args, { env }).stdout));
    const nobody = { runtime: "unknown", id: "unknown", context: "unknown" };
    expect(plain).toMatchObject({ harness: "claude-code", session: nobody, links: [] });
    for (const key of ["dirty_files", "work", "observed", "spans"]) expect(plain).not.toHaveProperty(key);
    const given = {
      intent: "with all",
      impact: "some",
      breaking: false,
      session: { runtime: "codex", id: "s-1" },
      links: [{ rel: "related", target: "x://1" }],
      work: [{ store: "jira", project: "P", id: "P-1", association: "given" }],
      observed: { by: "me", at: "now" },
      spans: [{ work: "P-1", source: "log" }],
    };
    const all = handoff(origin, ["send", dest, "--from", "-", "--json"], {
      env,
      input: JSON.stringify(given),
    });
    expect(metaAt(dest, JSON.parse(all.stdout))).toMatchObject({
      session: given.session,
      links: given.links,
      work: given.work,
      observed: given.observed,
      spans: given.spans,
    });
  });

  it("to the own repository has no origin", () => {
    const origin = makeRepo("origin");
    expect(metaAt(origin, send(origin, "."))).not.toHaveProperty("from");
  });

  it("needs --breaking or --no-breaking, an impact and an intent", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const refused = (...args: string[]) => {
      const result = handoff(origin, ["send", dest, ...args]);
      expect(result.code).toBe(129);
      return result.stderr.split("\n")[0];
    };
    expect(refused(...CONTENT)).toMatch(/--breaking or --no-breaking/);
    expect(refused("-m", "x", "--breaking")).toMatch(/impact/);
    expect(refused("--impact", "x", "--breaking")).toMatch(/intent/);
    expect(refused()).toMatch(/nothing to send/);
    expect(handoff(origin, ["send", ...CONTENT, "--breaking"]).code).toBe(129);
    expect(refs(dest, "refs/handoff")).toEqual({});
  });

  it("--dry-run shows it and sends nothing", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const result = handoff(origin, ["send", dest, ...CONTENT, "--breaking", "--dry-run"]);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("\nbreaking: true\n");
    expect(refs(dest, "refs/handoff")).toEqual({});
  });

  it("keeps the origin's path whole, also below the sender's home", () => {
    const home = tempDir("home");
    cpSync(join(process.env.HOME ?? "", ".gitconfig"), join(home, ".gitconfig"));
    const origin = join(home, "origin");
    mkdirSync(origin);
    git(origin, "init", "-q");
    commit(origin, { a: "a" });
    const dest = makeRepo("dest");
    const args = ["send", dest, ...CONTENT, "--breaking", "--json"];
    const sent: Sent = JSON.parse(handoff(origin, args, { env: { HOME: home } }).stdout);
    expect(metaAt(dest, sent).from?.project).toBe(origin);
  });
});

describe("sent twice", () => {
  const YAML = `intent: once\nimpact: some\nbreaking: true\nwritten: "2026-05-01T10:00:00+02:00"\n`;

  it("the same document is up to date, whoever commits in between", () => {
    const [origin, dest] = [makeRepo("origin"), makeRepo("dest")];
    const once = (...args: string[]) =>
      handoff(origin, ["send", dest, "--from", "-", ...args], { input: YAML });
    expect(once().stdout).toMatch(/^Handoff sent: /);
    const before = refs(dest);
    git(origin, "config", "user.email", "other@example.com");
    const again = once();
    expect(again.code).toBe(0);
    // Another author makes another document; the same one again does not.
    expect(Object.keys(refs(dest))).toHaveLength(3);
    git(origin, "config", "--unset", "user.email");
    expect(once().stdout).toMatch(/^Handoff was there already, up to date: /);
    expect(refs(dest)).toMatchObject(before);
    expect(Object.keys(refs(dest))).toHaveLength(3);
    const [ref] = Object.keys(before);
    expect(git(dest, "log", "-1", "--format=%at %ct", String(ref))).toBe(
      [1, 2].map(() => Date.parse("2026-05-01T08:00:00Z") / 1000).join(" "),
    );
  });

  it("one sender, twice in one second, two senders, and one twice at the same moment: each document once", async () => {
    const [ada, bob, dest] = [makeRepo("ada"), makeRepo("bob"), makeRepo("dest")];
    const { spawn } = await import("node:child_process");
    const { program } = await import("../support/repo.js");
    const start = (dir: string, intent: string) =>
      new Promise<string>((resolve) => {
        const input = `intent: ${intent}\nimpact: some\nbreaking: false\nwritten: "2026-05-01T10:00:00+02:00"\n`;
        const child = spawn(process.execPath, [program, "send", dest, "--from", "-", "--json"], { cwd: dir });
        let out = "";
        child.stdout.on("data", (chunk) => {
          out += chunk;
        });
        child.on("close", (code) => resolve(code === 0 ? JSON.parse(out).ref : `failed: ${code}`));
        child.stdin.end(input);
      });
    writeFileSync(join(ada, ".git/keep"), "");
    const sent = await Promise.all([
      start(ada, "one"),
      start(ada, "one"),
      start(ada, "two"),
      start(bob, "one"),
      start(bob, "two"),
    ]);
    expect(sent.filter((ref) => ref.startsWith("failed"))).toEqual([]);
    expect(sent[0]).toBe(sent[1]);
    expect(Object.keys(refs(dest, "refs/handoff/"))).toEqual([...new Set(sent)].sort());
    expect(new Set(sent).size).toBe(4);
    rmSync(join(ada, ".git/keep"));
    expect(readFileSync(join(ada, ".git/config"), "utf8").match(/writer = /g)?.length).toBeGreaterThan(0);
  });
});
