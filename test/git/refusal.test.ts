import * as fs from "node:fs";
import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FatalError } from "../../src/errors.js";
import { isomorphicEngine, isomorphicHead } from "../../src/git/engine-isomorphic.js";
import {
  type RefUpdate,
  RefUpdateError,
  type StoragePort,
  UnsupportedRepositoryError,
} from "../../src/git/port.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { git, makeRepo, tempDir } from "../support/repo.js";

async function withGit(dir: string): Promise<StoragePort> {
  return (await Repository.open(dir, process.env, execaGit())).port();
}

describe("the engine without git refuses what it cannot do safely", () => {
  const refused = async (dir: string, why: RegExp) => {
    const error = await isomorphicEngine({ fs, dir }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnsupportedRepositoryError);
    expect(String(error)).toMatch(why);
    expect(String(error)).toContain("use the git engine");
  };

  it("sha256", () => refused(makeRepo("r", ["--object-format=sha256"]), /object format is sha256/));

  it("reftable", async () => {
    const dir = makeRepo();
    git(dir, "config", "extensions.refStorage", "reftable");
    await refused(dir, /refs as reftable/);
  });

  it("a reftable folder nobody declared", async () => {
    const dir = makeRepo();
    fs.mkdirSync(join(dir, ".git/reftable"));
    await refused(dir, /reftable/);
  });

  it("alternates", async () => {
    const dir = join(tempDir(), "shared");
    git("/", "clone", "-q", "--shared", makeRepo(), dir);
    await refused(dir, /borrows objects/);
  });

  it("extensions it does not know, whatever their case", async () => {
    const dir = makeRepo();
    appendFileSync(join(dir, ".git/config"), "[Extensions]\n\tTurboMode = true\n");
    await refused(dir, /extensions\.turbomode/);
  });

  it("a format of the future", async () => {
    const dir = makeRepo();
    git(dir, "config", "core.repositoryFormatVersion", "2");
    await refused(dir, /format version 2/);
  });

  it("repositories shared between accounts", async () => {
    await refused(makeRepo("r", ["--shared=group"]), /sharedRepository/);
    const dir = makeRepo();
    git(dir, "config", "core.sharedRepository", "umask");
    await expect(isomorphicEngine({ fs, dir })).resolves.toBeDefined();
  });

  it("an fs whose exclusive creation is not exclusive", async () => {
    const dir = makeRepo();
    const { open: _open, ...rest } = fs.promises;
    const lax = {
      ...rest,
      writeFile: (path: string, data: string) => fs.promises.writeFile(path, data),
    };
    const port = await isomorphicEngine({ fs: { promises: lax }, dir });
    const update = { ref: "refs/handoff/main/ada-000000", from: null, to: git(dir, "rev-parse", "HEAD") };
    await expect(port.updateRefs([update], "x")).rejects.toThrow(UnsupportedRepositoryError);
    expect(git(dir, "for-each-ref", "refs/handoff")).toBe("");
    await expect(isomorphicEngine({ fs: {}, dir })).rejects.toThrow("this fs has no promises.readFile");
  });

  it("what is no repository", async () => {
    await expect(isomorphicEngine({ fs, dir: tempDir() })).rejects.toThrow(FatalError);
    await expect(isomorphicEngine({ fs, dir: tempDir() })).rejects.toThrow("not a git repository");
    const dir = tempDir();
    writeFileSync(join(dir, ".git"), "nonsense");
    await expect(isomorphicEngine({ fs, dir })).rejects.toThrow("invalid gitfile format");
  });

  it("but serves worktrees, submodules, bare repositories and harmless extensions", async () => {
    const dir = makeRepo();
    git(dir, "config", "core.repositoryFormatVersion", "1");
    git(dir, "config", "extensions.worktreeConfig", "true");
    const linked = join(tempDir(), "linked");
    git(dir, "worktree", "add", "-q", "-b", "side", linked);
    const oid = git(dir, "rev-parse", "HEAD");
    expect(await isomorphicHead({ fs, dir: linked })).toEqual({ branch: "side", oid });
    git(dir, "pack-refs", "--all");
    expect(await isomorphicHead({ fs, dir })).toEqual({ branch: "main", oid });
    git(dir, "checkout", "-q", "--orphan", "new");
    expect(await isomorphicHead({ fs, dir })).toEqual({ branch: "new", oid: null });
    git(dir, "checkout", "-q", "--detach", "main");
    expect(await isomorphicHead({ fs, dir })).toEqual({ branch: null, oid });
    const bare = join(tempDir(), "b.git");
    git("/", "clone", "-q", "--bare", dir, bare);
    const port = await isomorphicEngine({ fs, gitdir: bare });
    expect((await port.read([`${oid}:README.md`])).size).toBe(1);
  });
});

describe.each([
  ["git", withGit],
  ["isomorphic-git", (dir: string) => isomorphicEngine({ fs, dir })],
])("the %s engine says no to an update that is not a race", (_name, open) => {
  const create = (dir: string): RefUpdate => ({
    ref: "refs/handoff/main/ada-000000",
    from: null,
    to: git(dir, "rev-parse", "HEAD"),
  });

  it("when the ref's folder is a file", async () => {
    const dir = makeRepo();
    writeFileSync(join(dir, ".git/refs/handoff"), "");
    await expect((await open(dir)).updateRefs([create(dir)], "x")).rejects.toThrow(RefUpdateError);
  });

  it("when somebody's lock stays", async () => {
    const dir = makeRepo();
    const port = await open(dir);
    // On a handoff ref the git engine takes a lock away that nobody touches (test/reliability/locks.test.ts).
    const held: RefUpdate = { ...create(dir), ref: "refs/heads/held" };
    const lock = join(dir, ".git/refs/heads/held.lock");
    writeFileSync(lock, "");
    const refused = port.updateRefs([held], "x");
    await expect(refused).rejects.toThrow(RefUpdateError);
    await expect(refused).rejects.toThrow("File exists");
    expect(readFileSync(lock, "utf8")).toBe("");
    rmSync(lock);
    await port.updateRefs([held], "x");
  });

  it("waits for a lock that goes away", async () => {
    const dir = makeRepo();
    const port = await open(dir);
    for (const lock of [join(dir, ".git/refs/handoff/main/ada-000000.lock"), join(dir, ".git/config.lock")]) {
      fs.mkdirSync(join(lock, ".."), { recursive: true });
      writeFileSync(lock, "");
      setTimeout(() => rmSync(lock), 400);
    }
    await Promise.all([port.updateRefs([create(dir)], "x"), port.addLocalConfig("handoff.writer", "a")]);
    expect(await port.localConfig("handoff.writer")).toEqual(["a"]);
    expect(await port.refs(["refs/handoff/main/*"])).toHaveLength(1);
  });
});

describe("the git engine and hooks", () => {
  it("reports a veto as one, after asking once", async () => {
    const dir = makeRepo();
    const asked = join(dir, "asked");
    const hook = join(dir, ".git/hooks/reference-transaction");
    writeFileSync(
      hook,
      `#!/bin/sh\necho "$1" >>'${asked}'\necho no handoffs here >&2\n[ "$1" != prepared ]\n`,
    );
    chmodSync(hook, 0o755);
    const port = await withGit(dir);
    const update = { ref: "refs/handoff/main/ada-000000", from: null, to: git(dir, "rev-parse", "HEAD") };
    await expect(port.updateRefs([update], "x")).rejects.toThrow(/hook/);
    expect(await port.refs(["refs/handoff/**"])).toEqual([]);
    expect(readFileSync(asked, "utf8").match(/prepared/g)).toHaveLength(1);
  });

  it("names the ref whose file is in the way where a file system ignores case", async () => {
    const dir = makeRepo();
    const port = await withGit(dir);
    const to = git(dir, "rev-parse", "HEAD");
    await port.updateRefs([{ ref: "refs/handoff/main/ada-000000", from: null, to }], "x");
    const hook = join(dir, ".git/hooks/reference-transaction");
    // What git says there: the ref that it lists is another one, and the file is the same.
    const words = "fatal: prepare: cannot lock ref 'refs/handoff/MAIN/ada-000000': reference already exists";
    writeFileSync(hook, `#!/bin/sh\n[ "$1" = committed ] || echo "${words}" >&2\nexit 1\n`);
    chmodSync(hook, 0o755);
    await expect(
      port.updateRefs([{ ref: "refs/handoff/MAIN/ada-000000", from: null, to }], "x"),
    ).rejects.toThrow(
      "'refs/handoff/MAIN/ada-000000' cannot be made beside 'refs/handoff/main/ada-000000': this file system ignores case",
    );
    await expect(
      port.updateRefs([{ ref: "refs/handoff/else/ada-000000", from: null, to }], "x"),
    ).rejects.toThrow("reference already exists");
  });
});
