// The ports that the store's tests run on: maps, and each real engine on a real repository.
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

export const PORTS: readonly [string, () => Promise<StoragePort>][] = [
  ["memory", async () => new MemoryPort()],
  ["git", async () => gitPort(emptyRepo())],
];

/** Writes one object; returns its id. */
export async function store(port: StoragePort, type: GitObject["type"], content: Uint8Array | string) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  await port.write([{ type, content: bytes }]);
  return hashObject(type, bytes, port.objectFormat);
}
