// Which documents are read where there are more than anybody reads.
import { expect, test } from "vitest";
import { recordImport } from "../../src/store/events.js";
import { readLive, readView } from "../../src/store/join.js";
import { newDocument } from "../support/document.js";
import { fetchInto, MemoryPort } from "../support/memory-port.js";

/** A clone whose writer has this many open handoffs and notes, the newest last. */
async function crowd(hub: MemoryPort, name: string, count: number, year: number): Promise<void> {
  const port = new MemoryPort(hub.objects);
  port.person = { name, email: `${name}@example.com` };
  const at = (n: number) => new Date(Date.UTC(year, 0, 1, 0, n)).toISOString();
  const journal = Array.from({ length: count }, (_, n) => ({
    ...newDocument(`${name} ${n}`, { written: at(n) }),
    branch: "main",
    state: "open" as const,
  }));
  const note = { task_key: "main", delivery: "pushed", breaking: false } as const;
  const inbox = Array.from({ length: count }, (_, n) => ({
    ...newDocument(`${name} note ${n}`, { ...note, written: at(n) }),
    branch: "main",
    state: "inbox" as const,
  }));
  await recordImport(port, { documents: [...journal, ...inbox] });
  fetchInto(hub, port, name);
}

const intents = (items: readonly { document: { meta: { intent: string } } | null }[]) =>
  items.map(({ document }) => document?.meta.intent ?? "");

test("the newest of each writer are read, whoever dates his own into the future, and the rest is counted", async () => {
  const hub = new MemoryPort();
  await crowd(hub, "mal", 50, 2999);
  await crowd(hub, "ada", 2, 2026);
  await crowd(hub, "bob", 1, 2026);
  const { items, warnings, left } = await readView(hub, "main", { live: true, limit: 6 });
  expect(intents(items).filter((intent) => !intent.includes("note"))).toEqual([
    "mal 49",
    "mal 48",
    "mal 47",
    "ada 1",
    "ada 0",
    "bob 0",
  ]);
  expect(intents(items)).toHaveLength(12);
  expect(left).toEqual({ open: 47, inbox: 47 });
  expect(warnings).toEqual([
    "47 more open handoffs for main not shown: git handoff list --all",
    "47 more unread handoffs for main not shown: git handoff list --all",
  ]);
});

test("no more than these are read", async () => {
  const hub = new MemoryPort();
  await crowd(hub, "mal", 50, 2026);
  const asked: string[][] = [];
  const read = hub.read.bind(hub);
  hub.read = (names, options) => {
    asked.push([...names]);
    return read(names, options);
  };
  await readView(hub, "main", { live: true, limit: 6 });
  expect(asked.at(-1)).toHaveLength(12);
  expect((await readLive(hub, "main")).items).toHaveLength(100);
});

test("one more than that is one handoff", async () => {
  const hub = new MemoryPort();
  await crowd(hub, "mal", 3, 2026);
  const { warnings } = await readView(hub, "main", { live: true, limit: 2 });
  expect(warnings[0]).toBe("1 more open handoff for main not shown: git handoff list --all");
});
