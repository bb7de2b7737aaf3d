// N clones of one remote write, close, push and fetch in any order: one view in all of them and in a new one.

import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readAllViews } from "../../src/store/join.js";
import { tempDir } from "../support/repo.js";
import { seed as write } from "../support/seed.js";
import { closeAll, fetch, guardForwardOnly, makeClone, makeHub, open, push, view } from "./support.js";

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env.RUNS ?? 4);
const CLONES = 3;
const BRANCHES = ["main", "feat/ünï"];

const clone = fc.nat(CLONES - 1);
const branch = fc.constantFrom(...BRANCHES);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), clone, branch }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("close" as const), clone, branch }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("push" as const), clone, branch }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fetch" as const), clone, branch }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("both" as const), clone, branch }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class World {
  readonly hub = makeHub();
  readonly clones = Array.from({ length: CLONES }, () => makeClone(this.hub));
  readonly written = new Map<string, string>();
  count = 0;

  constructor() {
    guardForwardOnly(this.hub, join(tempDir(), "log"));
  }

  async run({ do: what, clone: index, branch: name }: Step): Promise<void> {
    const dir = this.clones[index] ?? "";
    if (what === "write") await this.write(dir, name);
    else if (what === "close") await closeAll(dir, name);
    else if (what === "push") await this.push(dir);
    else if (what === "fetch") await fetch(dir);
    // Two clones at the same moment.
    else await Promise.all([this.push(dir), this.push(this.clones[(index + 1) % CLONES] ?? "")]);
  }

  async write(dir: string, name: string): Promise<void> {
    const intent = `step ${++this.count}`;
    const day = String(1 + (this.count % 28)).padStart(2, "0");
    const { handle } = await write(dir, {
      branch: name,
      mode: "append",
      meta: { intent, written: `2026-05-${day}T10:00:00+00:00` },
    });
    this.written.set(handle, name);
  }

  async push(dir: string): Promise<void> {
    const { refs, newWriter } = await push(dir, { all: true });
    expect(refs.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(newWriter).toBe(null);
  }
}

test(`any order of writing, closing, pushing and fetching gives one view (seed ${seed})`, {
  timeout: 300_000,
}, async () => {
  console.log(`sync convergence: SEED=${seed} RUNS=${RUNS}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 18 }),
      fc.shuffledSubarray([0, 1, 2], { minLength: CLONES }),
      async (steps, order) => {
        const world = new World();
        for (const what of steps) await world.run(what);
        for (const index of order) await world.push(world.clones[index] ?? "");
        const third = makeClone(world.hub);
        for (const dir of [...world.clones, third]) await fetch(dir);
        const views = await Promise.all([...world.clones, third].map(view));
        for (const each of views) expect(each).toEqual(views[0]);
        // Nothing is lost: what was written is there, open or closed.
        const shown = (views[0] ?? []).map((line) => line.replace(/ (open|closed) /, " "));
        expect(shown.sort()).toEqual([...world.written].map(([handle, name]) => `${name} ${handle}`).sort());
        for (const { warnings } of await readAllViews((await open(third)).port()))
          expect(warnings).toEqual([]);
      },
    ),
    { seed, numRuns: RUNS },
  );
});
