/** Where a document is pushed from: the origin itself, or for another hash a repository made for this one push. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FatalError } from "../errors.js";
import { elsewhereEnvironment } from "../git/environment.js";
import type { ObjectFormat } from "../git/port.js";
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import type { Destination } from "./destination.js";
import { gitReason, type Setting } from "./network.js";

export interface Source {
  repository: Repository;
  /** The destination as this repository can name it. */
  address: string;
  /** What it takes from the origin's configuration. */
  settings: readonly Setting[];
}

/** How the origin reaches others; a throwaway repository knows the user's and the system's settings alone. */
const CONNECTION = /^(?:url|http|https|credential|ssh|protocol)\.|^core\.(?:sshcommand|gitproxy|askpass)$/;

/** Calls `use` with a repository of this hash. Throws FatalError when none can be made. */
export async function withSource<T>(
  origin: Repository,
  destination: Destination,
  format: ObjectFormat,
  use: (source: Source) => Promise<T>,
): Promise<T> {
  if (format === origin.info.objectFormat)
    return use({ repository: origin, address: destination.address, settings: [] });
  const folder = await mkdtemp(join(tmpdir(), "git-handoff-"));
  try {
    const env = elsewhereEnvironment(origin.env);
    const args = ["init", "-q", "--bare", "--template=", `--object-format=${format}`, folder];
    const init = await origin.run(args, { env });
    if (init.code !== 0)
      throw new FatalError(`cannot make a ${format} repository: ${gitReason(init, "git init failed")}`);
    const repository = await Repository.open(folder, { ...env, GIT_DIR: folder }, execaGit());
    const { entries } = await origin.config();
    const settings = entries
      .filter(({ scope, key }) => (scope === "local" || scope === "worktree") && CONNECTION.test(key))
      .map(({ key, value }): Setting => [key, value ?? "true"]);
    return await use({ repository, address: destination.url, settings });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
