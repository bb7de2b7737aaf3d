/** What every engine behind the storage port must do. Run over each of them in contract.test.ts. */
import { expect, it } from "vitest";
import { encodeCommit, encodeTree, hashObject, zeroOid } from "../../src/git/object.js";
import {
  type GitObject,
  type ObjectFormat,
  RefConflictError,
  RefUpdateError,
  type StoragePort,
} from "../../src/git/port.js";

export interface Bench {
  /** A fresh, empty repository. */
  make(): Promise<StoragePort>;
  format: ObjectFormat;
}

const ada = { name: "Ada", email: "ada@example.com", time: 1_780_000_000, offset: 60 };
const text = (content: string): GitObject => ({ type: "blob", content: Buffer.from(content) });
const REF = "refs/handoff/main/ada-3f9a2c";

/** A commit whose tree holds one file, as objects in the order parts before wholes. */
function event(
  format: ObjectFormat,
  content: string,
  parents: string[] = [],
): { objects: GitObject[]; oid: string } {
  const blob = text(content);
  const file = { mode: "100644", name: "a.md", oid: hashObject("blob", blob.content, format) };
  const inner: GitObject = { type: "tree", content: encodeTree([file]) };
  const folder = { mode: "40000", name: "open", oid: hashObject("tree", inner.content, format) };
  const tree: GitObject = { type: "tree", content: encodeTree([folder]) };
  const commit: GitObject = {
    type: "commit",
    content: encodeCommit({
      tree: hashObject("tree", tree.content, format),
      parents,
      author: ada,
      committer: ada,
      message: `write: ${content}`,
    }),
  };
  return { objects: [blob, inner, tree, commit], oid: hashObject("commit", commit.content, format) };
}

async function stored(port: StoragePort, content: string, parents: string[] = []): Promise<string> {
  const { objects, oid } = event(port.objectFormat, content, parents);
  const oids = await port.write(objects);
  expect(oids.at(-1)).toBe(oid);
  return oid;
}

const tip = async (port: StoragePort, ref: string): Promise<string | null> =>
  (await port.refs([ref]))[0]?.oid ?? null;

export function contract({ make, format }: Bench): void {
  it("gives every object git's id and its bytes back", async () => {
    const port = await make();
    expect(port.objectFormat).toBe(format);
    const { objects } = event(format, "héllo\n");
    const empty = text("");
    const binary: GitObject = {
      type: "blob",
      content: Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256),
    };
    const oids = await port.write([...objects, empty, binary, empty]);
    expect(oids).toEqual(
      [...objects, empty, binary, empty].map(({ type, content }) => hashObject(type, content, format)),
    );
    const read = await port.read(oids);
    for (const [index, { type, content }] of [...objects, empty, binary].entries()) {
      const object = read.get(oids[index] ?? "");
      expect(object).toMatchObject({ oid: oids[index], type, size: content.length });
      expect(Buffer.from(object?.content ?? []).equals(content)).toBe(true);
    }
    expect(await port.write([])).toEqual([]);
  });

  it("writes the same objects again without complaint", async () => {
    const port = await make();
    const { objects } = event(format, "twice");
    expect(await port.write(objects)).toEqual(await port.write(objects));
  });

  it("reads by path and by type, and leaves out what is not there", async () => {
    const port = await make();
    const commit = await stored(port, "text");
    const gone = hashObject("blob", Buffer.from("never stored"), format);
    const names = [
      `${commit}:open/a.md`,
      `${commit}^{tree}`,
      `${commit}:open`,
      `${commit}:no/such`,
      gone,
      `${gone}:x`,
    ];
    const read = await port.read(names);
    expect([...read.keys()].sort()).toEqual(names.slice(0, 3).sort());
    expect(Buffer.from(read.get(`${commit}:open/a.md`)?.content ?? []).toString()).toBe("text");
    expect(read.get(`${commit}^{tree}`)?.type).toBe("tree");
    expect(read.get(`${commit}:open`)?.type).toBe("tree");
    expect(await port.missing([commit, gone, commit])).toEqual([gone]);
    expect(await port.missing([])).toEqual([]);
    expect((await port.read([])).size).toBe(0);
  });

  it("keeps the content of what is too large to itself", async () => {
    const port = await make();
    const [small = "", large = ""] = await port.write([text("x".repeat(100)), text("x".repeat(101))]);
    const read = await port.read([small, large], { maxBytes: 100 });
    expect(read.get(small)?.content?.length).toBe(100);
    expect(read.get(large)).toMatchObject({ size: 101, content: null, type: "blob" });
    const commit = await stored(port, "x".repeat(101));
    const within = await port.read([`${commit}:open/a.md`, `${commit}^{tree}`, commit], { maxBytes: 10 });
    expect(within.get(`${commit}:open/a.md`)).toMatchObject({ size: 101, content: null });
    expect(within.get(`${commit}^{tree}`)).toMatchObject({ type: "tree", content: null });
    expect(within.get(commit)).toMatchObject({ type: "commit", content: null });
  });

  it("refuses names that would make it search or ask twice", async () => {
    const port = await make();
    const oid = zeroOid(format);
    for (const name of ["HEAD", oid.slice(1), `${oid}\n${oid}`, `${oid}:a\nb`, ":/x", "-x", `${oid}^{/x}`]) {
      await expect(port.read([name]), name).rejects.toThrow(TypeError);
    }
    await expect(port.missing(["HEAD"])).rejects.toThrow(TypeError);
  });

  it("creates, moves and deletes a ref only from the value it has", async () => {
    const port = await make();
    const one = await stored(port, "one");
    const two = await stored(port, "two", [one]);
    await port.updateRefs([{ ref: REF, from: null, to: one }], "handoff: write");
    expect(await tip(port, REF)).toBe(one);
    const lost = [
      { ref: REF, from: null, to: two },
      { ref: REF, from: two, to: two },
      { ref: REF, from: two, to: null },
      { ref: REF, from: null, to: null },
    ];
    for (const update of lost) {
      await expect(port.updateRefs([update], "x"), JSON.stringify(update)).rejects.toThrow(RefConflictError);
    }
    expect(await tip(port, REF)).toBe(one);
    await port.updateRefs([{ ref: REF, from: one, to: two }], "handoff: append");
    await port.updateRefs([{ ref: REF, from: two, to: two }], "verify");
    expect(await tip(port, REF)).toBe(two);
    await port.updateRefs([{ ref: REF, from: two, to: null }], "delete");
    expect(await tip(port, REF)).toBeNull();
    await expect(port.updateRefs([{ ref: REF, from: two, to: one }], "x")).rejects.toThrow(RefConflictError);
    await port.updateRefs([{ ref: REF, from: null, to: null }], "verify");
    await port.updateRefs([{ ref: REF, from: null, to: one }], "again");
    expect(await tip(port, REF)).toBe(one);
    await port.updateRefs([], "nothing");
  });

  it("says which ref lost", async () => {
    const port = await make();
    const one = await stored(port, "one");
    const other = "refs/handoff/main/bob-000000";
    await port.updateRefs([{ ref: other, from: null, to: one }], "x");
    const updates = [
      { ref: REF, from: null, to: one },
      { ref: other, from: null, to: one },
    ];
    await expect(port.updateRefs(updates, "x")).rejects.toMatchObject({
      name: "RefConflictError",
      ref: other,
    });
  });

  it("moves all refs of one update, or none", async () => {
    const port = await make();
    const one = await stored(port, "one");
    const two = await stored(port, "two", [one]);
    const [a, b, c] = ["refs/handoff/a/w", "refs/handoff/b/w", "refs/handoff/c/w"];
    await port.updateRefs([{ ref: a, from: null, to: one }], "x");
    const half = [
      { ref: a, from: one, to: two },
      { ref: b, from: null, to: two },
      { ref: c, from: two, to: null },
    ];
    await expect(port.updateRefs(half, "x")).rejects.toThrow(RefConflictError);
    expect(await port.refs(["refs/handoff/**"])).toEqual([{ name: a, oid: one }]);
    await port.updateRefs([...half.slice(0, 2), { ref: c, from: null, to: one }], "x");
    expect(await port.refs(["refs/handoff/**"])).toEqual([
      { name: a, oid: two },
      { name: b, oid: two },
      { name: c, oid: one },
    ]);
    const away = [
      { ref: a, from: two, to: null },
      { ref: b, from: two, to: null },
      { ref: c, from: one, to: two },
    ];
    await port.updateRefs(away, "x");
    expect(await port.refs(["refs/handoff/**"])).toEqual([{ name: c, oid: two }]);
  });

  it("lists by pattern, within one component, sorted", async () => {
    const port = await make();
    const oid = await stored(port, "one");
    const names = [
      "refs/handoff/feat/x/ada-1",
      "refs/handoff/feat/ada-1",
      "refs/handoff/feat/ada-1b",
      "refs/handoff/日本語/ada-1",
      "refs/handoff/a;b$c/ada-1",
      "refs/handoff/v1.0/ada-1",
      "refs/handoff-remotes/feat/ada-1/origin",
      "refs/heads/feat",
    ];
    await port.updateRefs(
      names.map((ref) => ({ ref, from: null, to: oid })),
      "x",
    );
    const found = async (...patterns: string[]) => (await port.refs(patterns)).map(({ name }) => name);
    expect(await found("refs/handoff/feat/*")).toEqual([names[1], names[2]]);
    expect(await found("refs/handoff/feat/*", "refs/handoff-remotes/feat/*/*")).toEqual([
      names[6],
      names[1],
      names[2],
    ]);
    expect(await found("refs/handoff/feat/ada-1")).toEqual([names[1]]);
    expect(await found("refs/handoff/feat")).toEqual([]);
    expect(await found("refs/handoff/v1.0/*")).toEqual([names[5]]);
    expect(await found("refs/handoff/v1?0/*")).toEqual([]);
    expect(await found("refs/handoff/日本語/*")).toEqual([names[3]]);
    expect(await found("refs/handoff/**")).toEqual(names.slice(0, 6).sort());
    expect(await found("refs/handoff/", "refs/handoff-remotes/")).toEqual(names.slice(0, 7).sort());
    expect(await found("refs/handoff/feat/")).toEqual([names[1], names[2], names[0]]);
    expect(await found()).toEqual([]);
    expect(await found("refs/none/*")).toEqual([]);
  });

  it("refuses a ref where another is a folder, and says it is no race", async () => {
    const port = await make();
    const oid = await stored(port, "one");
    await port.updateRefs([{ ref: "refs/handoff/a/b", from: null, to: oid }], "x");
    for (const ref of ["refs/handoff/a", "refs/handoff/a/b/c"]) {
      await expect(port.updateRefs([{ ref, from: null, to: oid }], "x"), ref).rejects.toThrow(RefUpdateError);
    }
    const both = [
      { ref: "refs/handoff/n/m", from: null, to: oid },
      { ref: "refs/handoff/n", from: null, to: oid },
    ];
    await expect(port.updateRefs(both, "x")).rejects.toThrow(RefUpdateError);
    expect(await port.refs(["refs/handoff/**"])).toHaveLength(1);
    // Once the one is gone, its folder is no obstacle.
    await port.updateRefs([{ ref: "refs/handoff/a/b", from: oid, to: null }], "x");
    await port.updateRefs([{ ref: "refs/handoff/a", from: null, to: oid }], "x");
    expect(await tip(port, "refs/handoff/a")).toBe(oid);
  });

  it("never points a ref at nothing", async () => {
    const port = await make();
    const gone = hashObject("blob", Buffer.from("never stored"), format);
    await expect(port.updateRefs([{ ref: REF, from: null, to: gone }], "x")).rejects.toThrow(
      RefConflictError,
    );
    expect(await tip(port, REF)).toBeNull();
  });

  it("refuses names that are no refs, and a ref named twice", async () => {
    const port = await make();
    const to = await stored(port, "one");
    for (const ref of [
      "HEAD",
      "refs/../x",
      "refs/handoff/a.lock",
      "refs/handoff/a b",
      "refs/handoff//a",
      "refs/handoff/a\0b",
      "refs/x\n",
      "refs/handoff/.a",
      "refs/",
    ]) {
      await expect(port.updateRefs([{ ref, from: null, to }], "x"), ref).rejects.toThrow(TypeError);
    }
    const twice = { ref: REF, from: null, to };
    await expect(port.updateRefs([twice, twice], "x")).rejects.toThrow(TypeError);
  });

  it("lets exactly one of many writers win each step", async () => {
    const port = await make();
    const writers = 6;
    const steps = 4;
    const root = await stored(port, "root");
    await port.updateRefs([{ ref: REF, from: null, to: root }], "x");
    let races = 0;
    const one = async (writer: number): Promise<void> => {
      for (let step = 0; step < steps; ) {
        const from = await tip(port, REF);
        const to = await stored(port, `${writer}.${step}`, from ? [from] : []);
        try {
          await port.updateRefs([{ ref: REF, from, to }], "x");
          step++;
        } catch (error) {
          expect(error).toBeInstanceOf(RefConflictError);
          races++;
        }
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)));
    let count = 0;
    for (let at: string | undefined = (await tip(port, REF)) ?? undefined; at; count++) {
      const commit = Buffer.from((await port.read([at])).get(at)?.content ?? []).toString();
      at = /^parent (.*)$/m.exec(commit)?.[1];
    }
    expect(count).toBe(writers * steps + 1);
    expect(races).toBeGreaterThan(0);
  });

  it("creates a ref once, whoever tries", async () => {
    const port = await make();
    const oids = await Promise.all(["a", "b", "c", "d"].map((content) => stored(port, content)));
    const results = await Promise.allSettled(
      oids.map((to) => port.updateRefs([{ ref: REF, from: null, to }], "x")),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toBeInstanceOf(RefConflictError);
    }
  });

  it("walks history, as far as there is any", async () => {
    const port = await make();
    const one = await stored(port, "one");
    const two = await stored(port, "two", [one]);
    const gone = hashObject("commit", Buffer.from("never stored"), format);
    const cut = await stored(port, "cut", [gone]);
    const walked = (await port.history?.([two, gone])) ?? [];
    expect(walked.map(({ oid }) => oid).sort()).toEqual([one, two].sort());
    for (const { oid, content } of walked) expect(hashObject("commit", content, format)).toBe(oid);
    // Broken history may end the walk: the rest is for the caller to read.
    expect([[], [cut]]).toContainEqual((await port.history?.([cut]))?.map(({ oid }) => oid));
    expect(await port.history?.([])).toEqual([]);
  });

  it("adds to its own configuration, and all who add at once agree on the first", async () => {
    const port = await make();
    expect(await port.localConfig("handoff.writer")).toEqual([]);
    const values = ["ada-1", 'q"uo\\te # ; x', " space ", "日本", "e", "f"];
    const first = await Promise.all(
      values.map(async (value) => {
        await port.addLocalConfig("handoff.writer", value);
        return (await port.localConfig("handoff.writer"))[0];
      }),
    );
    expect(new Set(first).size).toBe(1);
    expect((await port.localConfig("handoff.writer")).sort()).toEqual([...values].sort());
    await port.setLocalConfig("handoff.writer", "new");
    expect(await port.localConfig("handoff.writer")).toEqual(["new"]);
    await port.setLocalConfig("handoff.writer", "newer", "new");
    expect(await port.localConfig("handoff.writer")).toEqual(["newer"]);
    await port.setLocalConfig("handoff.writer", "late", "new.r");
    expect(await port.localConfig("handoff.writer")).toEqual(["newer", "late"]);
    await port.setLocalConfig("handoff.writer", "new");
    await port.setLocalConfig("handoff.repo.Team/X.url", "a\\b");
    expect(await port.localConfig("Handoff.repo.Team/X.URL")).toEqual(["a\\b"]);
    expect(await port.localConfig("handoff.repo.team/x.url")).toEqual([]);
    expect(await port.localConfig("handoff.writer")).toEqual(["new"]);
  });

  it("always knows who commits", async () => {
    const { author, committer } = await (await make()).identity();
    for (const value of [author.name, author.email, committer.name, committer.email])
      expect(value).not.toBe("");
  });
}
