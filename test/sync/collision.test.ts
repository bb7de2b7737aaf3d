// Section by section what a refused push of the own log can mean, on real remotes.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, handoff, tempDir } from "../support/repo.js";
import { seed } from "../support/seed.js";
import {
  closeAll,
  fetch,
  guardForwardOnly,
  inHub,
  makeClone,
  makeHub,
  push,
  putHook,
  refs,
  switchTo,
  view,
  writerOf,
} from "./support.js";

const MORE = (n: number) => ({
  mode: "append" as const,
  meta: { intent: `step ${n}`, written: `2026-05-0${n}T10:00:00+00:00` },
});

async function pushed(): Promise<{ hub: string; dir: string; ref: string }> {
  const hub = makeHub();
  guardForwardOnly(hub, join(tempDir(), "log"));
  const dir = makeClone(hub);
  const { ref } = await seed(dir);
  await push(dir);
  return { hub, dir, ref };
}

function copyOf(dir: string): string {
  const copy = join(tempDir("copy"), "work");
  cpSync(dir, copy, { recursive: true });
  return copy;
}

async function sameEverywhere(hub: string, ...dirs: string[]): Promise<string[]> {
  const third = makeClone(hub);
  for (const dir of [...dirs, third]) await fetch(dir);
  const views = await Promise.all([...dirs, third].map(view));
  for (const each of views) expect(each).toEqual(views[0]);
  return views[0] ?? [];
}

describe("a refused push of the own log", () => {
  it("copied directory: the second takes a new id for all its branches and keeps everything", async () => {
    const { hub, dir, ref } = await pushed();
    switchTo(dir, "side");
    await seed(dir, { branch: "side", meta: { intent: "on the side" } });
    git(dir, "checkout", "-q", "main");
    const copy = copyOf(dir);
    const old = writerOf(dir);
    await seed(dir, MORE(2));
    await seed(copy, MORE(3));
    await push(dir);
    const result = handoff(copy, ["push"]);
    const own = writerOf(copy);
    expect(own).not.toBe(old);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain(`Another clone writes as ${old} too`);
    expect(result.stderr).toContain(`now writes as ${own}.`);
    expect(Object.keys(refs(copy, "refs/handoff/"))).toEqual(
      [`refs/handoff/main/${old}`, `refs/handoff/main/${own}`]
        .concat([`refs/handoff/side/${old}`, `refs/handoff/side/${own}`])
        .sort(),
    );
    // A new root: the other's history does not come along.
    expect(git(copy, "rev-list", "--count", `refs/handoff/main/${own}`)).toBe("1");
    expect(inHub(hub, "rev-parse", ref)).toBe(git(dir, "rev-parse", ref));
    await push(dir, { all: true });
    await push(copy, { all: true });
    const shown = await sameEverywhere(hub, dir, copy);
    expect(shown.filter((line) => line.startsWith("main open"))).toHaveLength(2);
    expect(shown.filter((line) => line.startsWith("side open"))).toHaveLength(1);
    expect(handoff(copy, ["push", "--json"]).stdout).toContain('"new_writer": null');
  });

  it("copied directory, different branches: harmless, no new id", async () => {
    const { hub, dir } = await pushed();
    const copy = copyOf(dir);
    switchTo(copy, "side");
    await seed(copy, { branch: "side", meta: { intent: "on the side" } });
    await seed(dir, MORE(2));
    await push(dir);
    expect((await push(copy)).newWriter).toBe(null);
    expect(writerOf(copy)).toBe(writerOf(dir));
    await sameEverywhere(hub, dir, copy);
  });

  it("restored backup: ours moves forward to what the remote has, no new id", async () => {
    const { hub, dir, ref } = await pushed();
    const backup = copyOf(dir);
    await seed(dir, MORE(2));
    await closeAll(dir);
    await push(dir);
    const { newWriter, refs: sent } = await push(backup);
    expect(newWriter).toBe(null);
    expect(sent).toMatchObject([{ ref, status: "up-to-date" }]);
    expect(git(backup, "rev-parse", ref)).toBe(inHub(hub, "rev-parse", ref));
    await seed(backup, { meta: { intent: "go on from the backup", written: "2026-05-09T10:00:00+00:00" } });
    expect((await push(backup)).refs).toMatchObject([{ ref, status: "updated" }]);
    await sameEverywhere(hub, backup, dir);
  });

  it("two worktrees, the older push second: sent again, no new id", async () => {
    const { hub, dir, ref } = await pushed();
    git(dir, "worktree", "add", "-q", "--detach", "../linked");
    const linked = join(dir, "../linked");
    await seed(dir, MORE(2));
    const older = git(dir, "rev-parse", ref);
    await seed(dir, MORE(3));
    // While the first worktree's push of the older tip is on its way the second one's push arrives.
    putHook(
      hub,
      "update",
      `[ "$3" = ${older} ] && [ ! -e "$GIT_DIR/once" ] && { : >"$GIT_DIR/once"; git --git-dir='${dir}/.git' push -q "$PWD" ${ref}; }; exit 0`,
    );
    expect(git(linked, "rev-parse", ref)).not.toBe(older);
    const { newWriter, refs: sent } = await push(linked);
    expect(newWriter).toBe(null);
    expect(sent[0]?.status).not.toBe("rejected");
    git(dir, "push", "-q", hub, `${ref}:${ref}`);
    expect(inHub(hub, "rev-parse", ref)).toBe(git(dir, "rev-parse", ref));
  });

  it("many pushes of one clone at once: all are sent, no new id", async () => {
    const { hub, dir, ref } = await pushed();
    for (let n = 2; n < 5; n++) {
      await seed(dir, MORE(n));
      const sent = await Promise.all([push(dir), push(dir), push(dir)]);
      expect(sent.map(({ newWriter }) => newWriter)).toEqual([null, null, null]);
      expect(sent.flatMap(({ refs: each }) => each).filter(({ status }) => status === "rejected")).toEqual(
        [],
      );
      expect(inHub(hub, "rev-parse", ref)).toBe(git(dir, "rev-parse", ref));
    }
  });

  it("copied directories that push at once, each from two worktrees: one new id for each that comes second", async () => {
    const { hub, dir } = await pushed();
    const copies = [copyOf(dir), copyOf(dir)];
    for (const [n, copy] of copies.entries()) await seed(copy, MORE(n + 2));
    const sent = await Promise.all([...copies, ...copies].map((copy) => push(copy)));
    expect(sent.flatMap(({ refs: each }) => each).filter(({ status }) => status === "rejected")).toEqual([]);
    const writers = [dir, ...copies].map(writerOf);
    expect(new Set(writers).size).toBe(2);
    expect(Object.keys(refs(hub, "refs/handoff/"))).toHaveLength(2);
    const shown = await sameEverywhere(hub, ...copies, dir);
    expect(shown.filter((line) => line.startsWith("main open"))).toHaveLength(2);
  });

  it("killed while it took a new id: the next push brings what the old one had", async () => {
    const { hub, dir } = await pushed();
    const copy = copyOf(dir);
    const old = writerOf(copy);
    await seed(copy, MORE(3));
    // What a kill after the first step leaves.
    git(copy, "config", "handoff.formerWriter", old);
    git(copy, "config", "handoff.writer", "ada-lovelace-abcdef");
    await seed(dir, MORE(2));
    await push(dir);
    const { refs: sent } = await push(copy);
    expect(sent).toMatchObject([{ ref: "refs/handoff/main/ada-lovelace-abcdef", status: "new" }]);
    const shown = await sameEverywhere(hub, dir, copy);
    expect(shown.filter((line) => line.startsWith("main open"))).toHaveLength(2);
    // Once is enough.
    const before = refs(copy, "refs/handoff/");
    await push(copy);
    expect(refs(copy, "refs/handoff/")).toEqual(before);
  });

  it("the remote's tip is not known here yet ((fetch first), gush#429)", async () => {
    const { hub, dir, ref } = await pushed();
    const fresh = makeClone(hub);
    git(fresh, "config", "handoff.writer", writerOf(dir));
    await seed(fresh, MORE(4));
    const { newWriter, refs: sent } = await push(fresh);
    expect(newWriter?.old).toBe(writerOf(dir));
    expect(sent.every(({ status }) => status !== "rejected")).toBe(true);
    expect(inHub(hub, "rev-parse", ref)).toBe(git(dir, "rev-parse", ref));
  });
});

describe("a remote that moves between fetch and push", () => {
  it.each([1, 3, 5])(
    "%i times by worktrees of this clone: all is sent in the end (ladybird#785)",
    async (k) => {
      const { hub, dir, ref } = await pushed();
      const steps: string[] = [];
      for (let n = 2; n < 8; n++) {
        await seed(dir, MORE(n));
        steps.push(git(dir, "rev-parse", ref));
      }
      // The server's `update` hook stands for whoever pushes at the same moment: it moves the ref under the push.
      putHook(
        hub,
        "update",
        `n=$(($(cat "$GIT_DIR/count" 2>/dev/null || echo 0) + 1))
echo $n >"$GIT_DIR/count"
[ $n -gt ${k} ] && exit 0
ref=$1; set -- ${steps.join(" ")}; shift $((n - 1))
git update-ref "$ref" "$1"`,
      );
      const { refs: sent, newWriter } = await push(dir);
      expect(newWriter).toBe(null);
      expect(sent.map(({ status }) => status)).toEqual(["updated"]);
      expect(inHub(hub, "rev-parse", ref)).toBe(steps.at(-1));
      expect(readFileSync(join(hub, "count"), "utf8")).toBe(`${k + 1}\n`);
    },
  );

  it("for ever: ends within its bound, clearly", async () => {
    const { hub, dir } = await pushed();
    await seed(dir, MORE(2));
    // A lock that nobody takes away.
    putHook(hub, "update", `: >"$GIT_DIR/$1.lock"`);
    const result = handoff(dir, ["push"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(
      /^error: 1 of 1 refs not pushed to 'origin': (failed to update ref|.*cannot lock.*|incorrect old value.*|reference already exists), 10 times in a row$/m,
    );
  });
});
