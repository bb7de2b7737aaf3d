/** The whole examination of one repository. */
import type { Environment } from "../../git/environment.js";
import type { Repository } from "../../git/repository.js";
import { fetchRefspec } from "../../sync/refspec.js";
import type { Scope } from "../agents/hosts.js";
import { hasConfigHooks } from "../config-hook.js";
import { handoffFolder } from "../git-hook.js";
import { agentsSetUp } from "../present.js";
import { readRecord } from "../record.js";
import { type Finding, finding } from "./findings.js";
import { checkHook, type HookSummary } from "./hook.js";
import { checkRefs, type RefsSummary } from "./refs.js";
import { checkRefspecs } from "./refspecs.js";

export interface Diagnosis {
  git: { version: string; configHooks: boolean };
  hook: HookSummary;
  agents: { agent: string; scope: Scope }[];
  /** Does a plain fetch from each remote bring handoffs? */
  fetch: { remote: string; refspec: string; present: boolean }[];
  refs: RefsSummary;
  findings: Finding[];
}

export async function diagnose(repository: Repository, env: Environment): Promise<Diagnosis> {
  const version = await repository.version();
  const config = await repository.config();
  const remotes = (await repository.remotes()).filter(({ url }) => url !== null).map(({ name }) => name);
  const { hook, findings } = await checkHook(repository, env);
  const refs = await checkRefs(repository);
  const record = readRecord(handoffFolder(repository));
  const fetch = remotes.map((remote) => ({
    remote,
    refspec: fetchRefspec(remote),
    present: config.getAll(`remote.${remote}.fetch`).includes(fetchRefspec(remote)),
  }));
  const partial =
    repository.info.partial && fetch.some(({ present }) => present)
      ? [
          finding(
            "note",
            "partial-clone",
            "a partial clone: a plain git fetch brings the names of handoffs only",
            "git handoff fetch",
          ),
        ]
      : [];
  return {
    git: { version: version.join("."), configHooks: hasConfigHooks(version) },
    hook,
    agents: agentsSetUp(repository.info.workTree, env),
    fetch,
    refs: refs.refs,
    findings: [...findings, ...checkRefspecs(config, remotes, record), ...partial, ...refs.findings],
  };
}
