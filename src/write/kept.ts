/** A document that could not be delivered or stored is kept in the user's state folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../git/environment.js";
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
