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
  const why = chosen !== options.named && chosen === get("handoff.remote") ? "handoff.remote: " : "";
  throw new FatalError(`${why}'${chosen}' is not a remote of this repository; there are ${names.join(", ")}`);
}

/**
 * Where a push to `remote` really goes: its name, or the URLs where it pushes elsewhere than it fetches from or
 * to several, each of which is then a place of its own to compare with.
 */
export async function pushAddresses(repository: Repository, remote: string): Promise<string[]> {
  const config = await repository.config();
  const apart =
    config.getAll(`remote.${remote}.pushurl`).length > 0 ||
    config.getAll(`remote.${remote}.url`).length > 1 ||
    config.subsections("url").some((base) => config.getAll(`url.${base}.pushInsteadOf`).length > 0);
  if (!apart) return [remote];
  const { code, stdout } = await repository.run(["remote", "get-url", "--push", "--all", remote]);
  const urls = stdout.toString("utf8").split("\n").filter(Boolean);
  return code === 0 && urls.length > 0 ? urls : [remote];
}

/** `.` is this repository itself: a branch that tracks a local one. */
function local(remote: string | null): string | null {
  return remote === "." ? null : remote;
}
