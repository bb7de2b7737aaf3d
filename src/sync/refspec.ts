/** Refspecs of handoff refs: what a fetch brings, and what is wrong with the configured ones. */
import type { Config } from "../git/config.js";
import { encodeRemote } from "../store/names.js";

/** Into a namespace of its own, never onto the refs people write; the remote's name comes last. */
export function fetchRefspec(remote: string): string {
  return `+refs/handoff/*:refs/handoff-remotes/*/${encodeRemote(remote)}`;
}

const TRACKING = /^\+?refs\/handoff\/\*:refs\/handoff-remotes\/\*\/([^/]+)$/;

/**
 * What a plain `git fetch` would do wrong with handoff refs, one line each: a refspec that overwrites what
 * was written here, one left behind by a rename, two remotes on one namespace, one that is there twice.
 */
export function refspecProblems(config: Config, remotes: readonly string[]): string[] {
  const problems: string[] = [];
  const users = new Map<string, string[]>();
  for (const remote of remotes) {
    const refspecs = config.getAll(`remote.${remote}.fetch`);
    for (const refspec of new Set(refspecs)) {
      if (/^\+?refs\/(handoff\/)?\*:refs\/(handoff\/)?\*$/.test(refspec)) {
        problems.push(
          `remote '${remote}' fetches onto refs/handoff/ and would overwrite what was written here: ${refspec}`,
        );
      }
      const [, last] = TRACKING.exec(refspec) ?? [];
      if (last === undefined) continue;
      users.set(last, [...(users.get(last) ?? []), remote]);
      if (last !== encodeRemote(remote)) {
        problems.push(
          `remote '${remote}' fetches handoffs under the name '${last}' (renamed?): run git handoff install`,
        );
      }
      if (refspecs.filter((other) => other === refspec).length > 1) {
        problems.push(`remote '${remote}' has its handoff refspec twice: ${refspec}`);
      }
    }
  }
  for (const [last, sharing] of users) {
    if (sharing.length > 1)
      problems.push(
        `remotes ${sharing.map((name) => `'${name}'`).join(" and ")} fetch handoffs into one place ('${last}')`,
      );
  }
  return problems;
}
