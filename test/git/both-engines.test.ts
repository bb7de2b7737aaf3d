import * as fs from "node:fs";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isomorphicEngine } from "../../src/git/engine-isomorphic.js";
import { encodeCommit, hashObject } from "../../src/git/object.js";
import { type ReadObject, RefConflictError, RefUpdateError, type StoragePort } from "../../src/git/port.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { countGit } from "../support/count.js";
import { commit, git, makeRepo, tempDir } from "../support/repo.js";
import { snapshot } from "../support/tree.js";

async function withGit(dir: string): Promise<StoragePort> {
  return (await Repository.open(dir, process.env, execaGit())).port();
}
const withoutGit = (dir: string) => isomorphicEngine({ fs, dir });
const REF = "refs/handoff/main/ada-000000";
const content = (object: ReadObject | undefined) => Buffer.from(object?.content ?? []).toString();

describe("on one repository, both engines", () => {
  it("see each other's refs, loose and packed, and git agrees", async () => {
    const dir = makeRepo();
    const oid = git(dir, "rev-parse", "HEAD");
    const next = commit(dir, { "a.txt": "a" });
    const [one, two] = [await withGit(dir), await withoutGit(dir)];
    const other = "refs/handoff/side/ada-000000";
    await two.updateRefs([{ ref: REF, from: null, to: oid }], "handoff: write");
    await one.updateRefs([{ ref: other, from: null, to: oid }], "handoff: write");
    git(dir, "tag", "-a", "-m", "peeled", "v1");
    git(dir, "pack-refs", "--all", "--prune");
    expect(await two.refs(["refs/handoff/**"])).toEqual(await one.refs(["refs/handoff/**"]));
    await expect(two.updateRefs([{ ref: `${REF}/x`, from: null, to: oid }], "x")).rejects.toThrow(
      RefUpdateError,
    );
    await expect(two.updateRefs([{ ref: "refs/handoff/main", from: null, to: oid }], "x")).rejects.toThrow(
      RefUpdateError,
    );
    await two.updateRefs([{ ref: REF, from: oid, to: next }], "handoff: append");
    expect(git(dir, "rev-parse", REF)).toBe(next);
    await two.updateRefs([{ ref: REF, from: next, to: null }], "gone");
    expect(git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff")).toBe(other);
    expect(git(dir, "rev-parse", "v1^{commit}")).toBe(next);
    await two.updateRefs([{ ref: other, from: oid, to: null }], "gone");
    expect(fs.readdirSync(join(dir, ".git/refs/handoff"))).toEqual([]);
    await one.updateRefs([{ ref: "refs/handoff/side", from: null, to: oid }], "x");
    git(dir, "fsck", "--strict");
  });

  it("write reflogs git can read", async () => {
    const dir = makeRepo();
    const oid = git(dir, "rev-parse", "HEAD");
    for (const [index, port] of [await withGit(dir), await withoutGit(dir)].entries()) {
      const ref = `refs/handoff/main/w${index}`;
      await port.updateRefs([{ ref, from: null, to: oid }], "handoff: write\nand more");
      expect(git(dir, "reflog", "show", "--format=%gs", ref)).toBe("handoff: write and more");
      const when = git(dir, "reflog", "show", "--date=format:%Y", "--format=%gd", ref);
      expect(when).toContain(`@{${new Date().getUTCFullYear()}}`);
      await port.expireReflog?.(ref);
      expect(git(dir, "reflog", "show", ref)).toBe("");
      expect(git(dir, "rev-parse", ref)).toBe(oid);
    }
  });

  it("read what git packed", async () => {
    const dir = makeRepo();
    const texts = Array.from({ length: 30 }, (_, index) => `${"same line\n".repeat(300)}${index}\n`);
    const oids = texts.map((text, index) => {
      commit(dir, { "f.txt": text }, `c${index}`);
      return git(dir, "rev-parse", "HEAD:f.txt");
    });
    git(dir, "gc", "-q");
    expect(fs.readdirSync(join(dir, ".git/objects")).sort()).toEqual(["info", "pack"]);
    const before = snapshot(join(dir, ".git"));
    for (const port of [await withGit(dir), await withoutGit(dir)]) {
      const read = await port.read(oids);
      expect(oids.map((oid) => content(read.get(oid)))).toEqual(texts);
      expect(await port.missing(oids)).toEqual([]);
    }
    expect(snapshot(join(dir, ".git"))).toEqual(before);
  });

  it("race for one ref and lose nothing", async () => {
    const dir = makeRepo();
    const ports = [await withGit(dir), await withoutGit(dir), await withGit(dir), await withoutGit(dir)];
    const tree = git(dir, "rev-parse", "HEAD^{tree}");
    const who = { name: "a", email: "b", time: 1_780_000_000, offset: 0 };
    const steps = 5;
    await Promise.all(
      ports.map(async (port, writer) => {
        for (let step = 0; step < steps; ) {
          const from = (await port.refs([REF]))[0]?.oid ?? null;
          const body = encodeCommit({
            tree,
            parents: from ? [from] : [],
            author: who,
            committer: who,
            message: `${writer}.${step}`,
          });
          const [to = ""] = await port.write([{ type: "commit", content: body }]);
          try {
            await port.updateRefs([{ ref: REF, from, to }], "x");
            step++;
          } catch (error) {
            expect(error).toBeInstanceOf(RefConflictError);
          }
        }
      }),
    );
    expect(git(dir, "rev-list", "--count", REF)).toBe(String(ports.length * steps));
    expect(fs.readdirSync(join(dir, ".git/refs/handoff/main"))).toEqual(["ada-000000"]);
  });

  it("keep the rest of the configuration as it was written", async () => {
    const dir = makeRepo();
    const path = join(dir, ".git/config");
    const odd =
      '\ufeff# head\n[a "b\\"c]"] d = "x;y" ; note\n[handoff]\n\twriter = "ada-1" # why\n  Writer=\\\n  two\n[A.Sub]\n\tk=v\n[handoff]writer = three';
    writeFileSync(path, readFileSync(path, "utf8").replace(/^/, odd.replace(/$/, "\n")));
    const [one, two] = [await withGit(dir), await withoutGit(dir)];
    for (const key of ["handoff.writer", 'a.b"c].d', "a.sub.k", "core.bare"]) {
      expect(await two.localConfig(key), key).toEqual(await one.localConfig(key));
    }
    expect(await two.localConfig("handoff.writer")).toEqual(["ada-1", "two", "three"]);
    await two.setLocalConfig("handoff.writer", 'new "\\ \t#');
    await two.addLocalConfig('handoff.repo.a"b\\c.url', "x");
    expect(await one.localConfig("handoff.writer")).toEqual(['new "\\ \t#']);
    expect(git(dir, "config", "--get", 'handoff.repo.a"b\\c.url')).toBe("x");
    expect(git(dir, "config", 'a.b"c].d')).toBe("x;y");
    expect(git(dir, "config", "a.sub.k")).toBe("v");
    expect(readFileSync(path, "utf8")).toContain("# head");
  });

  it("leave out what is broken and give the rest", async () => {
    const dir = makeRepo();
    for (const port of [await withGit(dir), await withoutGit(dir)]) {
      const long = "x".repeat(5000);
      const oids = await port.write(
        ["first", "cut", "empty", "garbage", "last"].map((text) => ({
          type: "blob",
          content: Buffer.from(text + long),
        })),
      );
      const path = (oid = "") => join(dir, ".git/objects", oid.slice(0, 2), oid.slice(2));
      for (const [index, bytes] of [
        [1, readFileSync(path(oids[1])).subarray(0, 20)],
        [2, ""],
        [3, "garbage"],
      ] as const) {
        fs.chmodSync(path(oids[index]), 0o644);
        writeFileSync(path(oids[index]), bytes);
      }
      const read = await port.read(oids);
      expect([...read.keys()]).toEqual([oids[0], oids[4]]);
      expect(content(read.get(oids[4] ?? ""))).toBe(`last${long}`);
      writeFileSync(join(dir, ".git/refs/handoff-broken"), "garbage\n");
      fs.mkdirSync(join(dir, ".git/refs/handoff/main"), { recursive: true });
      writeFileSync(join(dir, ".git/refs/handoff/main/bad"), "garbage\n");
      const good = { ref: "refs/handoff/main/good", from: null, to: git(dir, "rev-parse", "HEAD") };
      await port.updateRefs([good], "x");
      expect((await port.refs(["refs/handoff/**"])).map(({ name }) => name)).toEqual([good.ref]);
      await port.updateRefs([{ ...good, from: good.to, to: null }], "x");
    }
  });

  it("show no blob that unpacks to more than was asked for", async () => {
    const dir = makeRepo();
    for (const port of [await withGit(dir), await withoutGit(dir)]) {
      const [big = ""] = await port.write([{ type: "blob", content: Buffer.alloc(65 << 20, "a") }]);
      const [small = ""] = await port.write([{ type: "blob", content: Buffer.from("small") }]);
      const read = await port.read([big, small], { maxBytes: 1 << 20 });
      expect(read.get(big)).toMatchObject({ size: 65 << 20, content: null });
      expect(content(read.get(small))).toBe("small");
    }
  });
});

describe("the git engine", () => {
  it("takes one process for each thing asked, whatever the number", async () => {
    const dir = makeRepo();
    const { calls } = await countGit(async () => {
      const port = await withGit(dir);
      const objects = Array.from({ length: 50 }, (_, index) => ({
        type: "blob" as const,
        content: Buffer.from(`blob ${index}`),
      }));
      const oids = await port.write(objects);
      await port.read(oids, { maxBytes: 1000 });
      await port.missing(oids);
      await port.refs(["refs/handoff/main/*", "refs/handoff-remotes/main/*/*"]);
      await port.updateRefs(
        oids.map((to, index) => ({ ref: `refs/handoff/b${index}/w`, from: null, to })),
        "x",
      );
    });
    expect(calls.map(([name]) => name)).toEqual([
      "rev-parse",
      "unpack-objects",
      "cat-file",
      "cat-file",
      "for-each-ref",
      "update-ref",
    ]);
  });

  it("never downloads in a partial clone", async () => {
    const dir = makeRepo();
    git(dir, "config", "uploadpack.allowFilter", "true");
    const clone = join(tempDir(), "partial");
    git("/", "clone", "-q", "--filter=blob:none", "--no-checkout", `file://${dir}`, clone);
    const blob = git(dir, "rev-parse", "HEAD:README.md");
    const before = snapshot(join(clone, ".git"));
    const port = await withGit(clone);
    const head = git(dir, "rev-parse", "HEAD");
    expect([...(await port.read([`${head}:README.md`, blob, head])).keys()]).toEqual([head]);
    expect(await port.missing([blob, head])).toEqual([blob]);
    expect(snapshot(join(clone, ".git"))).toEqual(before);
  });

  it("reads through alternates and honours core.sharedRepository", async () => {
    const dir = makeRepo();
    const clone = join(tempDir(), "shared");
    git("/", "clone", "-q", "--shared", dir, clone);
    git(clone, "config", "core.sharedRepository", "group");
    const port = await withGit(clone);
    const blob = git(dir, "rev-parse", "HEAD:README.md");
    expect((await port.read([blob])).size).toBe(1);
    const [oid = ""] = await port.write([{ type: "blob", content: Buffer.from("for the group") }]);
    expect(fs.statSync(join(clone, ".git/objects", oid.slice(0, 2))).mode & 0o070).toBe(0o070);
  });

  it("shows an object itself, not its replacement", async () => {
    const dir = makeRepo();
    const port = await withGit(dir);
    const [real = "", fake = ""] = await port.write([
      { type: "blob", content: Buffer.from("real") },
      { type: "blob", content: Buffer.from("fake") },
    ]);
    git(dir, "replace", real, fake);
    expect(content((await port.read([real])).get(real))).toBe("real");
    expect(hashObject("blob", Buffer.from("real"), "sha1")).toBe(real);
  });

  it("writes the same commit beneath an outer command's dates and encoding", async () => {
    const dir = makeRepo();
    git(dir, "config", "i18n.commitEncoding", "ISO-8859-1");
    git(dir, "config", "commit.gpgSign", "true");
    const env = {
      ...process.env,
      GIT_AUTHOR_DATE: "2001-01-01T00:00:00Z",
      GIT_COMMITTER_DATE: "2001-01-01T00:00:00Z",
    };
    const port = (await Repository.open(dir, env, execaGit())).port();
    const who = { name: "Zoë", email: "z@example.com", time: 1_780_000_000, offset: 0 };
    const tree = git(dir, "rev-parse", "HEAD^{tree}");
    const body = encodeCommit({ tree, parents: [], author: who, committer: who, message: "ünï" });
    const [to = ""] = await port.write([{ type: "commit", content: body }]);
    await port.updateRefs([{ ref: REF, from: null, to }], "x");
    expect(git(dir, "log", "-1", "--encoding=UTF-8", "--format=%an %at %ct %s", REF)).toBe(
      "Zoë 1780000000 1780000000 ünï",
    );
    expect(git(dir, "reflog", "show", "--date=format:%Y", "--format=%gd", REF)).not.toContain("2001");
  });
});
