import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fs as memory, vol } from "memfs";
import { describe } from "vitest";
import { isomorphicEngine } from "../../src/git/engine-isomorphic.js";
import type { StoragePort } from "../../src/git/port.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { spawnGit } from "../../src/git/spawn.js";
import { git, tempDir } from "../support/repo.js";
import { contract } from "./contract.js";

/** One folder for all repositories of a run. */
const place = tempDir("contract");

function init(...args: string[]): string {
  const dir = fs.mkdtempSync(join(place, "r-"));
  git(dir, "init", "-q", ...args);
  return dir;
}

async function withGit(dir: string, run = execaGit()): Promise<StoragePort> {
  return (await Repository.open(dir, process.env, run)).port();
}

const reftable = /--ref-format/.test(
  execFileSync("sh", ["-c", "git init -h 2>&1 || :"], { encoding: "utf8" }),
);

describe("git engine", () => {
  describe("sha1", () => contract({ format: "sha1", make: () => withGit(init()) }));
  describe("sha256", () =>
    contract({ format: "sha256", make: () => withGit(init("--object-format=sha256")) }));
  describe("bare, through node:child_process", () =>
    contract({ format: "sha1", make: () => withGit(init("--bare"), spawnGit()) }));
  describe.runIf(reftable)("reftable", () =>
    contract({ format: "sha1", make: () => withGit(init("--ref-format=reftable")) }),
  );
});

/** What `git init` makes, in memory and without git. */
let volumes = 0;
function initInMemory(): string {
  const dir = `/r${volumes++}`;
  vol.fromJSON(
    {
      HEAD: "ref: refs/heads/main\n",
      config: "[core]\n\trepositoryformatversion = 0\n",
      "objects/info/packs": "",
      "refs/heads/.keep": "",
    },
    `${dir}/.git`,
  );
  vol.unlinkSync(`${dir}/.git/refs/heads/.keep`);
  return dir;
}

describe("isomorphic-git engine", () => {
  describe("on disk", () => contract({ format: "sha1", make: () => isomorphicEngine({ fs, dir: init() }) }));
  describe("in memory", () =>
    contract({ format: "sha1", make: () => isomorphicEngine({ fs: memory, dir: initInMemory() }) }));
  describe("in a linked worktree", () =>
    contract({
      format: "sha1",
      make: () => {
        const dir = init();
        git(dir, "commit", "-q", "--allow-empty", "-m", "first");
        git(dir, "worktree", "add", "-q", `${dir}-linked`);
        return isomorphicEngine({ fs, dir: `${dir}-linked` });
      },
    }));
});
