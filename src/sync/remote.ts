/** Which remote a push or a fetch goes to. */
import { FatalError } from "../errors.js";
import type { Repository } from "../git/repository.js";

/**
 * The named one, else `handoff.remote`, else the branch's push remote (for a push) or remote, else the only
 * one, else `origin`. Throws FatalError when that is no configured remote.
 */
export async function chooseRemote(
  repository: Repository,
  options: { named: string | null; direction: "push" | "fetch" },
): Promise<string> {
  const [config, remotes, { branch }] = await Promise.all([
    repository.config(),
    repository.remotes(),
    repository.head(),
  ]);
  const names = remotes.map(({ name }) => name);
  const get = (key: string) => config.get(key) || null;
  const pushing = options.direction === "push";
  const ofBranch = (key: string) => (branch === null ? null : local(get(`branch.${branch}.${key}`)));
  const candidates = [
    options.named,
    get("handoff.remote"),
    pushing ? ofBranch("pushRemote") : null,
    pushing ? get("remote.pushDefault") : null,
    ofBranch("remote"),
    names.length === 1 ? names[0] : null,
  ];
  const chosen = candidates.find((candidate) => candidate != null) ?? "origin";
  if (names.includes(chosen)) return chosen;
  if (names.length === 0)
    throw new FatalError(
      `no remote to ${options.direction} ${pushing ? "to" : "from"}: add one with git remote add`,
    );
  throw new FatalError(`'${chosen}' is not a remote of this repository; there are ${names.join(", ")}`);
}

/** `.` is this repository itself: a branch that tracks a local one. */
function local(remote: string | null): string | null {
  return remote === "." ? null : remote;
}
