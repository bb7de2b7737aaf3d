// What a user gets: the packed tarball, installed globally into a throwaway prefix.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { git, makeRepo, root, tempDir } from "../support/repo.js";

interface Packed {
  filename: string;
  unpackedSize: number;
  files: { path: string; mode: number }[];
}

const prefix = tempDir("prefix");
const installed = join(prefix, "lib/node_modules/git-handoff");
const env = { ...process.env, PATH: `${join(prefix, "bin")}:${process.env.PATH}` };
let packed: Packed;

function npm(cwd: string, ...args: string[]): string {
  const quiet = ["--offline", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  return execFileSync("npm", [...args, ...quiet, "--ignore-scripts"], { cwd, encoding: "utf8", env });
}

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: tempDir(), env, encoding: "utf8" });
  return { status, stdout, stderr };
}

beforeAll(() => {
  const place = tempDir("pack");
  const [entry] = JSON.parse(npm(root, "pack", "--json", "--pack-destination", place)) as Packed[];
  if (!entry) throw new Error("npm packed nothing");
  packed = entry;
  npm(place, "install", "--global", "--prefix", prefix, join(place, packed.filename));
});

describe("the tarball", () => {
  it("holds these files and no others", () => {
    const kinds = packed.files.map(({ path }) =>
      path
        .replace(/^dist\/chunks\/[\w.-]+\.js$/, "dist/chunks/*.js")
        .replace(/^dist\/lib-[\w-]+\.cjs$/, "dist/lib-*.cjs")
        .replace(/^dist\/types\/.*\.d\.ts$/, "dist/types/**.d.ts"),
    );
    expect([...new Set(kinds)].sort()).toMatchInlineSnapshot(`
      [
        ".claude-plugin/marketplace.json",
        ".claude-plugin/plugin.json",
        ".codex-plugin/plugin.json",
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "dist/.version",
        "dist/chunks/*.js",
        "dist/cli-list.cjs",
        "dist/cli-main.cjs",
        "dist/cli.cjs",
        "dist/git-handoff.js",
        "dist/hook-full.cjs",
        "dist/hook-main.cjs",
        "dist/hook.cjs",
        "dist/index.js",
        "dist/lib-*.cjs",
        "dist/man/git-handoff.1",
        "dist/types/**.d.ts",
        "hooks/hooks.json",
        "hooks/pi.ts",
        "hooks/post-checkout",
        "package.json",
        "skills/handoff/SKILL.md",
      ]
    `);
  });

  it("is small, and brings no dependencies and no install scripts", () => {
    expect(packed.unpackedSize).toBeLessThan(6_000_000);
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Record<
      string,
      object
    >;
    expect(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })).toEqual([]);
    expect(Object.keys(manifest.scripts ?? {}).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  });

  it("names nothing of the machine it was built on", () => {
    const naming = packed.files.filter(({ path }) =>
      readFileSync(join(installed, path), "utf8").includes(root),
    );
    expect(naming).toEqual([]);
  });
});

describe("the installed program", () => {
  it("is found by git", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(run("git", "handoff", "--version")).toEqual({
      status: 0,
      stdout: `git-handoff version ${version}\n`,
      stderr: "",
    });
    expect(run("git", "handoff", "-h")).toMatchObject({ status: 129, stderr: "" });
  });

  it("writes and reads in a repository, with options of git in front and by an alias", () => {
    const repo = makeRepo("installed");
    expect(run("git", "-C", repo, "handoff", "write", "-m", "Split the parser")).toMatchObject({ status: 0 });
    const read = run("git", `--git-dir=${repo}/.git`, `--work-tree=${repo}`, "handoff", "--json");
    expect(read.status).toBe(0);
    expect(JSON.parse(read.stdout)).toMatchObject({
      branch: "main",
      handoffs: [{ intent: "Split the parser" }],
    });
    git(repo, "config", "alias.park", "handoff list");
    expect(run("git", "-C", repo, "park").stdout).toContain("Split the parser");
  });

  it("has its man page beside it", () => {
    expect(readFileSync(join(prefix, "share/man/man1/git-handoff.1"), "utf8")).toContain(".SH NAME");
  });

  it.skipIf(!existsSync("/usr/bin/man"))("has a man page that man finds", () => {
    expect(run("man", "-w", "git-handoff").stdout.trim()).toBe(join(installed, "dist/man/git-handoff.1"));
  });

  it.skipIf(!existsSync("/usr/bin/man"))("opens it for git handoff --help, as git does for its own", () => {
    for (const words of [
      ["handoff", "--help"],
      ["help", "handoff"],
    ]) {
      const { status, stdout, stderr } = run("git", ...words);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout.replace(/.\u0008/g, "")).toMatch(/^GIT-HANDOFF\(1\)[\s\S]*git handoff write/);
    }
  });

  it.each(["bash", "zsh", "fish"])("prints its completions for %s", (shell) => {
    const { status, stdout, stderr } = run("git", "handoff", "completion", shell);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("handoff");
    if (existsSync(`/usr/bin/${shell}`)) {
      const file = join(tempDir("completion"), "script");
      writeFileSync(file, stdout);
      expect(run(shell, "-n", file)).toEqual({ status: 0, stdout: "", stderr: "" });
    }
  });
});

const CONSUMER = `import { openHandoffs, type Handoffs } from "git-handoff";
const handoffs: Handoffs = await openHandoffs({ dir: "." });
const intents: string[] = (await handoffs.list({ all: true })).map(({ intent }) => intent ?? "");
const written = await handoffs.write({ intent: "go on", next: ["one"] });
const handle: string = written.handle;
// @ts-expect-error an intent is a string
await handoffs.write({ intent: 1 });
export { intents, handle };
`;

function readmeExample(): string {
  const [, example] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  if (!example) throw new Error("the README has no example for programs");
  return example;
}

describe("the library's types", () => {
  it("need no package but this one", () => {
    const seen = new Set<string>();
    const foreign: string[] = [];
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, path] of readFileSync(file, "utf8").matchAll(
        /(?:\bfrom |\bimport\(|\bimport )"([^"]+)"/g,
      )) {
        if (path?.startsWith(".")) visit(join(file, "..", path.replace(/\.js$/, ".d.ts")));
        else foreign.push(`${file}: ${path}`);
      }
    };
    visit(join(installed, "dist/types/index.d.ts"));
    expect(foreign).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  });

  it.each([
    ["one that is strict and checks its libraries", CONSUMER],
    ["the README's", readmeExample()],
  ])("serve a consumer: %s", (_, program) => {
    const consumer = tempDir("consumer");
    cpSync(installed, join(consumer, "node_modules/git-handoff"), { recursive: true });
    writeFileSync(join(consumer, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(consumer, "main.ts"),
      `${program}\ndeclare const console: { log(...words: unknown[]): void };\n`,
    );
    const flags = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", ""];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const checked = spawnSync(process.execPath, [tsc, ...flags, "main.ts"], {
      cwd: consumer,
      encoding: "utf8",
    });
    expect(checked.stdout + checked.stderr).toBe("");
    expect(checked.status).toBe(0);
  });
});
