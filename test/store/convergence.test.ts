// Several clones write, close, move and prune at once and fetch from each other in any order: in the end all
// show the same, nothing closed comes back, nothing open goes.
import fc from "fast-check";
import { expect, test } from "vitest";
import { OpenHandoffError } from "../../src/store/errors.js";
import { ackItems, closeItems, moveBranch, recordWrite } from "../../src/store/events.js";
import { readAllViews, readLive } from "../../src/store/join.js";
import { prune } from "../../src/store/prune.js";
import { newDocument } from "../support/document.js";
import { fetchInto, MemoryPort, type Objects } from "../support/memory-port.js";

const BRANCHES = ["a", "a/b", "c"] as const;
const CLONES = 4;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

const step = fc.record({
  do: fc.constantFrom(
    "write",
    "append",
    "append",
    "supersede",
    "note",
    "close",
    "close",
    "ack",
    "prune",
    "move",
    "fetch",
    "fetch",
    "fetch",
    "fetchPrune",
    "deleteBranch",
  ),
  clone: fc.nat(CLONES - 1),
  branch: fc.nat(BRANCHES.length - 1),
  pick: fc.nat(1000),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class World {
  readonly objects: Objects = new Map();
  readonly clones = Array.from({ length: CLONES }, () => new MemoryPort(this.objects));
  /** What was written, by intent; and what somebody ended. */
  readonly written = new Set<string>();
  readonly ended = new Set<string>();
  private clock = Date.parse("2026-01-01T00:00:00Z");

  async run(what: Step): Promise<void> {
    const port = this.clones[what.clone] as MemoryPort;
    const branch = BRANCHES[what.branch] ?? "a";
    this.clock += 1000;
    const now = new Date(this.clock);
    switch (what.do) {
      case "write":
      case "append":
      case "supersede":
        // `unknown`: imported without a branch.
        return this.write(port, branch, what.do, what.pick % 3 === 0 ? "unknown" : branch, now);
      case "note":
        return this.note(port, now);
      case "close":
        return this.end(port, branch, what.pick, now);
      case "ack":
        return this.end(port, "HEAD", what.pick, now);
      case "move": {
        // Only forwards: back is a new document, which a close that crosses it cannot know.
        const to = BRANCHES[what.branch + 1];
        if (to !== undefined) await moveBranch(port, { from: branch, to, now });
        return;
      }
      case "fetch":
        return this.fetch(what.clone, what.pick % CLONES, what.pick % 2 === 0 ? branch : null, false);
      case "fetchPrune":
        return this.fetch(what.clone, what.pick % CLONES, null, true);
      case "prune":
        this.fetchAll(what.clone);
        await prune(port, { olderThan: 0, now });
        return;
      case "deleteBranch":
        // The age that prune asks for stands for this: everybody has fetched since.
        for (let clone = 0; clone < CLONES; clone++) this.fetchAll(clone);
        await prune(port, { olderThan: 0, now, goneBranches: new Set([branch]) });
        return;
    }
  }

  private async write(
    port: MemoryPort,
    branch: string,
    mode: "write" | "append" | "supersede",
    task_key: string,
    now: Date,
  ) {
    const intent = `intent ${this.written.size}`;
    const open = (await readLive(port, branch)).items.filter(({ state }) => state === "open");
    try {
      const document = newDocument(intent, { task_key, written: now.toISOString() });
      await recordWrite(port, { branch, mode, document, now });
    } catch (error) {
      expect(error).toBeInstanceOf(OpenHandoffError);
      expect([mode, open.length > 0]).toEqual(["write", true]);
      return;
    }
    this.written.add(intent);
    for (const { document } of open) this.ended.add(document?.meta.intent ?? "");
  }

  private async note(port: MemoryPort, now: Date): Promise<void> {
    const intent = `note ${this.written.size}`;
    const meta = {
      delivery: "pushed",
      breaking: false,
      task_key: "HEAD",
      written: now.toISOString(),
    } as const;
    await recordWrite(port, { branch: "HEAD", mode: "write", document: newDocument(intent, meta), now });
    this.written.add(intent);
  }

  private async end(port: MemoryPort, branch: string, pick: number, now: Date): Promise<void> {
    const { items } = await readLive(port, branch);
    const item = items[pick % Math.max(1, items.length)];
    if (!item) return;
    await (branch === "HEAD" ? ackItems : closeItems)(port, { items: [item], now });
    this.ended.add(item.document?.meta.intent ?? "");
  }

  fetch(to: number, from: number, branch: string | null, pruning: boolean): void {
    const [target, source] = [this.clones[to], this.clones[from]];
    if (to === from || !target || !source) return;
    const refs = [...source.refStore.keys()].filter(
      (ref) => branch === null || ref.startsWith(`refs/handoff/${branch}/`),
    );
    fetchInto(target, source, `r${from}`, refs);
    if (!pruning) return;
    for (const ref of [...target.refStore.keys()]) {
      const [, local] = /^refs\/handoff-remotes\/(.*)\/r(?:\d+)$/.exec(ref) ?? [];
      if (ref.endsWith(`/r${from}`) && !source.refStore.has(`refs/handoff/${local}`))
        target.refStore.delete(ref);
    }
  }

  fetchAll(to: number): void {
    for (let from = 0; from < CLONES; from++) this.fetch(to, from, null, false);
  }
}

async function shown(port: MemoryPort, live: boolean): Promise<string[]> {
  const views = await readAllViews(port, { live });
  expect(views.flatMap(({ warnings }) => warnings)).toEqual([]);
  return views.flatMap(({ items }) =>
    items.map(({ branch, state, id, writer, oid }) => `${branch} ${state} ${id} ${oid} ${writer}`),
  );
}

/** What is live, each as often as a branch shows it. */
async function liveIntents(port: MemoryPort): Promise<string[]> {
  const views = await readAllViews(port, { live: true });
  return views.flatMap(({ items }) => items.map(({ document }) => document?.meta.intent ?? ""));
}

test(`any order of events and fetches gives one view (seed ${seed})`, async () => {
  console.log(`convergence: SEED=${seed}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 45 }),
      fc.infiniteStream(fc.nat()),
      async (steps, order) => {
        const world = new World();
        for (const what of steps) await world.run(what);
        const fresh = new MemoryPort(world.objects);
        world.clones.push(fresh);
        for (let clone = 0; clone < world.clones.length; clone++) {
          const turns = Array.from({ length: CLONES }, (_, from) => ({
            from,
            key: order.next().value as number,
          }));
          for (const { from } of turns.sort((a, b) => a.key - b.key)) world.fetch(clone, from, null, false);
        }
        // A deleted log takes its closed documents along, where it is not fetched any more.
        const live = steps.some((what) => what.do === "deleteBranch");
        const views = await Promise.all(world.clones.map((port) => shown(port, live)));
        for (const view of views) expect(view).toEqual(views[0]);
        const expected = [...world.written].filter((intent) => !world.ended.has(intent)).sort();
        for (const port of world.clones) expect((await liveIntents(port)).sort()).toEqual(expected);
      },
    ),
    { seed, numRuns: Number(process.env.RUNS ?? 300) },
  );
});
