/** A document that could not be delivered is kept in the user's state folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../git/environment.js";
import { stateFolder } from "../read/shown.js";

/** Writes the (redacted) document there and returns its path; null when even that fails. */
export function keepUnsent(id: string, bytes: Uint8Array, env: Environment): string | null {
  try {
    const folder = join(stateFolder(env), "unsent");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${id}.md`);
    writeFileSync(path, bytes, { mode: 0o600 });
    return path;
  } catch {
    return null;
  }
}
