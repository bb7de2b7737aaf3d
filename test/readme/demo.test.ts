// The README's first block is what the demonstration prints; run on a clone of this repository.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/repo.js";

/** Times, ids and ages differ from run to run. */
function shape(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d/g, "<time>")
    .replace(/(?<=handoff show )[0-9a-f]{7}/g, "<handle>")
    .replace(/^\s*(?:\(use "git pull"|Your branch).*\n/gm, "")
    .trim();
}

const isClone = spawnSync("git", ["rev-parse", "--verify", "-q", "HEAD"], { cwd: root }).status === 0;

it.runIf(isClone)(
  "the README shows what npm run demo prints",
  () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const block = /```console\n(.*?)```/s.exec(readme)?.[1] ?? "";
    const printed = execFileSync(process.execPath, [join(root, "test/demo/demo.mjs"), "--plain"], {
      encoding: "utf8",
    });
    // The second time Bob switches: something has shifted by then.
    const scenes = printed.split(/^(?=bob \$ git switch)/m);
    const last = (scenes.at(-1) ?? "").split(/\n\n(?=# )/)[0] ?? "";
    expect(shape(last)).toBe(shape(block));
    expect(printed).toContain("The demonstration did what it should.");
  },
  180_000,
);
