// Commands start from V8's code cache where the user has a folder for it, and give the same answers without.
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMMANDS } from "../../src/commands/spec.js";
import { handoff, makeRepo, root, tempDir } from "../support/repo.js";

const INPUT = "intent: go on\nnext: [a step]\nstate: half done\npointers: [README.md]\n";

function write(cache: string | undefined) {
  const args = ["write", "--from", "-", "--dry-run"];
  const result = handoff(makeRepo("cached"), args, {
    input: INPUT,
    env: { XDG_CACHE_HOME: cache, HOME: cache ?? "" },
  });
  return { ...result, stdout: result.stdout.match(/^intent: .*$/m)?.[0] };
}

const kinds = (cache: string) =>
  readdirSync(join(cache, "git-handoff")).map((name) => name.replace(/-[0-9a-f]{32}-v.*$/, ""));

it("is made for each command with its libraries, and gives the same answers", () => {
  const cache = tempDir("cache");
  const first = write(cache);
  expect(first).toEqual({ code: 0, stdout: "intent: go on", stderr: "" });
  expect(kinds(cache)).toEqual(
    expect.arrayContaining(["cli-write", "cli-write-lib-yaml", "cli-write-lib-zod"]),
  );
  expect(write(cache)).toEqual(first);
  expect(write(undefined)).toEqual(first);
  handoff(makeRepo("other"), ["list"], { env: { XDG_CACHE_HOME: cache } });
  expect(kinds(cache)).toContain("cli-list");
});

it("is not taken when it is damaged, and made anew", () => {
  const cache = tempDir("cache");
  write(cache);
  const folder = join(cache, "git-handoff");
  for (const name of readdirSync(folder)) {
    const damaged = readFileSync(join(folder, name)).fill(7, 2000, 9000);
    writeFileSync(join(folder, name), damaged);
    expect(write(cache)).toMatchObject({ code: 0, stdout: "intent: go on", stderr: "" });
    expect(readFileSync(join(folder, name)).equals(damaged)).toBe(false);
  }
});

it("is not made of a call that failed, nor one for each word that is no command", () => {
  const cache = tempDir("cache");
  const env = { XDG_CACHE_HOME: cache };
  expect(handoff(tempDir(), ["list"], { env }).code).toBe(128);
  expect(readdirSync(cache)).toEqual([]);
  handoff(makeRepo("words"), ["some-branch"], { env });
  expect(kinds(cache)).toEqual(["cli"]);
});

it("takes away what versions of long ago left, and nothing newer, and nothing of anybody else", () => {
  const cache = tempDir("cache");
  write(cache);
  const folder = join(cache, "git-handoff");
  const made = readdirSync(folder);
  const old = `cli-list-${"0".repeat(32)}-v20.0.0-x64`;
  const half = `${old}.4711`;
  const recent = `cli-list-${"1".repeat(32)}-v20.0.0-x64`;
  for (const name of [old, half, recent, "notes"]) writeFileSync(join(folder, name), "left");
  const longAgo = Date.now() / 1000 - 90 * 86_400;
  for (const name of [old, half, "notes", ...made]) utimesSync(join(folder, name), longAgo, longAgo);
  handoff(makeRepo("later"), ["list"], { env: { XDG_CACHE_HOME: cache } });
  const left = readdirSync(folder);
  expect(left).toEqual(expect.arrayContaining([recent, "notes"]));
  expect(left).not.toEqual(expect.arrayContaining([old]));
  expect(left).not.toEqual(expect.arrayContaining([half]));
  // What this version made is made anew when it is next needed.
  expect(write(cache).code).toBe(0);
  expect(kinds(cache)).toEqual(expect.arrayContaining(["cli-list", "cli-write"]));
});

it("has a cache of its own only for what is a command", () => {
  const text = readFileSync(join(root, "src/cli-start.ts"), "utf8");
  const often = /OFTEN = \/\^\(\?:([a-z|]+)\)\$\//.exec(text)?.[1]?.split("|") ?? [];
  expect(often.length).toBeGreaterThan(5);
  expect(COMMANDS.map(({ name }) => name)).toEqual(expect.arrayContaining(often));
});
