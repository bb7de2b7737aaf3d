/** Whether anything is installed that would surface a handoff in this repository. */
import type { Repository } from "../git/repository.js";

/** Cheap: config and files, no hook is run. */
export async function isSurfaced(
  repository: Repository,
  _env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const config = await repository.config();
  return config.get("hook.handoff.event") != null;
}
