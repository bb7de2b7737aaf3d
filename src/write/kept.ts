/** A document that could not be delivered or stored is kept in the user's state folder. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { handleOf, parseDocumentName } from "../document/id.js";
import type { Environment } from "../git/environment.js";
import { hashObject } from "../git/object.js";
import { stateFolder } from "../read/shown.js";

/** Writes the (redacted) document there and returns its path; null when even that fails. */
export function keep(
  folder: "unsent" | "edited",
  name: string,
  bytes: Uint8Array,
  env: Environment,
): string | null {
  try {
    const path = join(stateFolder(env), folder, `${name}.md`);
    mkdirSync(join(stateFolder(env), folder), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
    return path;
  } catch {
    return null;
  }
}

/**
 * The bytes of an unsent document as they were kept; null when `path` is none or was edited since. Sent again
 * as they are they make the same commit, so that a delivery of which only the answer was lost is not doubled.
 */
export function unsentBytes(path: string, env: Environment): Uint8Array | null {
  try {
    if (!isUnsent(path, env)) return null;
    const bytes = readFileSync(path);
    const handle = parseDocumentName(basename(path, ".md"))?.handle;
    const handles = (["sha1", "sha256"] as const).map((format) =>
      handleOf(hashObject("blob", bytes, format)),
    );
    return handle !== undefined && handles.includes(handle) ? bytes : null;
  } catch {
    return null;
  }
}

/** It has arrived: nothing is to be kept any more. */
export function forgetUnsent(path: string, env: Environment): void {
  try {
    if (isUnsent(path, env)) rmSync(path, { force: true });
  } catch {
    // It stays, and does no harm.
  }
}

function isUnsent(path: string, env: Environment): boolean {
  return dirname(path) === join(stateFolder(env), "unsent");
}
