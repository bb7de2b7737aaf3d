import { describe, expect, test } from "vitest";
import { encodeTree } from "../../src/git/object.js";
import { closeItems, recordImport, recordWrite } from "../../src/store/events.js";
import { readAllViews, readLive, readView, readViews } from "../../src/store/join.js";
import { refPatterns } from "../../src/store/names.js";
import { newDocument } from "../support/document.js";
import { fetchInto, MemoryPort } from "../support/memory-port.js";
import { git } from "../support/repo.js";
import { commitOf, file, forge, point } from "./forge.js";
import { emptyRepo, gitPort, PORTS, store } from "./ports.js";

const REF = "refs/handoff/main/eve-000000";

describe.each(PORTS)("on %s", (_name, make) => {
  test("the furthest folder wins, whichever log has it", async () => {
    const port = await make();
    const [one, two, three] = ["one", "two", "three"].map((intent) => file(port, intent));
    if (!one || !two || !three) throw new Error("no files");
    await point(port, "refs/handoff/main/ann-000001", await forge(port, { open: [one, two, three] }));
    await point(
      port,
      "refs/handoff-remotes/main/bob-000002/origin",
      await forge(port, { closed: [one], moved: [two, one] }),
    );
    const { items } = await readView(port, "main");
    expect(items.map(({ state, id }) => `${state} ${id}.md`).sort()).toEqual([
      `closed ${one[0]}`,
      `open ${three[0]}`,
    ]);
    expect((await readLive(port, "main")).items.map(({ id }) => `${id}.md`)).toEqual([three[0]]);
  });

  test("delivery decides between journal and inbox where folders disagree", async () => {
    const port = await make();
    const pushed = file(port, "note", { delivery: "pushed", breaking: false });
    const pulled = file(port, "work");
    await point(port, "refs/handoff/main/ann-000001", await forge(port, { open: [pushed], acked: [pulled] }));
    const { items } = await readView(port, "main");
    expect(items.map(({ state, document }) => `${state} ${document?.meta.intent}`).sort()).toEqual([
      "closed work",
      "inbox note",
    ]);
  });

  test("a newer format is said so and the rest still works; nobody writes on top of it", async () => {
    const port = await make();
    await point(port, REF, await forge(port, {}, "2\n"));
    const written = await recordWrite(port, { branch: "main", mode: "write", document: newDocument("mine") });
    const view = await readView(port, "main");
    expect(view.items.map(({ id }) => id)).toEqual([written.id]);
    expect(view.warnings).toEqual([`${REF}: written by a newer git-handoff`]);
    const newer = await forge(port, {}, "2\n");
    await port.updateRefs([{ ref: written.ref, from: written.commit, to: newer }], "test");
    await expect(
      recordWrite(port, { branch: "main", mode: "write", document: newDocument("more") }),
    ).rejects.toThrow("written by a newer git-handoff");
  });

  test("a malformed document is one warning, word for word, and the others still show", async () => {
    const port = await make();
    const good = file(port, "good");
    const path = "20260501T100000Z-broken-1234567.md";
    await point(port, REF, await forge(port, { open: [good, [path, "---\nintent: [\n"]] }));
    const view = await readLive(port, "main");
    expect(view.warnings).toEqual([
      `Handoff file at ${REF}:open/${path} is malformed; skipping. Inspect manually.`,
    ]);
    expect(view.items.map(({ document }) => document?.meta.intent ?? null).sort()).toEqual(["good", null]);
  });

  test("an oversize document is skipped with a warning", async () => {
    const port = await make();
    const path = "20260501T100000Z-big-1234567.md";
    await point(port, REF, await forge(port, { open: [[path, Buffer.alloc((1 << 20) + 1, "a")]] }));
    const view = await readLive(port, "main");
    expect(view.warnings).toEqual([`Handoff file at ${REF}:open/${path} is larger than 1 MiB; skipping.`]);
    expect(view.items.map(({ bytes }) => bytes)).toEqual([null]);
  });

  test("hostile entries: wrong modes, other folders' names, escapes; each a warning, none shown", async () => {
    const port = await make();
    const good = file(port, "good");
    const evil = Buffer.from(newDocument("evil").bytes);
    await point(
      port,
      REF,
      await forge(port, {
        open: [
          good,
          ["..", evil],
          ["20260501T100000Z-link-1234567.md", evil, "120000"],
          ["a\x1b[2Jb.md", evil],
          ["notes.txt", evil],
        ],
      }),
    );
    const view = await readLive(port, "main");
    expect(view.items.map(({ document }) => document?.meta.intent)).toEqual(["good"]);
    expect(view.warnings).toHaveLength(4);
    expect(view.warnings.join("")).not.toMatch(/[\x00-\x1f]/);
  });

  test("a name that is not its blob's is shown under the earliest log's name, with a warning", async () => {
    const port = await make();
    const [, bytes] = file(port, "real");
    const forged = "20200101T000000Z-other-words-0000000";
    await point(
      port,
      "refs/handoff-remotes/main/abe-000000/origin",
      await forge(port, { open: [[`${forged}.md`, bytes]] }),
    );
    await point(port, REF, await forge(port, { open: [file(port, "real")] }));
    const view = await readLive(port, "main");
    expect(view.items.map(({ id, writer }) => `${writer} ${id}`)).toEqual([`abe-000000 ${forged}`]);
    expect(view.warnings).toEqual([
      expect.stringMatching(
        /abe-000000\/origin:open\/2020.*the name does not belong to this document, whose handle is [0-9a-f]{7}$/,
      ),
    ]);
  });

  test("two blobs with one name are two items", async () => {
    const port = await make();
    const [name] = file(port, "one");
    await point(port, "refs/handoff/main/ann-000001", await forge(port, { open: [file(port, "one")] }));
    await point(port, REF, await forge(port, { closed: [[name, newDocument("impostor").bytes]] }));
    const { items } = await readView(port, "main");
    expect(items.map(({ state, document }) => `${state} ${document?.meta.intent}`).sort()).toEqual([
      "closed impostor",
      "open one",
    ]);
  });

  test("refs to a blob, to no log and to a missing tree are warnings; foreign refs are nothing", async () => {
    const port = await make();
    const [name, bytes] = file(port, "good");
    await point(port, REF, await forge(port, { open: [[name, bytes]] }));
    await point(port, "refs/handoff/main/eve-00000a", await store(port, "blob", "x"));
    await point(
      port,
      "refs/handoff/main/eve-00000b",
      await commitOf(port, await store(port, "tree", encodeTree([]))),
    );
    await point(
      port,
      "refs/handoff/main/eve-00000c",
      await commitOf(port, "1".repeat(port.objectFormat === "sha1" ? 40 : 64)),
    );
    await point(port, "refs/handoff/main/seal", await store(port, "blob", "y"));
    const view = await readView(port, "main");
    expect(view.items).toHaveLength(1);
    expect(view.warnings).toEqual([
      "refs/handoff/main/eve-00000a: not a handoff log; skipping",
      "refs/handoff/main/eve-00000b: not a handoff log; skipping",
      "refs/handoff/main/eve-00000c: its tree is not downloaded: git handoff fetch",
    ]);
  });

  test("newest first by the time written, whatever its offset; ties by id", async () => {
    const port = await make();
    const times = ["2026-05-01T10:00:00+02:00", "2026-05-01T09:00:00+00:00", "2026-05-01T08:30:00Z"];
    const documents = times.map((written, index) => ({
      ...newDocument(`intent ${index}`, { written }),
      branch: "main",
      state: "open" as const,
    }));
    await recordImport(port, { documents });
    const { items } = await readView(port, "main");
    expect(items.map(({ document }) => document?.meta.intent)).toEqual(["intent 1", "intent 2", "intent 0"]);
  });
});

test("documents that are not downloaded are counted in one line", async () => {
  const port = new MemoryPort();
  const documents = ["one", "two", "three"].map((intent) => ({
    ...newDocument(intent),
    branch: "feat",
    state: "open" as const,
  }));
  const { recorded } = await recordImport(port, { documents });
  for (const { oid } of recorded.slice(0, 2)) port.objects.delete(oid);
  const view = await readLive(port, "feat");
  expect(view.warnings).toEqual(["2 handoffs for feat are not downloaded: git handoff fetch"]);
  expect(view.items.filter(({ document }) => document)).toHaveLength(1);
});

test("a partial clone without blobs says what is missing and downloads nothing", async () => {
  const origin = emptyRepo();
  await recordWrite(await gitPort(origin), { branch: "main", mode: "write", document: newDocument("one") });
  git(origin, "config", "uploadpack.allowFilter", "true");
  const clone = emptyRepo();
  git(clone, "remote", "add", "origin", `file://${origin}`);
  git(clone, "fetch", "-q", "--filter=blob:none", "origin", "+refs/handoff/*:refs/handoff-remotes/*/origin");
  const before = git(clone, "count-objects", "-v");
  const view = await readLive(await gitPort(clone), "main");
  expect(view.warnings).toContain("1 handoffs for main are not downloaded: git handoff fetch");
  expect(view.items.map(({ document }) => document)).toEqual([null]);
  expect(git(clone, "count-objects", "-v")).toBe(before);
});

test("the number of reads stays the same as branches, writers and documents grow", async () => {
  const count = async (branches: number, writers: number) => {
    const port = new MemoryPort();
    for (let writer = 0; writer < writers; writer++) {
      const other = new MemoryPort(port.objects);
      for (let branch = 0; branch < branches; branch++) {
        const document = newDocument(`work ${writer} ${branch}`, { task_key: `b${branch}` });
        await recordWrite(other, { branch: `b${branch}`, mode: "write", document });
      }
      fetchInto(port, other, `r${writer}`);
    }
    port.calls.length = 0;
    const views = await readAllViews(port);
    expect(views).toHaveLength(branches);
    expect(views.every(({ items }) => items.length === writers)).toBe(true);
    const all = port.calls.length;
    await readLive(port, "b0");
    return [all, port.calls.length - all];
  };
  // One read more where many tips are read, as their folders are mostly shared.
  expect(await count(1, 1)).toEqual([3, 3]);
  expect(await count(100, 3)).toEqual([4, 3]);
  expect(await count(600, 3)).toEqual([4, 3]);
  // Two parts side by side, three reads each, from two thousand refs on.
  expect(await count(700, 3)).toEqual([7, 3]);
  expect(await count(1400, 3)).toEqual([7, 3]);
});

test("two parts of all branches give what one gives, whatever the names", async () => {
  const port = new MemoryPort();
  const branches = ["HEAD", "a", "a/b", "a/b/c", "b", "ü", "z"];
  for (const branch of branches) {
    const pushed = branch === "HEAD" ? ({ delivery: "pushed", breaking: false } as const) : {};
    const document = newDocument(`work on ${branch}`, { task_key: branch, ...pushed });
    await recordWrite(port, { branch, mode: "write", document });
  }
  const one = await readAllViews(port);
  expect(one.map(({ branch }) => branch)).toEqual([...branches].sort());
  // The same refs many times over, as fetched from that many remotes.
  const own = await port.refs(["refs/handoff/**"]);
  for (let remote = 0; remote < 300; remote++) {
    for (const { name, oid } of own) {
      port.refStore.set(`refs/handoff-remotes/${name.slice("refs/handoff/".length)}/r${remote}`, oid);
    }
  }
  port.calls.length = 0;
  const two = await readAllViews(port);
  expect(port.calls.filter((call) => call === "read").length).toBeGreaterThan(3);
  expect(two).toEqual(one);
});

test("a branch and the repository are read together", async () => {
  const port = new MemoryPort();
  await recordWrite(port, { branch: "main", mode: "write", document: newDocument("one") });
  await recordWrite(port, {
    branch: "HEAD",
    mode: "write",
    document: newDocument("note", { delivery: "pushed", breaking: false, task_key: "HEAD" }),
  });
  port.calls.length = 0;
  const views = await readViews(port, ["main", "HEAD"], { live: true });
  expect(views.map(({ branch, items }) => `${branch} ${items[0]?.state}`)).toEqual([
    "main open",
    "HEAD inbox",
  ]);
  expect(port.calls).toEqual(["refs", "read", "read"]);
});

test("closed documents are not read for a live view", async () => {
  const port = new MemoryPort();
  const documents = Array.from({ length: 50 }, (_, index) => ({
    ...newDocument(`done ${index}`),
    branch: "main",
    state: "closed" as const,
  }));
  await recordImport(port, { documents });
  await recordWrite(port, { branch: "main", mode: "write", document: newDocument("live") });
  const read = port.read.bind(port);
  let asked = 0;
  port.read = async (names, options) => {
    const objects = await read(names, options);
    asked += [...objects.values()].filter(({ type, size }) => type === "blob" && size > 2).length;
    return objects;
  };
  expect((await readLive(port, "main")).items).toHaveLength(1);
  expect(asked).toBe(1);
});

test("a document with a hostile task_key is joined with the repository's own logs, and never by that name", async () => {
  const port = new MemoryPort();
  const patterns: string[] = [];
  const refs = port.refs.bind(port);
  port.refs = (asked) => {
    patterns.push(...asked);
    return refs(asked);
  };
  for (const task_key of ["../../heads", "*", "a b", "x\ny", ""]) {
    const document = newDocument("x", { task_key });
    await recordWrite(port, { branch: "main", mode: "supersede", document });
  }
  await readView(port, "main");
  expect([...new Set(patterns)]).toEqual(["main", "HEAD"].flatMap(refPatterns));
});

test("closing through a second clone never touches the first one's ref", async () => {
  const ada = new MemoryPort();
  const bob = new MemoryPort(ada.objects);
  await recordWrite(ada, { branch: "main", mode: "write", document: newDocument("one") });
  fetchInto(bob, ada, "hub");
  const before = [...ada.refStore];
  await closeItems(bob, { items: (await readLive(bob, "main")).items });
  expect([...ada.refStore]).toEqual(before);
  fetchInto(ada, bob, "bob");
  expect((await readLive(ada, "main")).items).toEqual([]);
});

test("a thousand documents that name a thousand branches are no thousand patterns", async () => {
  const port = new MemoryPort();
  const documents = Array.from({ length: 1000 }, (_, index) => ({
    ...newDocument(`work ${index}`, { task_key: `gone/${index}` }),
    branch: "main",
    state: "open" as const,
  }));
  await recordImport(port, { documents });
  const refs = port.refs.bind(port);
  let most = 0;
  port.refs = (asked) => {
    most = Math.max(most, asked.length);
    return refs(asked);
  };
  expect((await readLive(port, "main")).items).toHaveLength(1000);
  expect(most).toBeLessThanOrEqual(400);
});
