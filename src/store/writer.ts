/** The writer: one id a clone, shared by its worktrees. */
import { randomBytes } from "node:crypto";
import { FatalError } from "../errors.js";
import type { StoragePort } from "../git/port.js";
import { isWriter } from "./names.js";

const KEY = "handoff.writer";
const MAX_SLUG = 32;

/**
 * This clone's writer id; null when it has none and `create` is false. Only the repository's own config
 * counts, its first value: eight processes that each add one all read the same first one afterwards.
 * Throws FatalError when that value is not of a writer's form.
 */
export async function writerId(port: StoragePort, options: { create: true }): Promise<string>;
export async function writerId(port: StoragePort, options: { create: boolean }): Promise<string | null>;
export async function writerId(port: StoragePort, options: { create: boolean }): Promise<string | null> {
  const before = await configured(port);
  if (before !== null || !options.create) return before;
  await port.addLocalConfig(KEY, await newWriterId(port));
  const after = await configured(port);
  if (after === null) throw new FatalError(`cannot record ${KEY} in the repository's config`);
  return after;
}

async function configured(port: StoragePort): Promise<string | null> {
  const [first] = await port.localConfig(KEY);
  if (first === undefined) return null;
  if (!isWriter(first)) {
    throw new FatalError(`${KEY} in the repository's config is not a writer id: '${first}'`);
  }
  return first;
}

/** `<slug of the user's name>-<6 random hex>`. */
export async function newWriterId(port: StoragePort): Promise<string> {
  const { author, fallback } = await port.identity();
  return `${writerSlug(fallback ? "" : author.name)}-${randomBytes(3).toString("hex")}`;
}

/** Former ids of this clone: what they wrote is its own too. */
export const FORMER_KEY = "handoff.formerWriter";

/**
 * Gives the clone a new id in place of `old` and returns the one it has then: another process may have been
 * quicker. `old` is remembered first, so that a kill in between leaves nothing of it behind unsent.
 */
export async function replaceWriterId(port: StoragePort, old: string): Promise<string> {
  if (!(await port.localConfig(FORMER_KEY)).includes(old)) await port.addLocalConfig(FORMER_KEY, old);
  if ((await configured(port)) === old) await port.setLocalConfig(KEY, await newWriterId(port), old);
  const now = await configured(port);
  if (now === null || now === old) throw new FatalError(`cannot replace ${KEY} in the repository's config`);
  return now;
}

/** A user's name as part of a writer id: `[a-z0-9-]`, at most 32, `user` when nothing is left. */
export function writerSlug(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, MAX_SLUG)
    .replace(/-+$/, "");
  return slug === "" ? "user" : slug;
}
