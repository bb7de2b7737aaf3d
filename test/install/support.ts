import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { git, makeRepo, put, tempDir } from "../support/repo.js";

/**
 * Gits to test with: the machine's own and one with hooks in its configuration. That is HANDOFF_TEST_GIT, or one
 * on PATH that is named after its version, such as `git255`.
 */
export const GITS: { name: string; path: string | null; configHooks: boolean }[] = [
  { name: "git", path: null, configHooks: isNew("git") },
  ...besideGits().map((path) => ({ name: path, path, configHooks: isNew(path) })),
];

function besideGits(): string[] {
  const named = process.env.HANDOFF_TEST_GIT;
  if (named) return [named];
  const found = (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /\/git[23]\d{1,2}$/.test(path) && isNew(path));
  if (found.length === 0 && !isNew("git")) {
    console.warn(
      "SKIPPED: hooks in git's configuration: no git 2.54 or newer here (HANDOFF_TEST_GIT names one)",
    );
  }
  return found.slice(0, 1);
}

function isNew(program: string): boolean {
  const [, major = 0, minor = 0] =
    /(\d+)\.(\d+)/.exec(execFileSync(program, ["version"], { encoding: "utf8" })) ?? [];
  return Number(major) > 2 || Number(minor) >= 54;
}

/** The environment in which `git` is that git. */
export function withGit(path: string | null): Record<string, string | undefined> {
  if (path === null) return { ...process.env };
  const folder = tempDir("bin");
  symlinkSync(path, join(folder, "git"));
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` };
}

export function open(
  dir: string,
  env: Record<string, string | undefined> = process.env,
): Promise<Repository> {
  return Repository.open(dir, env, execaGit());
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function run(
  dir: string,
  env: Record<string, string | undefined>,
  program: string,
  ...args: string[]
): Ran {
  const result = spawnSync(program, args, { cwd: dir, env, encoding: "utf8", input: "" });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** Every file below a folder with its mode and bytes, links by where they lead. */
export function snapshot(
  folder: string,
  skip: (path: string) => boolean = () => false,
): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (at: string, name: string): void => {
    for (const entry of existsSync(at) ? readdirSync(at) : []) {
      const path = join(at, entry);
      const relative = name === "" ? entry : `${name}/${entry}`;
      if (skip(relative)) continue;
      const stat = lstatSync(path);
      if (stat.isDirectory()) walk(path, relative);
      else if (stat.isSymbolicLink()) found[relative] = `link ${readlinkSync(path)}`;
      else found[relative] = `${(stat.mode & 0o7777).toString(8)} ${readFileSync(path, "latin1")}`;
    }
  };
  walk(folder, "");
  return found;
}

/** What install may touch in a repository: config, hooks and its own folder. */
export function gitSide(dir: string): Record<string, string> {
  return snapshot(
    join(dir, ".git"),
    (path) => !/^(config|hooks|handoff)(\/|$)/.test(path) || path.endsWith(".sample"),
  );
}

export function putHook(dir: string, text: string, mode = 0o755, name = ".git/hooks/post-checkout"): void {
  put(dir, name, text);
  chmodSync(join(dir, name), mode);
}

/** A clone of a fresh repository, so that there is a remote. */
export function makeClone(): string {
  const origin = makeRepo("origin");
  const dir = join(tempDir("clone"), "clone");
  git(origin, "clone", "-q", origin, dir);
  mkdirSync(join(dir, ".git", "hooks"), { recursive: true });
  return dir;
}
