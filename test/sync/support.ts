// Real remotes and clones, and the sync room called on them in this process.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Repository } from "../../src/git/repository.js";
import { execaGit } from "../../src/git/run.js";
import { closeItems } from "../../src/store/events.js";
import { readAllViews } from "../../src/store/join.js";
import { type Fetched, fetchHandoffs } from "../../src/sync/fetch.js";
import type { Network } from "../../src/sync/network.js";
import { type Pushed, pushHandoffs } from "../../src/sync/push.js";
import { commit, git, makeRepo, tempDir } from "../support/repo.js";

/** A bare repository with `main` and one commit on it. Reached by `--git-dir`, never by being in it. */
export function makeHub(initArgs: string[] = []): string {
  const hub = join(tempDir("hub"), "hub.git");
  const first = makeRepo("first", initArgs);
  git(first, "init", "-q", "--bare", ...initArgs, hub);
  git(first, "push", "-q", hub, "main");
  // As strict as hosts are.
  inHub(hub, "config", "receive.fsckObjects", "true");
  return hub;
}

export function makeClone(hub: string, ...args: string[]): string {
  const dir = join(tempDir("clone"), "work");
  git(tempDir(), "clone", "-q", ...args, hub, dir);
  return dir;
}

export function open(dir: string, env: NodeJS.ProcessEnv = process.env): Promise<Repository> {
  return Repository.open(dir, env, execaGit());
}

export function network(milliseconds = 60_000): Network {
  return { deadline: Date.now() + milliseconds, terminal: false };
}

export interface PushOptions {
  remote?: string;
  all?: boolean;
  milliseconds?: number;
  env?: NodeJS.ProcessEnv;
}

export async function push(dir: string, options: PushOptions = {}): Promise<Pushed> {
  const repository = await open(dir, options.env);
  return pushHandoffs(repository, options.remote ?? "origin", {
    all: options.all ?? false,
    network: network(options.milliseconds),
  });
}

export async function fetch(dir: string, remote = "origin", env = process.env): Promise<Fetched> {
  return fetchHandoffs(await open(dir, env), remote, network());
}

/** All refs below a prefix with their values, or all but those. */
export function refs(dir: string, prefix = "refs/"): Record<string, string> {
  const text = git(dir, ...at(dir), "for-each-ref", "--format=%(refname) %(objectname)", prefix);
  return Object.fromEntries(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(" ") as [string, string]),
  );
}

export function otherRefs(dir: string): Record<string, string> {
  return Object.fromEntries(Object.entries(refs(dir)).filter(([name]) => !name.startsWith("refs/handoff")));
}

/** A bare repository is named on purpose: safe.bareRepository=explicit forbids coming upon one. */
function at(dir: string): string[] {
  return dir.endsWith(".git") ? [`--git-dir=${dir}`] : [];
}

/** git in a bare repository. */
export function inHub(hub: string, ...args: string[]): string {
  return git(tempDir(), `--git-dir=${hub}`, ...args);
}

/** What every branch shows, by handle: `main open 1a2b3c4`. */
export async function view(dir: string): Promise<string[]> {
  const views = await readAllViews((await open(dir)).port());
  const lines = views.flatMap(({ items }) =>
    items.map(({ branch, state, handle }) => `${branch} ${state} ${handle}`),
  );
  return [...lines, ...views.flatMap(({ warnings }) => warnings)].sort();
}

/** Closes everything that is open on a branch. */
export async function closeAll(dir: string, branch = "main"): Promise<void> {
  const port = (await open(dir)).port();
  const views = await readAllViews(port, { live: true });
  const items = views
    .filter((each) => each.branch === branch)
    .flatMap((each) => each.items)
    .filter(({ state }) => state === "open");
  if (items.length > 0) await closeItems(port, { items });
}

export function writerOf(dir: string): string {
  return git(dir, "config", "--local", "--get", "handoff.writer");
}

/** Puts an executable hook into a repository's own hooks folder. */
export function putHook(gitDir: string, name: string, script: string): void {
  mkdirSync(join(gitDir, "hooks"), { recursive: true });
  const path = join(gitDir, "hooks", name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A pre-receive hook that lets nothing through that is no fast-forward, and writes what it saw to `log`. */
export function guardForwardOnly(hub: string, log: string): void {
  putHook(
    hub,
    "pre-receive",
    `while read old new ref; do
  echo "$old $new $ref" >>'${log}'
  if [ "$old" = "$(printf '%0*d' \${#old} 0)" ] || [ "$new" = "$(printf '%0*d' \${#new} 0)" ]; then continue; fi
  git merge-base --is-ancestor "$old" "$new" || { echo "forced: $ref"; exit 1; }
done`,
  );
}

/** A branch of its own commit, checked out. */
export function switchTo(dir: string, branch: string): void {
  git(dir, "checkout", "-q", "-B", branch);
  commit(dir, { "on.txt": branch }, `on ${branch}`);
}
