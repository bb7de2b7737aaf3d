/** Whether anything is installed that would surface a handoff in this repository. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../git/environment.js";
import type { Repository } from "../git/repository.js";
import { HOSTS, type Places, type Scope } from "./agents/hosts.js";
import { isSetUp } from "./agents/install.js";
import { HOOK_NAME, hasConfigHooks } from "./config-hook.js";
import { readIfThere } from "./files.js";
import { handoffFolder } from "./git-hook.js";
import { findHookFiles, HOOK } from "./hook-file.js";
import { findHooksFolder } from "./hooks-folder.js";

/** Cheap: config and files, no hook is run. */
export async function isSurfaced(repository: Repository, env: Environment): Promise<boolean> {
  if (agentsSetUp(repository.info.workTree, env).length > 0) return true;
  const config = await repository.config();
  if (config.getAll(`hook.${HOOK_NAME}.command`).length > 0)
    return hasConfigHooks(await repository.version());
  if (readIfThere(join(handoffFolder(repository), HOOK)) === null) return false;
  const folder = (await findHooksFolder(repository)).path;
  if (findHookFiles(folder).length > 0) return true;
  // A line in somebody's own hook, or in the file next to it that husky calls.
  return [join(folder, HOOK), join(folder, "..", HOOK)].some((path) =>
    (readIfThere(path) ?? "").includes(`handoff/${HOOK}`),
  );
}

/** Agents that have our entry or extension, in the project's settings or the user's. */
export function agentsSetUp(workTree: string | null, env: Environment): { agent: string; scope: Scope }[] {
  const places: Places = { project: workTree, home: env.HOME || homedir(), env };
  const scopes: Scope[] = workTree === null ? ["user"] : ["project", "user"];
  return HOSTS.flatMap((host) =>
    scopes.filter((scope) => isSetUp(host, scope, places)).map((scope) => ({ agent: host.name, scope })),
  );
}
