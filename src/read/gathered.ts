/** A repository of which much is known already. On the hot path. */
import type { ReadObject, StoragePort } from "../git/port.js";
import { refMatcher } from "../git/ref-pattern.js";
import type { Repository } from "../git/repository.js";
import { REPOSITORY_BRANCH, refPatterns } from "../store/names.js";
import type { Answers } from "./answers.js";
import type { ReadSource } from "./source.js";

/** `repository`, but for what the answers know. */
export function gatheredSource(repository: Repository, answers: Answers | undefined): ReadSource {
  if (answers === undefined) return repository;
  const { head } = answers;
  const branches = head.branch === null ? [REPOSITORY_BRANCH] : [REPOSITORY_BRANCH, head.branch];
  const port = gatheredPort(repository.port(), answers, new Set(branches.flatMap(refPatterns)));
  return {
    info: repository.info,
    env: repository.env,
    safe: repository.safe,
    head: () => Promise.resolve(head),
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
    setLocalConfig: (key, value, from) => base.setLocalConfig(key, value, from),
    identity: () => base.identity(),
  };
}
