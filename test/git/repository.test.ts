import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { FatalError } from "../../src/errors.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { countGit } from "../support/count.js";
import { commit, git, makeRepo, put, tempDir } from "../support/repo.js";
import { snapshot } from "../support/tree.js";

const run = execaGit();
const open = (cwd: string, env: Record<string, string | undefined> = {}) =>
  Repository.open(cwd, { ...process.env, ...env }, run);

describe("opening", () => {
  it("finds the top from a subfolder in one process", async () => {
    const dir = makeRepo("proj");
    const { result, calls } = await countGit(() => open(join(dir, "src")));
    expect(calls.map(([name]) => name)).toEqual(["rev-parse"]);
    expect(result.info).toMatchObject({
      gitDir: join(dir, ".git"),
      commonDir: join(dir, ".git"),
      workTree: dir,
      objectFormat: "sha1",
      refFormat: "files",
      shallow: false,
      partial: false,
    });
    expect(result.project()).toBe("proj");
  });

  it("tells a linked worktree from the main one", async () => {
    const dir = makeRepo("proj");
    const linked = join(tempDir(), "elsewhere");
    git(dir, "worktree", "add", "-q", "-b", "side", linked);
    const repository = await open(linked);
    expect(repository.info).toMatchObject({ commonDir: join(dir, ".git"), workTree: linked });
    expect(repository.info.gitDir).toBe(join(dir, ".git/worktrees/elsewhere"));
    expect(repository.project()).toBe("proj");
    expect((await repository.head()).branch).toBe("side");
  });

  it("keeps the GIT_DIR that a hook in a linked worktree has, and what it checks out", async () => {
    const dir = makeRepo("proj");
    const linked = join(tempDir(), "elsewhere");
    git(dir, "worktree", "add", "-q", "-b", "side", linked);
    const hook = { GIT_DIR: join(dir, ".git/worktrees/elsewhere"), GIT_AUTHOR_DATE: "2001-01-01T00:00:00Z" };
    const repository = await open(linked, hook);
    expect(repository.info.workTree).toBe(linked);
    expect((await repository.head()).branch).toBe("side");
    put(linked, "new.txt", "x");
    expect(await repository.status()).toEqual({ dirty: true, files: ["new.txt"] });
    expect(git(dir, "config", "core.bare")).toBe("false");
  });

  it("names a submodule after its folder", async () => {
    const inner = makeRepo("lib");
    const outer = makeRepo("outer");
    git(outer, "submodule", "--quiet", "add", inner, "deps/parser");
    const repository = await open(join(outer, "deps/parser"));
    expect(repository.info.workTree).toBe(join(outer, "deps/parser"));
    expect(repository.info.commonDir).toBe(join(outer, ".git/modules/deps/parser"));
    expect(repository.project()).toBe("parser");
    expect(await repository.repositoryUrl()).toBe(inner);
  });

  it("serves a bare repository, from inside and by --git-dir", async () => {
    const dir = join(tempDir(), "proj.git");
    git(dirname(dir), "clone", "-q", "--bare", makeRepo("proj"), dir);
    for (const repository of [await open(dir), await open("/", { GIT_DIR: dir })]) {
      expect(repository.info).toMatchObject({ gitDir: dir, workTree: null });
      expect(repository.project()).toBe("proj");
      expect((await repository.head()).branch).toBe("main");
      await expect(repository.status()).rejects.toThrow("this operation must be run in a work tree");
    }
    const explicit = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.bareRepository",
      GIT_CONFIG_VALUE_0: "explicit",
    };
    await expect(open(dir, explicit)).rejects.toThrow(/cannot use bare repository '.*proj\.git'/);
    expect((await open("/", { ...explicit, GIT_DIR: dir })).info.gitDir).toBe(dir);
  });

  it("has no work tree inside .git, and never takes .git for one", async () => {
    const dir = makeRepo("proj");
    const repository = await open(join(dir, ".git"));
    expect(repository.info.workTree).toBeNull();
    expect(repository.project()).toBe("proj");
    const { code } = await repository.safe(["ls-files", "--error-unmatch", "--", "HEAD"]);
    expect(code).not.toBe(0);
    const inside = await repository.safe(["rev-parse", "--is-inside-work-tree"]);
    expect(inside.stdout.toString().trim()).toBe("false");
  });

  it("says git's own line outside a repository", async () => {
    const outside = await open(tempDir()).catch((error: unknown) => error);
    expect(outside).toBeInstanceOf(FatalError);
    expect(String(outside)).toContain("not a git repository (or any of the parent directories): .git");
    await expect(open(join(tempDir(), "gone"))).rejects.toThrow(/cannot change to '.*gone'/);
  });

  it("says git's own words, remedy included, where git does not trust the owner", async () => {
    const dir = makeRepo("proj");
    const error = open(dir, { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
    await expect(error).rejects.toThrow(`detected dubious ownership in repository at '${dir}'`);
    await expect(error).rejects.toThrow("git config --global --add safe.directory");
  });

  it("tells shallow and partial clones", async () => {
    const dir = makeRepo("proj");
    commit(dir, { "b.txt": "b" });
    git(dir, "config", "uploadpack.allowFilter", "true");
    const shallow = join(tempDir(), "s");
    git(dir, "clone", "-q", "--depth=1", `file://${dir}`, shallow);
    expect((await open(shallow)).info).toMatchObject({ shallow: true, partial: false });
    const partial = join(tempDir(), "p");
    git(dir, "clone", "-q", "--filter=blob:none", `file://${dir}`, partial);
    expect((await open(partial)).info).toMatchObject({ shallow: false, partial: true });
  });

  it("takes a path with a newline", async () => {
    const dir = join(tempDir(), "a\nb");
    mkdirSync(dir);
    git(dir, "init", "-q");
    const repository = await open(dir);
    expect(repository.info.workTree).toBe(dir);
    expect(repository.info.gitDir).toBe(join(dir, ".git"));
  });
});

describe("head", () => {
  it("is a branch, unborn, or detached", async () => {
    const dir = makeRepo("proj");
    const repository = await open(dir);
    const oid = git(dir, "rev-parse", "HEAD");
    expect(await repository.head()).toEqual({ branch: "main", oid });
    git(dir, "checkout", "-q", "-b", "日本/a;b$c");
    expect(await repository.head()).toEqual({ branch: "日本/a;b$c", oid });
    expect(await repository.branchOid("日本/a;b$c")).toBe(oid);
    expect(await repository.branchOid("nope")).toBeNull();
    expect((await repository.branches()).map(({ name }) => name)).toEqual(["main", "日本/a;b$c"]);
    git(dir, "checkout", "-q", "--detach");
    expect(await repository.head()).toEqual({ branch: null, oid });
    git(dir, "checkout", "-q", "--orphan", "fresh");
    expect(await repository.head()).toEqual({ branch: "fresh", oid: null });
    expect(await repository.resolve("main~0")).toBe(oid);
    expect(await repository.resolve("-x")).toBeNull();
    expect(await repository.resolve("nope")).toBeNull();
  });
});

describe("configuration", () => {
  it("is read once, with scopes, bumpy keys and valueless ones", async () => {
    const dir = makeRepo("proj");
    git(dir, "config", "branch.Feat/A.pushRemote", "fork");
    git(dir, "config", "--add", "handoff.writer", "ada-1");
    git(dir, "config", "--add", "handoff.writer", "two\nlines");
    writeFileSync(join(dir, ".git/config"), "[handoff]\n\tflag\n\tsize = 2k\n\toff = no\n", { flag: "a" });
    const { result: config, calls } = await countGit(async () => {
      const repository = await open(dir, {
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "handoff.surface",
        GIT_CONFIG_VALUE_0: "brief",
      });
      await repository.config();
      return repository.config();
    });
    expect(calls.map(([name]) => name)).toEqual(["rev-parse", "config"]);
    expect(config.get("branch.Feat/A.PUSHREMOTE")).toBe("fork");
    expect(config.get("branch.feat/a.pushremote")).toBeUndefined();
    expect(config.getAll("Handoff.Writer")).toEqual(["ada-1", "two\nlines"]);
    expect(config.getAll("handoff.writer", "global")).toEqual([]);
    expect(config.getBoolean("handoff.flag")).toBe(true);
    expect(config.getBoolean("handoff.off")).toBe(false);
    expect(config.getNumber("handoff.size")).toBe(2048);
    expect(config.getNumber("handoff.surface")).toBeUndefined();
    expect(config.entries.find(({ key }) => key === "handoff.surface")?.scope).toBe("command");
    expect(config.get("user.name", "global")).toBe("Ada Lovelace");
  });

  it("never fails to name who commits", async () => {
    const dir = makeRepo("proj");
    expect(await (await open(dir)).identity()).toEqual({
      author: { name: "Ada Lovelace", email: "ada@example.com" },
      committer: { name: "Ada Lovelace", email: "ada@example.com" },
      fallback: false,
    });
    const env = { GIT_AUTHOR_NAME: "Bob", GIT_AUTHOR_EMAIL: "bob@example.com" };
    expect((await (await open(dir, env)).identity()).author).toEqual({
      name: "Bob",
      email: "bob@example.com",
    });
    const none = { HOME: tempDir(), GIT_CONFIG_GLOBAL: "/dev/null", EMAIL: undefined };
    expect((await (await open(dir, none)).identity()).fallback).toBe(true);
    git(dir, "config", "user.useConfigOnly", "true");
    expect((await (await open(dir, none)).identity()).author).toEqual({
      name: "unknown",
      email: "unknown@localhost",
    });
  });

  it("knows the remotes and shows no password", async () => {
    const dir = makeRepo("proj");
    expect(await (await open(dir)).repositoryUrl()).toBe("unknown");
    git(dir, "config", "remote.nowhere.prune", "true");
    git(dir, "remote", "add", "team/x", "https://ada:s3cret@host.example/a.git?token=abc");
    const one = await open(dir);
    expect(await one.repositoryUrl()).toBe("https://host.example/a.git");
    expect((await one.remotes()).map(({ name }) => name)).toEqual(["team/x"]);
    git(dir, "remote", "add", "upstream", "ssh://git@host.example/b.git");
    expect(await (await open(dir)).repositoryUrl()).toBe("unknown");
    git(dir, "remote", "add", "origin", "git@host.example:c.git");
    expect(await (await open(dir)).repositoryUrl()).toBe("git@host.example:c.git");
  });
});

describe("status", () => {
  it("lists what is not committed, and writes nothing in doing so", async () => {
    const dir = makeRepo("proj");
    const repository = await open(join(dir, "src"));
    expect(await repository.status()).toEqual({ dirty: false, files: [] });
    git(dir, "mv", "README.md", "read me.md");
    put(dir, "src/parser.ts", "changed\n");
    put(dir, "日本.txt", "new\n");
    const before = snapshot(join(dir, ".git"));
    expect(await repository.status()).toEqual({
      dirty: true,
      files: ["README.md", "read me.md", "src/parser.ts", "日本.txt"],
    });
    await repository.head();
    await repository.config();
    await repository.branches();
    await repository.version();
    await repository.port().refs(["refs/heads/*"]);
    await repository.port().read([git(dir, "rev-parse", "HEAD")]);
    await repository.port().localConfig("handoff.writer");
    expect(snapshot(join(dir, ".git"))).toEqual(before);
  });
});

it("asks for the version when it is needed", async () => {
  const repository = await open(makeRepo("proj"));
  const said = git(repository.cwd, "version");
  expect(said).toContain((await repository.version()).slice(0, 2).join("."));
  expect(basename(repository.cwd)).toBe("proj");
});
