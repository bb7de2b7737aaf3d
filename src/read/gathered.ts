/** A repository of which much is known already. On the hot path. */
import type { Environment } from "../git/environment.js";
import type { ReadObject, StoragePort } from "../git/port.js";
import { refMatcher } from "../git/ref-pattern.js";
import { Repository } from "../git/repository.js";
import { spawnGit } from "../git/spawn.js";
import { REPOSITORY_BRANCH, refPatterns } from "../store/names.js";
import { type Answers, replay } from "./answers.js";
import type { ReadSource } from "./source.js";

/** Throws FatalError where there is no repository. Without answers everything is asked of git. */
export async function gatheredSource(
  cwd: string,
  env: Environment,
  answers: Answers | undefined,
): Promise<ReadSource> {
  if (answers === undefined) return Repository.open(cwd, env, spawnGit());
  const repository = await Repository.open(cwd, env, replay(answers, spawnGit()));
  const { branch } = await repository.head();
  const known = [REPOSITORY_BRANCH, ...(branch === null ? [] : [branch])].flatMap(refPatterns);
  const port = gatheredPort(repository.port(), answers, new Set(known));
  return {
    info: repository.info,
    env: repository.env,
    safe: repository.safe,
    head: () => repository.head(),
    config: () => repository.config(),
    identity: () => repository.identity(),
    resolve: (rev) => repository.resolve(rev),
    branchOid: (name) => repository.branchOid(name),
    port: () => port,
  };
}

/** `base`, but for what the answers know. Objects never change, and refs are as they were a moment ago. */
function gatheredPort(base: StoragePort, answers: Answers, known: ReadonlySet<string>): StoragePort {
  return {
    objectFormat: base.objectFormat,
    refs(patterns) {
      if (!patterns.every((pattern) => known.has(pattern))) return base.refs(patterns);
      const matches = refMatcher(patterns);
      return Promise.resolve(answers.refs.filter(({ name }) => matches(name)));
    },
    read(names, options = {}) {
      const { maxBytes = Number.POSITIVE_INFINITY } = options;
      const found = new Map<string, ReadObject>();
      for (const name of names) {
        const object = answers.objects.get(name);
        if (object === undefined) return base.read(names, options);
        if (object === null) continue;
        found.set(name, object.size > maxBytes ? { ...object, content: null } : object);
      }
      return Promise.resolve(found);
    },
    missing: (oids) => base.missing(oids),
    write: (objects) => base.write(objects),
    updateRefs: (updates, reason) => base.updateRefs(updates, reason),
    localConfig: (key) => base.localConfig(key),
    addLocalConfig: (key, value) => base.addLocalConfig(key, value),
    setLocalConfig: (key, value) => base.setLocalConfig(key, value),
    identity: () => base.identity(),
  };
}
