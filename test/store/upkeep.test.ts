// prune, redact, collision: what may leave a log, and how.
import { describe, expect, test } from "vitest";
import type { StoragePort } from "../../src/git/port.js";
import { compareTips, fastForward, finishNewWriter, takeNewWriter } from "../../src/store/collision.js";
import { AmbiguousHandoffError, UnknownHandoffError } from "../../src/store/errors.js";
import {
  ackItems,
  closeItems,
  moveBranch,
  recordImport,
  recordWrite,
  reopenItem,
} from "../../src/store/events.js";
import { findItem } from "../../src/store/find.js";
import { readLog, readPruned } from "../../src/store/history.js";
import { readAllViews, readLive, readView } from "../../src/store/join.js";
import { readLogs } from "../../src/store/log.js";
import { planPrune, prune } from "../../src/store/prune.js";
import { redactItem } from "../../src/store/redact.js";
import { sentLog } from "../../src/store/sent.js";
import type { Item } from "../../src/store/types.js";
import { newDocument } from "../support/document.js";
import { fetchInto, MemoryPort } from "../support/memory-port.js";
import { git } from "../support/repo.js";
import { emptyRepo, gitPort, PORTS } from "./ports.js";

const DAY = 86_400_000;
const THEN = new Date("2026-01-01T00:00:00Z");
const NOW = new Date(THEN.getTime() + 100 * DAY);

async function write(port: StoragePort, intent: string, branch = "main", now = THEN) {
  return recordWrite(port, {
    branch,
    mode: "write",
    document: newDocument(intent, { task_key: branch }),
    now,
  });
}

async function closeAll(port: StoragePort, branch = "main", now = THEN) {
  return closeItems(port, { items: (await readLive(port, branch)).items, now });
}

async function only(port: StoragePort, branch = "main"): Promise<Item> {
  const { items } = await readView(port, branch);
  const [item] = items;
  if (!item || items.length > 1) throw new Error(`${items.length} items`);
  return item;
}

describe.each(PORTS)("on %s", (_name, make) => {
  test("prune turns what was closed long ago into gone; show and log still find it", async () => {
    const port = await make();
    const first = await write(port, "old work");
    await closeAll(port);
    await write(port, "young work", "main", NOW);
    await closeAll(port, "main", NOW);
    expect((await planPrune(port, { olderThan: 90, now: NOW })).documents.map(({ id }) => id)).toEqual([
      first.id,
    ]);
    const before = (await readLog(port, "main")).length;
    const { commits, documents } = await prune(port, { olderThan: 90, now: NOW });
    expect(commits).toHaveLength(1);
    expect(documents).toHaveLength(1);
    expect((await readView(port, "main")).items.map(({ document }) => document?.meta.intent)).toEqual([
      "young work",
    ]);
    const events = await readLog(port, "main");
    expect(events).toHaveLength(before + 1);
    expect(events.map(({ event, ids }) => [event, ids])).toContainEqual(["prune", [first.id]]);
    const found = await findItem(port, first.handle, { branch: "main", pruned: true });
    expect([found.oid, found.state, found.document?.meta.intent]).toEqual([first.oid, "closed", "old work"]);
    await expect(findItem(port, first.handle, { branch: "main" })).rejects.toThrow(UnknownHandoffError);
    expect((await prune(port, { olderThan: 90, now: NOW })).commits).toEqual([]);
  });

  test("a written document that is gone is not written again", async () => {
    const port = await make();
    await write(port, "once");
    await closeAll(port);
    await prune(port, { olderThan: 0, now: NOW });
    await expect(write(port, "once")).rejects.toThrow("pruned or redacted");
  });

  test("redact leaves no blob, id, subject, trailer or reason of it in the log's history", async () => {
    const port = await make();
    const keep = await write(port, "keep this");
    await recordWrite(port, {
      branch: "main",
      mode: "supersede",
      document: newDocument("hunter2 secret"),
      now: THEN,
    });
    const [secret] = (await readLive(port, "main")).items;
    if (!secret) throw new Error("not shown");
    await closeItems(port, { items: [secret], reason: "hunter2 leaked" });
    const again = await reopenItem(port, {
      item: await findItem(port, secret.handle, { branch: "main" }),
      now: NOW,
    });
    const { rewritten, mentionedBy, copies, reflogsExpired } = await redactItem(port, {
      item: secret,
      now: NOW,
    });
    expect(rewritten).toHaveLength(1);
    expect(mentionedBy).toEqual([again.id]);
    expect(copies).toEqual([]);
    expect(reflogsExpired).toBe(port.expireReflog !== undefined);
    const events = await readLog(port, "main");
    expect(events.map(({ event }) => event)).toEqual(["redact", "write", "supersede", "write"]);
    // The reopened document is another one, with its own subject: it is named, and its owner redacts it too.
    const others = events.filter(({ ids }) => !ids.includes(again.id));
    expect(JSON.stringify(others)).not.toContain("hunter2");
    expect(JSON.stringify(events)).not.toContain(secret.handle);
    const views = await readView(port, "main");
    expect(views.items.map(({ oid }) => oid).sort()).toEqual([keep.oid, again.oid].sort());
    await expect(findItem(port, secret.handle, { branch: "main", pruned: true })).rejects.toThrow(
      UnknownHandoffError,
    );
  });

  test("a collision gives every log a new root under a new id, without what is gone", async () => {
    const port = await make();
    const one = await write(port, "one");
    await write(port, "two", "feat");
    await closeAll(port, "feat");
    await prune(port, { olderThan: 0, now: NOW });
    const taken = await takeNewWriter(port, { now: NOW });
    expect(taken.writer).not.toBe(taken.old);
    expect(await port.localConfig("handoff.writer")).toEqual([taken.writer]);
    expect(taken.refs.map(({ from, to }) => [from, to])).toEqual(
      ["feat", "main"].map((branch) => [
        `refs/handoff/${branch}/${taken.old}`,
        `refs/handoff/${branch}/${taken.writer}`,
      ]),
    );
    const commits = taken.refs.map(({ commit }) => commit);
    const objects = await port.read(commits);
    for (const commit of commits)
      expect(Buffer.from(objects.get(commit)?.content ?? []).toString()).not.toContain("\nparent ");
    expect((await only(port)).oid).toBe(one.oid);
    expect((await readView(port, "feat")).items).toEqual([]);
    const next = await recordWrite(port, {
      branch: "main",
      mode: "append",
      document: newDocument("three"),
      now: NOW,
    });
    expect(next.ref).toBe(`refs/handoff/main/${taken.writer}`);
  });

  test("two that take a new id at once end with one, and nothing is left behind", async () => {
    const port = await make();
    await write(port, "one");
    const old = (await port.localConfig("handoff.writer"))[0] ?? "";
    const [a, b] = await Promise.all([
      takeNewWriter(port, { now: NOW, from: old }),
      takeNewWriter(port, { now: NOW, from: old }),
    ]);
    expect([a.writer, a.old, b.old]).toEqual([b.writer, old, old]);
    expect((await port.localConfig("handoff.writer"))[0]).toBe(a.writer);
    // An event recorded under the old id by who had read it before.
    await port.setLocalConfig("handoff.writer", old);
    const late = await write(port, "late", "feat");
    await closeAll(port);
    await port.setLocalConfig("handoff.writer", a.writer);
    const [finished] = await finishNewWriter(port, [old]);
    expect(finished?.refs.map(({ to }) => to)).toEqual([
      `refs/handoff/feat/${a.writer}`,
      `refs/handoff/main/${a.writer}`,
    ]);
    const logs = await readLogs(port, await port.refs([`refs/handoff/*/${a.writer}`]));
    expect(
      logs.logs.map(({ branch, folders }) => [branch, ...[...folders].map(({ folder }) => folder)]),
    ).toEqual([
      ["feat", "open"],
      ["main", "closed"],
    ]);
    expect((await readView(port, "feat")).items.map(({ oid }) => oid)).toEqual([late.oid]);
    expect((await finishNewWriter(port, [old]))[0]?.refs).toEqual([]);
  });

  test("tips are compared by ancestry", async () => {
    const port = await make();
    const { ref, commit: first } = await write(port, "one");
    const [second] = (await closeAll(port)).commits;
    const other = await write(port, "else", "feat");
    if (!second) throw new Error("no commit");
    expect(await compareTips(port, second.commit, first)).toBe("push-again");
    expect(await compareTips(port, first, second.commit)).toBe("fast-forward");
    expect(await compareTips(port, first, first)).toBe("same");
    expect(await compareTips(port, first, other.commit)).toBe("collision");
    await redactItem(port, { item: await only(port), now: NOW });
    const [now] = await port.refs([ref]);
    expect(await compareTips(port, now?.oid ?? "", second.commit)).toBe("redacted");
  });

  test("a sent log is the same commit each time and is acknowledged through the own log", async () => {
    const port = await make();
    const document = newDocument("a note", { delivery: "pushed", breaking: true, task_key: "HEAD" });
    const author = { name: "Bob", email: "bob@example.com" };
    const sent = sentLog(port.objectFormat, { branch: "HEAD", writer: "bob-123456", document, author });
    expect(sentLog(port.objectFormat, { branch: "HEAD", writer: "bob-123456", document, author })).toEqual(
      sent,
    );
    expect(sent.ref).toBe(`refs/handoff/HEAD/bob-123456-${sent.handle}`);
    await port.write(sent.objects);
    await port.updateRefs([{ ref: sent.ref, from: null, to: sent.commit }], "sent");
    const [item] = (await readLive(port, "HEAD")).items;
    expect([item?.state, item?.writer, item?.path]).toEqual(["inbox", "bob-123456", sent.path]);
    await ackItems(port, { items: item ? [item] : [], now: THEN });
    expect((await readLive(port, "HEAD")).items).toEqual([]);
    expect((await port.refs(["refs/handoff/HEAD/*"])).map(({ name }) => name)).toContain(sent.ref);
    // Not pushed yet, so nobody else could know: the sent ref stays.
    expect((await planPrune(port, { olderThan: 0, now: NOW })).refs).toEqual([]);
  });

  test("events come newest first with their writers, dates and reasons", async () => {
    const port = await make();
    const one = await write(port, "one");
    await closeItems(port, { items: [await only(port)], reason: "done", now: NOW });
    const [close, first] = await readLog(port, "main");
    expect(close).toMatchObject({
      event: "close",
      ids: [one.id],
      reason: "done",
      branch: "main",
      writer: one.writer,
    });
    expect(first).toMatchObject({ event: "write", subject: "write: one", commit: one.commit });
    expect(Date.parse(close?.date ?? "")).toBe(NOW.getTime());
    expect(close?.author).toMatch(/^Ada.* <ada@example.com>$/);
  });

  test("names are looked for on the branch, in the repository, then everywhere", async () => {
    const port = await make();
    const one = await write(port, "same words", "main");
    const two = await write(port, "same words", "feat");
    expect((await findItem(port, one.id.slice(0, -8), { branch: "main" })).oid).toBe(one.oid);
    expect((await findItem(port, one.id.slice(0, -8), { branch: "feat" })).oid).toBe(two.oid);
    expect((await findItem(port, two.handle, { branch: "main" })).branch).toBe("feat");
    await expect(findItem(port, "20260501", { branch: null })).rejects.toThrow(AmbiguousHandoffError);
    await expect(findItem(port, "nothing", { branch: "main" })).rejects.toThrow(UnknownHandoffError);
    await moveBranch(port, { from: "feat", to: "other" });
    expect((await findItem(port, two.handle, { branch: null })).branch).toBe("other");
  });
});

test("prune spares what any other ref still has open, and settles the own log first", async () => {
  const ada = new MemoryPort();
  const bob = new MemoryPort(ada.objects);
  const one = await write(ada, "one");
  fetchInto(bob, ada, "hub");
  await closeAll(bob);
  const kept = await planPrune(bob, { olderThan: 0, now: NOW });
  expect(kept.documents).toEqual([]);
  expect(kept.kept.map(({ why }) => why)).toEqual([expect.stringContaining("refs/handoff-remotes/main/")]);
  // Ada learns of it; her own pushed log still has it open, so she moves it forward first.
  fetchInto(ada, bob, "hub");
  fetchInto(ada, ada, "hub");
  const settled = await prune(ada, { olderThan: 0, now: NOW });
  expect([settled.documents.length, settled.settled.map(({ id }) => id)]).toEqual([0, [one.id]]);
  fetchInto(ada, ada, "hub");
  fetchInto(bob, ada, "hub");
  expect((await prune(ada, { olderThan: 0, now: NOW })).documents.map(({ id }) => id)).toEqual([one.id]);
  expect((await prune(bob, { olderThan: 0, now: NOW })).documents.map(({ id }) => id)).toEqual([one.id]);
  for (const clone of [ada, bob]) expect((await readView(clone, "main")).items).toEqual([]);
});

test("the log of a branch goes only when the branch is known to be gone and nothing of it is live", async () => {
  const ada = new MemoryPort();
  const { ref, commit } = await write(ada, "one", "feat");
  const gone = { olderThan: 0, now: NOW, goneBranches: new Set(["feat"]) };
  expect((await planPrune(ada, gone)).refs).toEqual([]);
  await closeAll(ada, "feat");
  expect((await planPrune(ada, { olderThan: 0, now: NOW })).refs).toEqual([]);
  fetchInto(ada, ada, "hub");
  const [tracked] = await ada.refs(["refs/handoff-remotes/feat/*/*"]);
  const done = await prune(ada, gone);
  expect(done.refs.map(({ name }) => name)).toEqual([ref]);
  expect(done.remoteRefs).toEqual([expect.objectContaining({ remote: "hub", ref, oid: tracked?.oid })]);
  expect(await ada.refs([ref])).toEqual([]);
  expect(commit).not.toBe(tracked?.oid);
});

test("a sent ref goes once the own log, as pushed, has it acknowledged", async () => {
  const ada = new MemoryPort();
  const document = newDocument("note", { delivery: "pushed", breaking: true, task_key: "HEAD" });
  const sent = sentLog("sha1", { branch: "HEAD", writer: "bob-123456", document, author: ada.person });
  await ada.write(sent.objects);
  ada.refStore.set(sent.ref, sent.commit);
  await ackItems(ada, { items: (await readLive(ada, "HEAD")).items, now: THEN });
  fetchInto(ada, ada, "hub");
  const done = await prune(ada, { olderThan: 0, now: NOW });
  expect(done.refs.map(({ name }) => name)).toEqual([sent.ref]);
  expect(done.remoteRefs).toEqual([
    expect.objectContaining({ remote: "hub", ref: sent.ref, oid: sent.commit }),
  ]);
  expect((await readLive(ada, "HEAD")).items).toEqual([]);
});

test("what is gone elsewhere leaves the own tip at its next write and no view shows it again", async () => {
  const ada = new MemoryPort();
  const bob = new MemoryPort(ada.objects);
  const secret = await write(ada, "secret");
  fetchInto(bob, ada, "hub");
  await closeAll(bob);
  await redactItem(ada, { item: await only(ada), now: NOW });
  expect((await readView(bob, "main")).items).toHaveLength(1);
  // A second remote still has the old log; so have Bob's own.
  fetchInto(bob, ada, "other");
  expect((await readView(bob, "main")).items).toEqual([]);
  expect((await readPruned(bob, null)).map(({ oid }) => oid)).toEqual([]);
  const next = await write(bob, "next");
  expect((await bob.read([`${next.commit}:closed`])).size).toBe(0);
  expect((await bob.read([`${next.commit}:gone/${secret.oid}`])).size).toBe(1);
});

test("a text pruned by one writer and redacted by another is not found in history", async () => {
  const ada = new MemoryPort();
  const bob = new MemoryPort(ada.objects);
  const secret = await write(ada, "secret");
  await closeAll(ada);
  fetchInto(bob, ada, "hub");
  await recordImport(bob, {
    documents: [{ ...newDocument("own"), branch: "main", state: "closed" }],
    now: THEN,
  });
  const item = await findItem(ada, secret.handle, { branch: "main" });
  await prune(ada, { olderThan: 0, now: NOW });
  fetchInto(bob, ada, "hub");
  expect((await readPruned(bob, "main")).map(({ oid }) => oid)).toEqual([secret.oid]);
  await redactItem(bob, { item, now: NOW });
  expect(await readPruned(bob, "main")).toEqual([]);
});

test("redact names the refs that still hold the document", async () => {
  const ada = new MemoryPort();
  await write(ada, "secret");
  fetchInto(ada, ada, "hub");
  const { copies } = await redactItem(ada, { item: await only(ada), now: NOW });
  expect(copies).toEqual([expect.stringMatching(/^refs\/handoff-remotes\/main\/.*\/hub$/)]);
  expect((await readAllViews(ada)).flatMap(({ items }) => items)).toEqual([]);
});

test("on a real repository nothing reachable, no reflog and no ref names what was redacted", async () => {
  const dir = emptyRepo();
  const port = await gitPort(dir);
  await write(port, "keep");
  await recordWrite(port, { branch: "main", mode: "supersede", document: newDocument("hunter2"), now: THEN });
  const [secret] = (await readLive(port, "main")).items;
  if (!secret) throw new Error("not shown");
  await redactItem(port, { item: secret, now: NOW });
  git(dir, "gc", "-q", "--prune=now");
  const objects = git(dir, "rev-list", "--all", "--reflog", "--objects").split("\n");
  expect(objects.filter((row) => row.startsWith(secret.oid))).toEqual([]);
  expect(git(dir, "log", "--all", "--format=%B")).not.toContain("hunter2");
  expect(() => git(dir, "cat-file", "-e", secret.oid)).toThrow();
  expect(git(dir, "fsck", "--strict", "--no-dangling")).toBe("");
});

test("a fast-forward moves the ref only from the tip it was decided on", async () => {
  const port = new MemoryPort();
  const { ref, commit } = await write(port, "one");
  const [closed] = (await closeAll(port)).commits;
  if (!closed) throw new Error("no commit");
  port.refStore.set(ref, commit);
  await fastForward(port, ref, commit, closed.commit);
  await expect(fastForward(port, ref, commit, closed.commit)).rejects.toThrow(ref);
});
