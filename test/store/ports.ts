// The ports that the store's tests run on: maps, and each real engine on a real repository.
import fs from "node:fs";
import { createFsFromVolume, Volume } from "memfs";
import { isomorphicEngine } from "../../src/git/engine-isomorphic.js";
import { hashObject } from "../../src/git/object.js";
import type { GitObject, StoragePort } from "../../src/git/port.js";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { MemoryPort } from "../support/memory-port.js";
import { git, tempDir } from "../support/repo.js";

export async function gitPort(dir: string): Promise<StoragePort> {
  return (await Repository.open(dir, process.env, execaGit())).port();
}

export function emptyRepo(...args: string[]): string {
  const dir = tempDir("store");
  git(dir, "init", "-q", ...args);
  return dir;
}

const ADA = { name: "Ada", email: "ada@example.com" };

/** What `git init --bare` makes, in memory. */
async function memoryEngine(): Promise<StoragePort> {
  const files = {
    "/repo/HEAD": "ref: refs/heads/main\n",
    "/repo/config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
  };
  const volume = Volume.fromJSON(files);
  for (const folder of ["objects", "refs"]) volume.mkdirSync(`/repo/${folder}`);
  return isomorphicEngine({ fs: createFsFromVolume(volume), gitdir: "/repo", identity: ADA });
}

export const PORTS: readonly [string, () => Promise<StoragePort>][] = [
  ["memory", async () => new MemoryPort()],
  ["git", async () => gitPort(emptyRepo())],
  ["git with sha256", async () => gitPort(emptyRepo("--object-format=sha256"))],
  ["isomorphic-git on disk", async () => isomorphicEngine({ fs, dir: emptyRepo(), identity: ADA })],
  ["isomorphic-git in memory", memoryEngine],
];

/** Writes one object; returns its id. */
export async function store(port: StoragePort, type: GitObject["type"], content: Uint8Array | string) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  await port.write([{ type, content: bytes }]);
  return hashObject(type, bytes, port.objectFormat);
}
