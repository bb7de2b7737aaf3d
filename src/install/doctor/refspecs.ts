/** Refspecs and remote settings that lose handoffs or stop bringing them. Pure. */
import type { Config } from "../../git/config.js";
import { asPattern, namesHandoffs, parseRefspec, refspecProblems } from "../../sync/refspec.js";
import type { InstallRecord } from "../record.js";
import { type Finding, finding } from "./findings.js";

/** What is wrong with the remotes' refspecs. `remotes` are the configured ones that have a URL. */
export function checkRefspecs(config: Config, remotes: readonly string[], record: InstallRecord): Finding[] {
  return [
    ...refspecProblems(config, remotes, record.config),
    ...remotes.flatMap((remote) => checkPush(config, remote)),
  ];
}

function checkPush(config: Config, remote: string): Finding[] {
  const key = `remote.${remote}`;
  if (config.getBoolean(`${key}.mirror`)) {
    return [
      finding(
        "error",
        "mirror-remote",
        `${key}.mirror is set: a plain git push there deletes every handoff that this clone does not have`,
        `git config --unset ${key}.mirror, unless it is a backup that nobody else pushes to`,
      ),
    ];
  }
  return config.getAll(`${key}.push`).flatMap((text) => {
    const refspec = parseRefspec(text);
    if (refspec === null || !refspec.forced || !namesHandoffs(refspec.target)) return [];
    return [
      finding(
        "error",
        "forced-push",
        `${key}.push '${text}' pushes handoffs by force: others' can be overwritten`,
        `git config --unset ${key}.push '${asPattern(text)}'`,
      ),
    ];
  });
}
