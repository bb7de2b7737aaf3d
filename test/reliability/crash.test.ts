// kill -9 at random moments: of the program, of a git under it, of everything it started. What was reported is
// there, an event is there whole or not at all, and the next command works.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commit, git, makeRepo, tempDir } from "../support/repo.js";
import { chance, scale } from "./chance.js";
import { expectTidy, expectWhole, killAll, processesOf, run, settled, start } from "./program.js";

const KILLS = scale(24, 300);
const FIRST = scale(4, 30);
const OPERATIONS = ["write", "append", "close", "ack", "install", "sync"] as const;
type Operation = (typeof OPERATIONS)[number];
/** Who dies: node alone, everything at once (the machine), or one git, or everything while the n-th git runs. */
const VICTIMS = ["program", "everything", "one git", "in a git call"] as const;

/** A `git` that kills whatever runs with the same mark, itself included, some milliseconds into its n-th call. */
function lethalGit(): string {
  const dir = tempDir("lethal");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(
    join(dir, "git"),
    `#!/bin/sh
[ -n "$KILL_AT" ] || exec '${real}' "$@"
echo >>"$KILL_COUNT"
[ "$(wc -l <"$KILL_COUNT")" -eq "$KILL_AT" ] || exec '${real}' "$@"
'${real}' "$@" <&0 &
sleep "$KILL_AFTER"
kill -9 $! $PPID $$
`,
  );
  chmodSync(join(dir, "git"), 0o755);
  return dir;
}

function locksIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lock"));
}

test(`${KILLS} kills lose nothing that was reported and block nothing`, { timeout: 1_800_000 }, async () => {
  const random = chance("crash");
  const hub = join(tempDir("hub"), "hub.git");
  git(tempDir(), "init", "-q", "--bare", hub);
  const dir = join(tempDir("ada"), "ada");
  git(tempDir(), "clone", "-q", hub, dir);
  commit(dir, { "README.md": "# fixture\n" });
  git(dir, "push", "-q", "origin", "main");
  const lethal = lethalGit();
  /** Milliseconds each took when nobody killed it. */
  const usual: Partial<Record<Operation, number>> = {};
  /** Object ids of documents reported as written. */
  const reported = new Set<string>();
  const tally: Record<string, number> = {};
  let turn = 0;

  /** Handles in a folder, by git's plumbing: the program itself is asked now and then, as it is slower. */
  const live = (folder: "open" | "inbox"): string[] => {
    const refs = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/").split("\n").filter(Boolean);
    const names = refs.flatMap((one) => git(dir, "ls-tree", "--name-only", one, `${folder}/`).split("\n"));
    return names.filter(Boolean).map((name) => name.slice(-10, -3));
  };
  const shown = async (folder: "open" | "inbox"): Promise<string[]> => {
    const answer = await run(dir, ["list", "--all", "--json"]);
    expectTidy(answer, ["list"]);
    const items = JSON.parse(answer.stdout).handoffs as { handle: string; state: string }[];
    return items.filter(({ state }) => state === folder).map(({ handle }) => handle);
  };
  const must = async (args: string[]): Promise<string> => {
    const answer = await run(dir, args);
    expect({ args, ...answer, stderr: answer.code === 0 ? "" : answer.stderr }).toMatchObject({
      code: 0,
      stderr: "",
    });
    note(args, answer.stdout);
    return answer.stdout;
  };
  /** What the program said that it did is done, also when it was killed right after saying so. */
  const note = (args: readonly string[], stdout: string): void => {
    let said: { ref: string; path: string; commit: string } | undefined;
    try {
      said = JSON.parse(stdout);
    } catch {
      return;
    }
    if (args[0] === "write" && said) reported.add(git(dir, "rev-parse", `${said.commit}:${said.path}`));
  };
  const ref = (): string | null => {
    const [name] = git(dir, "for-each-ref", "--format=%(refname)", "refs/handoff/main/").split("\n");
    return name || null;
  };
  const tips = (): string => git(dir, "for-each-ref", "--format=%(refname) %(objectname)", "refs/handoff/");
  const prepared = async (operation: Operation): Promise<string[]> => {
    const intent = `intent ${turn}`;
    if (operation === "ack") {
      const [there] = live("inbox");
      const handle =
        there ??
        JSON.parse(
          await must(["write", "--inbox", "--no-breaking", "--impact", "x", "-m", intent, "--json"]),
        ).id.slice(-7);
      return ["ack", handle, "--json"];
    }
    const [open] = operation === "install" || operation === "sync" ? [] : live("open");
    if (operation === "write") return ["write", ...(open ? ["--overwrite"] : []), "-m", intent, "--json"];
    if (operation === "append") return ["write", ...(open ? ["--append"] : []), "-m", intent, "--json"];
    if (operation === "close") {
      if (!open) await must(["write", "-m", intent, "--json"]);
      return ["close", "--json"];
    }
    if (operation === "install") return [random.pick(["install", "uninstall"])];
    await must(["write", "--append", "-m", intent, "--json"]);
    return ["sync", "--json"];
  };

  for (turn = 0; turn < KILLS; turn++) {
    const operation = OPERATIONS[turn % OPERATIONS.length] as Operation;
    const victim = random.pick(VICTIMS);
    const args = await prepared(operation);
    const before = tips();
    const env =
      victim === "in a git call"
        ? {
            PATH: `${lethal}:${process.env.PATH}`,
            KILL_AT: String(1 + random.upTo(operation === "sync" ? 24 : 14)),
            KILL_COUNT: join(tempDir("count"), "calls"),
            KILL_AFTER: (random.fraction() * 0.02).toFixed(4),
          }
        : {};
    const started = start(dir, args, { env });
    if (victim !== "in a git call") {
      await Promise.race([sleep(random.fraction() * 1.1 * (usual[operation] ?? 1000)), started.ended]);
      const pid = started.child.pid ?? 0;
      if (victim === "program") started.child.kill("SIGKILL");
      else if (victim === "everything") killAll(started.mark);
      else {
        // Waits for the next git when there is none at this moment.
        let gits: number[] = [];
        while (gits.length === 0 && started.child.exitCode === null) {
          gits = processesOf(started.mark).filter((each) => each !== pid);
          await sleep(1);
        }
        for (const one of gits.slice(0, 1)) {
          try {
            process.kill(one, "SIGKILL");
          } catch {
            // It had ended.
          }
        }
      }
    }
    const answer = await started.ended;
    await settled(started.mark);
    const said = JSON.stringify({ turn, operation, victim, args, ...answer });
    if (answer.code !== null) expectTidy(answer, args);
    note(args, answer.stdout);
    const locks = locksIn(join(dir, ".git"));
    for (const [what, count] of [
      [`${victim}: ${answer.code === null ? "killed" : `ended with ${answer.code}`}`, 1],
      ["locks left", locks.length],
    ] as const)
      tally[what] = (tally[what] ?? 0) + count;

    // One event or none.
    const after = tips();
    for (const line of after.split("\n").filter((each) => each !== "" && !before.includes(each))) {
      const [name = "", oid = ""] = line.split(" ");
      const was = before.split("\n").find((each) => each.startsWith(`${name} `));
      const parents = git(dir, "rev-list", "--parents", "-1", oid).split(" ").slice(1);
      expect(parents, said).toEqual(was ? [was.split(" ")[1]] : []);
    }
    expectWhole(dir);
    for (const oid of reported) expect(git(dir, "cat-file", "-t", oid), said).toBe("blob");
    if (answer.code === 0 && operation === "close") expect(live("open"), said).toEqual([]);
    if (answer.code === 0 && operation === "ack") expect(live("inbox"), said).not.toContain(args[1]);

    // The next command, whatever was left behind.
    const begun = Date.now();
    const again = await run(
      dir,
      operation === "write" || operation === "append" ? await prepared(operation) : args,
    );
    const next = JSON.stringify({ locks, again, said });
    // Closed or acknowledged already: there is nothing more to do.
    if (operation === "close" && answer.code !== 0) expect([0, 1], next).toContain(again.code);
    else if (operation === "close") expect(again.code, next).toBe(1);
    else expect(again.code, next).toBe(0);
    note(args, again.stdout);
    usual[operation] = Math.min(3000, Date.now() - begun);
    expect(locksIn(join(dir, ".git")), next).toEqual([]);
    expect(live("open").length, next).toBeLessThanOrEqual(1);
    if (turn % 10 === 0)
      for (const folder of ["open", "inbox"] as const)
        expect((await shown(folder)).sort(), next).toEqual(live(folder).sort());
  }
  await must(["sync"]);
  const there = git(hub, "rev-list", "--objects", "--all");
  for (const oid of reported) expect(there).toContain(oid);
  expect(git(hub, "rev-parse", ref() ?? "")).toBe(git(dir, "rev-parse", ref() ?? ""));
  expect(git(dir, "config", "--get-all", "handoff.writer").split("\n")).toHaveLength(1);
  expectWhole(hub);
  const counts = Object.entries(tally).map(([what, count]) => `${what} ${count}`);
  console.log(`crash: ${KILLS} kills; ${counts.sort().join(", ")}`);
});

test(`${FIRST} kills during the very first write leave at most one writer id, and the next write works`, {
  timeout: 600_000,
}, async () => {
  const random = chance("first write");
  const source = makeRepo("source");
  const lethal = lethalGit();
  let named = 0;
  for (let turn = 0; turn < FIRST; turn++) {
    const dir = join(tempDir("first"), "first");
    git(tempDir(), "clone", "-q", source, dir);
    const env = {
      PATH: `${lethal}:${process.env.PATH}`,
      KILL_AT: String(1 + random.upTo(12)),
      KILL_COUNT: join(tempDir("count"), "calls"),
      KILL_AFTER: (random.fraction() * 0.01).toFixed(4),
    };
    const started = start(dir, ["write", "-m", "first"], { env });
    const answer = await started.ended;
    await settled(started.mark);
    const next = () => run(dir, ["write", "--overwrite", "-m", "second"]);
    let again = await next();
    // git's own lock on its configuration is named, as it guards more than ours.
    if (again.code === 128 && again.stderr.includes("could not lock config file")) {
      named++;
      rmSync(join(dir, ".git/config.lock"));
      again = await next();
    }
    expect(again.code, JSON.stringify({ turn, answer, again })).toBe(0);
    expect(git(dir, "config", "--get-all", "handoff.writer").split("\n")).toHaveLength(1);
    expect(git(dir, "for-each-ref", "--format=x", "refs/handoff/")).toBe("x");
    expectWhole(dir);
  }
  // Counts of the run: kills that hit nothing would show here.
  console.log(`first write: ${FIRST} kills, config.lock left and named ${named} times`);
});
