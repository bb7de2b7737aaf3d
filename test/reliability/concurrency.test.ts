// Many processes on one repository: nothing that was reported gets lost, and none of them fails for the others.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commit, git, handoff, makeRepo, put, tempDir } from "../support/repo.js";
import { type Chance, chance, scale } from "./chance.js";
import { expectTidy, expectWhole, run } from "./program.js";

const APPENDS = scale(3, 10);
const ROUNDS = scale(2, 12);

test(`eight processes in a fresh clone append ${APPENDS} times each`, { timeout: 600_000 }, async () => {
  const clone = join(tempDir("fresh"), "fresh");
  git(tempDir(), "clone", "-q", makeRepo("source"), clone);
  await Promise.all(
    Array.from({ length: 8 }, async (_, process) => {
      for (let turn = 0; turn < APPENDS; turn++) {
        const args = ["write", "--append", "-m", `process ${process} turn ${turn}`];
        const { code, stderr } = await run(clone, args);
        expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
      }
    }),
  );
  expect(git(clone, "config", "--local", "--get-all", "handoff.writer").split("\n").length).toBeGreaterThan(
    0,
  );
  expect(git(clone, "for-each-ref", "--format=%(refname)", "refs/handoff/").split("\n")).toHaveLength(1);
  const { events } = JSON.parse(handoff(clone, ["log", "--json"]).stdout) as { events: { id: string }[] };
  expect(events).toHaveLength(8 * APPENDS);
  const { handoffs } = JSON.parse(handoff(clone, ["list", "--closed", "--json"]).stdout);
  expect(handoffs).toHaveLength(8 * APPENDS);
  expect(handoffs.filter(({ state }: { state: string }) => state === "open")).toHaveLength(1);
  expectWhole(clone);
});

/** What a process may end with beside 0: a negative answer, never git's refusal. */
/** Answers that another process brought about; the command says so and does the rest. */
const CROSSED = /redacted here and not yet there|holds [0-9a-f]{7}, which was redacted|: stale info$/m;
const NEGATIVE = new Set([
  "write",
  "close",
  "ack",
  "show",
  "check",
  "reopen",
  "redact",
  "mv",
  "export",
  "doctor",
  // Each undoes the other: what the one asks git to run may be gone by then.
  "install",
  "uninstall",
]);

interface Turn {
  random: Chance;
  intent: string;
  handles: string[];
}

const COMMANDS: ((turn: Turn) => string[])[] = [
  ({ intent }) => ["write", "--append", "-m", intent, "--json"],
  ({ intent }) => ["write", "--overwrite", "-m", intent, "--json"],
  ({ intent }) => ["write", "-m", intent, "--json"],
  ({ intent }) => ["write", "--inbox", "--breaking", "--impact", "x", "-m", intent, "--json"],
  ({ intent }) => ["send", ".", "--no-breaking", "--impact", "x", "-m", intent, "--json"],
  () => ["close"],
  ({ random, handles }) => ["close", random.pick(handles), "-m", "done"],
  ({ random, handles }) => ["ack", random.pick(handles), "--decline"],
  ({ random, handles }) => ["reopen", random.pick(handles)],
  ({ random, handles }) => ["show", random.pick(handles), "--json"],
  ({ random, handles }) => ["export", random.pick(handles), "--format", "park"],
  ({ random, handles }) => ["redact", random.pick(handles), "--yes", "--json"],
  ({ random }) => ["mv", random.pick(["main", "w1", "w2"]), random.pick(["w3", "elsewhere"])],
  () => ["read", "--json"],
  () => ["check"],
  () => ["list", "--all", "--closed"],
  () => ["inbox"],
  () => ["log"],
  () => ["sync", "--all"],
  () => ["push"],
  () => ["fetch"],
  () => ["prune", "--force", "--older-than", "0"],
  () => ["install"],
  () => ["uninstall"],
  () => ["doctor"],
  () => ["session-start"],
  ({ intent }) => ["lesson", intent],
  () => ["import", "park.md"],
];

test(`sixteen processes over four worktrees mix all commands, ${ROUNDS} each, beside gc and repack`, {
  timeout: 1_800_000,
}, async () => {
  const random = chance("sixteen processes");
  const hub = join(tempDir("hub"), "hub.git");
  git(tempDir(), "init", "-q", "--bare", hub);
  const main = makeRepo("main");
  put(main, "park.md", "---\nintent: taken in\n---\n## State\n\nx\n");
  commit(main, {});
  git(main, "remote", "add", "origin", hub);
  git(main, "push", "-q", "origin", "main");
  const trees = [main];
  for (const name of ["w1", "w2", "w3"]) {
    const tree = join(tempDir(name), name);
    git(main, "worktree", "add", "-q", "-b", name, tree);
    trees.push(tree);
  }
  const outside = () =>
    [
      git(main, "for-each-ref", "refs/heads", "refs/tags"),
      ...trees.map((tree) => git(tree, "status", "--porcelain")),
    ].join("\n");
  const before = outside();
  const reported = new Map<string, string>();
  const redacted = new Set<string>();
  const handles = ["0000000"];
  const failures: string[] = [];
  let count = 0;
  let working = true;
  const upkeep = (async () => {
    for (let turn = 0; working; turn++) {
      const args =
        [
          ["pack-refs", "--all"],
          ["gc", "-q"],
          // With -a for -A, objects that are not yet named would go: unsafe beside any writer, as the README says.
          ["repack", "-Adq"],
        ][turn % 3] ?? [];
      git(main, ...args);
      await sleep(300);
    }
  })();
  const process = async (number: number): Promise<void> => {
    const tree = trees[number % trees.length] ?? main;
    for (let turn = 0; turn < ROUNDS; turn++) {
      const make =
        turn === 0 ? (COMMANDS[number % COMMANDS.length] ?? random.pick(COMMANDS)) : random.pick(COMMANDS);
      const args = make({ random, intent: `process ${number} turn ${turn}`, handles });
      if (args[0] === "redact") redacted.add(args[1] ?? "");
      const answer = await run(tree, args);
      count++;
      expectTidy(answer, args);
      const [verb = ""] = args;
      // Between the two halves of somebody's redact the remote's log is not to be touched; and what was taken in again
      // after it was redacted is not to be sent. Of two prunes one deletes a log on the remote, the other comes too late.
      if (answer.code === 1 && CROSSED.test(answer.stderr)) continue;
      if (answer.code !== 0 && !(answer.code === 1 && NEGATIVE.has(verb)))
        failures.push(JSON.stringify({ tree: number % 4, args, ...answer }));
      if (answer.code !== 0 || !["write", "send"].includes(verb)) continue;
      const {
        id,
        commit: at,
        path,
      } = JSON.parse(answer.stdout) as { id: string; commit: string; path: string };
      const handle = id.slice(-7);
      reported.set(handle, `${at}:${path}`);
      handles.push(handle);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, number) => process(number)));
  working = false;
  await upkeep;
  expect(failures).toEqual([]);
  expect(outside()).toBe(before);
  expectWhole(main);
  // Everything written and not redacted is in some log, or in its history when pruned.
  for (const handle of [...reported.keys()].filter((each) => !redacted.has(each)))
    expect(handoff(main, ["show", handle, "--raw"]), handle).toMatchObject({ code: 0 });
  // What was taken in again after its redaction stays here until somebody takes it out; of several a push names one.
  for (let turn = 0; turn < 10; turn++) {
    const [, handle] =
      /holds ([0-9a-f]{7}), which was redacted/.exec((await run(main, ["sync", "--all"])).stderr) ?? [];
    if (handle === undefined) break;
    expect(await run(main, ["redact", handle, "--yes"]), handle).toMatchObject({ code: 0 });
  }
  const ids = (tree: string): string[] => {
    const { handoffs } = JSON.parse(handoff(tree, ["list", "--all", "--closed", "--json"]).stdout);
    const items = handoffs as { id: string; state: string; branch: string }[];
    // The worktree's own branch comes first.
    return items.map(({ id, state, branch }) => `${branch} ${id} ${state}`).sort();
  };
  const view = ids(main);
  for (const tree of trees) expect(ids(tree)).toEqual(view);
  const writers = git(main, "for-each-ref", "--format=%(refname)", "refs/handoff/")
    .split("\n")
    .map((ref) => /([^/]+-[0-9a-f]{6})(?:-[0-9a-f]{7})?$/.exec(ref)?.[1]);
  expect(new Set(writers).size).toBe(1);
  const { code, stderr } = await run(main, ["sync", "--all"]);
  expect(code, stderr).toBe(0);
  const fresh = join(tempDir("fresh"), "fresh");
  git(tempDir(), "clone", "-q", hub, fresh);
  expect(handoff(fresh, ["fetch"])).toMatchObject({ code: 0 });
  expect(ids(fresh)).toEqual(view);
  expectWhole(hub);
  console.log(`sixteen processes: ${count} commands, ${reported.size} documents, ${redacted.size} redacted`);
});
