import { describe, expect, test } from "vitest";
import { FatalError } from "../../src/errors.js";
import { parseCommit } from "../../src/git/object.js";
import type { StoragePort } from "../../src/git/port.js";
import { KnownDocumentError, OpenHandoffError, WrongDeliveryError } from "../../src/store/errors.js";
import {
  ackItems,
  closeItems,
  moveBranch,
  recordImport,
  recordWrite,
  reopenItem,
} from "../../src/store/events.js";
import { readLog } from "../../src/store/history.js";
import { readLive, readView } from "../../src/store/join.js";
import { newDocument } from "../support/document.js";
import { fetchInto, MemoryPort } from "../support/memory-port.js";
import { PORTS } from "./ports.js";

async function states(port: StoragePort, branch = "main") {
  const { items, warnings } = await readView(port, branch);
  expect(warnings).toEqual([]);
  return items.map(({ id, state }) => `${state} ${id.slice(17, -8)}`);
}

async function paths(port: StoragePort, commit: string): Promise<string[]> {
  const folders = ["open", "closed", "inbox", "acked", "moved", "gone"];
  const { parseTree } = await import("../../src/git/object.js");
  const trees = await port.read(folders.map((folder) => `${commit}:${folder}`));
  return folders.flatMap((folder) => {
    const content = trees.get(`${commit}:${folder}`)?.content;
    return content ? parseTree(content, port.objectFormat).map(({ name }) => `${folder}/${name}`) : [];
  });
}

async function message(port: StoragePort, commit: string): Promise<string> {
  const content = (await port.read([commit])).get(commit)?.content;
  return content ? parseCommit(content).message : "";
}

describe.each(PORTS)("on %s", (_name, make) => {
  test("a write is one orphan commit with its event, its dates and its document", async () => {
    const port = await make();
    const now = new Date("2026-06-01T08:00:00Z");
    const written = await recordWrite(port, {
      branch: "main",
      mode: "write",
      document: newDocument("fix the parser"),
      now,
    });
    expect(written.ref).toMatch(/^refs\/handoff\/main\/[a-z-]+-[0-9a-f]{6}$/);
    expect(written.path).toBe(`open/${written.id}.md`);
    expect(written.id).toMatch(/^20260501T100000Z-fix-parser-[0-9a-f]{7}$/);
    const objects = await port.read([
      written.commit,
      `${written.commit}:format`,
      `${written.commit}:${written.path}`,
    ]);
    const commit = parseCommit(objects.get(written.commit)?.content ?? Buffer.from(""));
    expect(commit.parents).toEqual([]);
    expect(commit.message).toBe(`write: fix the parser\n\nHandoff-Event: write\nHandoff-Id: ${written.id}\n`);
    expect([commit.author.time, commit.committer.time]).toEqual([now.getTime() / 1000, now.getTime() / 1000]);
    expect(Buffer.from(objects.get(`${written.commit}:format`)?.content ?? []).toString()).toBe("1\n");
    expect(objects.get(`${written.commit}:${written.path}`)?.oid).toBe(written.oid);
    expect(await states(port)).toEqual(["open fix-parser"]);
  });

  test("a second write finds the open one and names it; the same document again is refused", async () => {
    const port = await make();
    const first = await recordWrite(port, { branch: "main", mode: "write", document: newDocument("one") });
    const second = recordWrite(port, { branch: "main", mode: "write", document: newDocument("two") });
    await expect(second).rejects.toThrow(OpenHandoffError);
    await expect(second).rejects.toThrow(first.id);
    await expect(
      recordWrite(port, { branch: "main", mode: "supersede", document: newDocument("one") }),
    ).rejects.toThrow(KnownDocumentError);
    expect(await states(port)).toEqual(["open one"]);
  });

  test.each(["append", "supersede"] as const)("%s closes every open one in the same commit", async (mode) => {
    const port = await make();
    await recordImport(port, {
      documents: [
        { ...newDocument("one"), branch: "main", state: "open" },
        { ...newDocument("two", { written: "2026-05-02T10:00:00+00:00" }), branch: "main", state: "open" },
      ],
    });
    let seen: string[] = [];
    const third = await recordWrite(port, {
      branch: "main",
      mode,
      document: (open) => {
        seen = open.map(({ document }) => document?.meta.intent ?? "");
        return newDocument("three", { written: "2026-05-03T10:00:00+00:00" });
      },
    });
    expect(seen).toEqual(["one", "two"]);
    expect(await states(port)).toEqual(["open three", "closed two", "closed one"]);
    expect(third.superseded).toHaveLength(2);
    const text = await message(port, third.commit);
    expect(text).toContain(`Handoff-Event: ${mode}\nHandoff-Id: ${third.id}\n`);
    for (const id of third.superseded) expect(text).toContain(`Handoff-Supersedes: ${id}\n`);
    expect(await readLog(port, "main")).toHaveLength(2);
  });

  test("closing several is one commit with a reason on one line; twice is fine", async () => {
    const port = await make();
    await recordImport(port, {
      documents: ["one", "two"].map((intent) => ({
        ...newDocument(intent),
        branch: "main",
        state: "open" as const,
      })),
    });
    const { items } = await readLive(port, "main");
    const closed = await closeItems(port, { items, reason: "done\nand \x1b[31mdusted" });
    expect(closed.commits).toHaveLength(1);
    const text = await message(port, closed.commits[0]?.commit ?? "");
    expect(text).toMatch(
      /^close: 2 handoffs\n\nHandoff-Event: close\n(Handoff-Id: \S+\n){2}Handoff-Reason: done and dusted\n$/,
    );
    const again = await closeItems(port, { items });
    expect(again.commits).toEqual([]);
    expect(again.already).toHaveLength(2);
    expect(await states(port)).toEqual(["closed one", "closed two"]);
  });

  test("ack takes inbox handoffs only, close journal ones only", async () => {
    const port = await make();
    await recordWrite(port, { branch: "main", mode: "write", document: newDocument("journal") });
    await recordWrite(port, {
      branch: "HEAD",
      mode: "write",
      document: newDocument("note", { delivery: "pushed", breaking: false, task_key: "HEAD" }),
    });
    const [journal] = (await readLive(port, "main")).items;
    const [note] = (await readLive(port, "HEAD")).items;
    if (!journal || !note) throw new Error("not shown");
    expect(note.state).toBe("inbox");
    await expect(ackItems(port, { items: [journal] })).rejects.toThrow(WrongDeliveryError);
    await expect(closeItems(port, { items: [note] })).rejects.toThrow(WrongDeliveryError);
    const declined = await ackItems(port, { items: [note], decline: true, reason: "not ours" });
    expect(await message(port, declined.commits[0]?.commit ?? "")).toContain("Handoff-Event: decline\n");
    expect(await states(port, "HEAD")).toEqual(["acked note"]);
    expect((await ackItems(port, { items: [note] })).already).toHaveLength(1);
  });

  test("a pulled document for HEAD and an impossible branch are refused", async () => {
    const port = await make();
    for (const branch of ["HEAD", "a..b", ""]) {
      await expect(recordWrite(port, { branch, mode: "write", document: newDocument("x") })).rejects.toThrow(
        FatalError,
      );
    }
  });

  test("reopen writes the old content as a new document", async () => {
    const port = await make();
    const first = await recordWrite(port, { branch: "main", mode: "write", document: newDocument("one") });
    const [item] = (await readLive(port, "main")).items;
    if (!item) throw new Error("not shown");
    await closeItems(port, { items: [item] });
    const [closed] = (await readView(port, "main")).items;
    if (!closed) throw new Error("not shown");
    const again = await reopenItem(port, { item: closed });
    expect(again.oid).not.toBe(first.oid);
    const [open] = (await readLive(port, "main")).items;
    expect(open?.document?.meta.supersedes).toEqual([first.id]);
    expect(open?.document?.body).toBe(item.document?.body);
    expect(await message(port, again.commit)).toContain(
      `Handoff-Event: write\nHandoff-Id: ${again.id}\nHandoff-Supersedes: ${first.id}\n`,
    );
    expect(await states(port)).toEqual(["open one", "closed one"]);
  });

  test("mv carries the same blob, in both logs or in neither; again adds nothing; back makes it shown again", async () => {
    const port = await make();
    const first = await recordWrite(port, {
      branch: "old",
      mode: "write",
      document: newDocument("one", { task_key: "old" }),
    });
    const moved = await moveBranch(port, { from: "old", to: "new" });
    expect(moved.commits.map(({ ref }) => ref.split("/")[2]).sort()).toEqual(["new", "old"]);
    expect(await states(port, "old")).toEqual([]);
    const [item] = (await readLive(port, "new")).items;
    expect(item?.oid).toBe(first.oid);
    expect(await paths(port, moved.commits.find(({ ref }) => ref.includes("/old/"))?.commit ?? "")).toEqual([
      `moved/${first.id}.md`,
    ]);
    expect((await moveBranch(port, { from: "old", to: "new" })).commits).toEqual([]);
    await moveBranch(port, { from: "new", to: "old" });
    expect(await states(port, "new")).toEqual([]);
    const [back] = (await readLive(port, "old")).items;
    expect(back?.document?.meta.supersedes).toEqual([first.id]);
    await moveBranch(port, { from: "old", to: "new" });
    expect(await states(port, "new")).toEqual(["open one"]);
  });

  test("import keeps each document's folder, in one commit, and twice is once", async () => {
    const port = await make();
    const documents = [
      { ...newDocument("alpha"), branch: "main", state: "open" as const },
      { ...newDocument("beta"), branch: "main", state: "closed" as const },
      {
        ...newDocument("gamma", { delivery: "pushed", breaking: true }),
        branch: "HEAD",
        state: "inbox" as const,
      },
      {
        ...newDocument("delta", { delivery: "pushed", breaking: true }),
        branch: "HEAD",
        state: "acked" as const,
      },
    ];
    const first = await recordImport(port, { documents: [...documents, ...documents.slice(0, 1)] });
    expect(first.recorded).toHaveLength(4);
    expect(first.skipped).toHaveLength(1);
    expect(await states(port)).toEqual(["open alpha", "closed beta"]);
    expect((await states(port, "HEAD")).sort()).toEqual(["acked delta", "inbox gamma"]);
    const second = await recordImport(port, { documents });
    expect(second.recorded).toEqual([]);
    expect(await readLog(port, null)).toHaveLength(2);
  });
});

test("a plain write that loses its race finds the open handoff of the winner", async () => {
  const port = new MemoryPort();
  port.beforeUpdate = async () => {
    port.beforeUpdate = null;
    await recordWrite(port, { branch: "main", mode: "write", document: newDocument("winner") });
  };
  await expect(
    recordWrite(port, { branch: "main", mode: "write", document: newDocument("loser") }),
  ).rejects.toThrow(OpenHandoffError);
  expect(await states(port)).toEqual(["open winner"]);
});

test("objects that vanish after the ref moved are written again before it is done", async () => {
  const port = new MemoryPort();
  const update = port.updateRefs.bind(port);
  port.updateRefs = async (updates, reason) => {
    await update(updates, reason);
    port.objects.clear();
  };
  await recordWrite(port, { branch: "main", mode: "write", document: newDocument("one") });
  expect(await states(port)).toEqual(["open one"]);
});

test("a writer id that is none is refused by name", async () => {
  const port = new MemoryPort();
  await port.addLocalConfig("handoff.writer", "../x");
  await expect(
    recordWrite(port, { branch: "main", mode: "write", document: newDocument("one") }),
  ).rejects.toThrow("handoff.writer");
});

test("a close that crosses a mv reaches the new branch, also over two moves", async () => {
  const ada = new MemoryPort();
  const bob = new MemoryPort(ada.objects);
  const carol = new MemoryPort(ada.objects);
  await recordWrite(ada, { branch: "a", mode: "write", document: newDocument("one", { task_key: "a" }) });
  fetchInto(bob, ada, "hub");
  await moveBranch(ada, { from: "a", to: "b" });
  // Bob has not seen the move.
  await closeItems(bob, { items: (await readLive(bob, "a")).items });
  fetchInto(carol, ada, "ada");
  fetchInto(carol, bob, "bob");
  expect(await states(carol, "b")).toEqual(["closed one"]);

  await recordWrite(ada, { branch: "a", mode: "write", document: newDocument("two", { task_key: "a" }) });
  await moveBranch(ada, { from: "a", to: "b" });
  fetchInto(bob, ada, "hub");
  await moveBranch(ada, { from: "b", to: "c" });
  const [two] = (await readLive(bob, "b")).items.filter(({ document }) => document?.meta.intent === "two");
  await closeItems(bob, { items: two ? [two] : [] });
  fetchInto(carol, ada, "ada");
  fetchInto(carol, bob, "bob");
  expect(await states(carol, "c")).toContain("closed two");
  expect((await readLive(carol, "c")).items.map(({ document }) => document?.meta.intent)).not.toContain(
    "two",
  );
});

// Imported without a branch, or unreadable: the document does not say where others have it.
test.each([
  ["unknown", () => newDocument("one", { task_key: "unknown" })],
  ["no branch's name", () => newDocument("one", { task_key: "no such..name" })],
  ["unreadable", () => ({ bytes: Buffer.from("---\n[\n"), written: "2026-05-01T10:00:00Z", intent: "one" })],
])("a close that crosses a mv reaches the new branch where task_key is %s", async (_name, document) => {
  const ada = new MemoryPort();
  const [bob, carol, dora] = [1, 2, 3].map(() => new MemoryPort(ada.objects)) as [
    MemoryPort,
    MemoryPort,
    MemoryPort,
  ];
  const shown = async (port: MemoryPort, branch: string) =>
    (await readView(port, branch)).items.map(({ state }) => state);
  await recordImport(ada, { documents: [{ ...document(), branch: "a", state: "open" }] });
  fetchInto(bob, ada, "hub");
  await moveBranch(ada, { from: "a", to: "b" });
  await closeItems(bob, { items: (await readLive(bob, "a")).items });
  fetchInto(carol, ada, "ada");
  expect(await shown(carol, "b")).toEqual(["open"]);
  fetchInto(carol, bob, "bob");
  expect(await shown(carol, "b")).toEqual(["closed"]);
  expect((await readLive(carol, "b")).items).toEqual([]);
  // It is the repository's own nowhere, and there once only.
  expect(await shown(carol, "HEAD")).toEqual([]);
  expect(await shown(bob, "a")).toEqual(["closed"]);
  expect(await moveBranch(carol, { from: "b", to: "c" })).toMatchObject({ changed: [] });

  // The other way round: closed on the new branch, by somebody from whom dora fetches nothing else.
  await recordImport(dora, { documents: [{ ...document(), branch: "a", state: "open" }] });
  expect(await shown(dora, "a")).toEqual(["open"]);
  fetchInto(dora, bob, "bob");
  expect(await shown(dora, "a")).toEqual(["closed"]);
});

test("what is closed at its source is closed where it was moved to, and is not taken in open on a third branch", async () => {
  const ada = new MemoryPort();
  const bob = new MemoryPort(ada.objects);
  const document = newDocument("one", { task_key: "unknown" });
  await recordImport(ada, { documents: [{ ...document, branch: "a", state: "open" }] });
  fetchInto(bob, ada, "ada");
  await moveBranch(ada, { from: "a", to: "b" });
  const { ended } = await recordImport(bob, { documents: [{ ...document, branch: "a", state: "closed" }] });
  expect(ended).toHaveLength(1);
  fetchInto(ada, bob, "bob");
  expect(await states(ada, "b")).toEqual(["closed one"]);
  const again = await recordImport(ada, { documents: [{ ...document, branch: "c", state: "open" }] });
  expect(again).toMatchObject({ recorded: [], ended: [], skipped: [{ branch: "c", folder: "closed" }] });
});

test("what others closed moves forward in the own log at its next write", async () => {
  const ada = new MemoryPort();
  const bob = new MemoryPort(ada.objects);
  const one = await recordWrite(ada, { branch: "main", mode: "write", document: newDocument("one") });
  fetchInto(bob, ada, "hub");
  await closeItems(bob, { items: (await readLive(bob, "main")).items });
  fetchInto(ada, bob, "hub");
  const two = await recordWrite(ada, { branch: "main", mode: "write", document: newDocument("two") });
  expect(await paths(ada, two.commit)).toEqual([`open/${two.id}.md`, `closed/${one.id}.md`]);
});

test("a subject is one line, stripped and bounded", async () => {
  const port = new MemoryPort();
  const document = {
    ...newDocument("x"),
    intent: `evil\n\nHandoff-Id: forged\x1b[2J ${"long ".repeat(100)}`,
  };
  const written = await recordWrite(port, { branch: "main", mode: "write", document });
  const [subject, empty, ...trailers] = (await message(port, written.commit)).split("\n");
  expect(subject).toMatch(/^write: evil Handoff-Id: forged/);
  expect([...(subject ?? "")].length).toBeLessThanOrEqual(110);
  expect(empty).toBe("");
  expect(trailers).toEqual(["Handoff-Event: write", `Handoff-Id: ${written.id}`, ""]);
});

test("mv leaves an unreadable document where it is rather than failing for the others", async () => {
  const port = new MemoryPort();
  const broken = {
    bytes: Buffer.from("---\nintent: [\n"),
    written: "2026-05-01T10:00:00Z",
    intent: "broken",
  };
  await recordImport(port, { documents: [{ ...broken, branch: "old", state: "open" }] });
  await moveBranch(port, { from: "old", to: "new" });
  await recordWrite(port, {
    branch: "new",
    mode: "append",
    document: newDocument("fine", { task_key: "new" }),
  });
  await recordImport(port, {
    documents: [
      { ...broken, intent: "broken too", bytes: Buffer.from("---\nx: [\n"), branch: "old", state: "open" },
    ],
  });
  await moveBranch(port, { from: "old", to: "new" });
  const back = await moveBranch(port, { from: "new", to: "old" });
  expect(back.changed.map(({ document }) => document?.meta.intent)).toEqual(["fine"]);
  expect((await readLive(port, "new")).items.map(({ document }) => document)).toEqual([null, null]);
});

test("beside one that is not downloaded nothing is written, nothing goes on from it, and it can be replaced", async () => {
  const port = new MemoryPort();
  const { oid, id, handle } = await recordWrite(port, {
    branch: "main",
    mode: "write",
    document: newDocument("one"),
  });
  port.objects.delete(oid);
  const write = (mode: "write" | "append" | "supersede") =>
    recordWrite(port, { branch: "main", mode, document: newDocument("two") });
  await expect(write("write")).rejects.toThrow(OpenHandoffError);
  // It stays, as nothing of it can go over.
  expect(await write("append")).toMatchObject({ superseded: [], skipped: [{ handle }] });
  expect((await readLive(port, "main")).items.map(({ document }) => document?.meta.intent)).toEqual([
    undefined,
    "two",
  ]);
  const three = recordWrite(port, { branch: "main", mode: "supersede", document: newDocument("three") });
  expect(await three).toMatchObject({ superseded: expect.arrayContaining([id]), skipped: [] });
});
