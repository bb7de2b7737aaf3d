/** The library on the command line git: everything the program itself does. */
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import { readBranch } from "../read/flow.js";
import { observeEvidence } from "../verify/evidence.js";
import { noteSafely } from "../write/lessons.js";
import { surroundings, writingFacts } from "../write/place.js";
import { redactionFor } from "../write/redaction.js";
import type { Backing } from "./backing.js";
import type { OpenOptions } from "./types.js";

/** Throws FatalError where there is no repository. */
export async function gitBacking({ dir, env = process.env }: OpenOptions): Promise<Backing> {
  // Opened anew for each question: what it remembers of a repository (configuration, HEAD) may change meanwhile.
  const open = () => Repository.open(dir, env, execaGit());
  return {
    port: (await open()).port(),
    branch: async () => (await (await open()).head()).branch,
    read: async (branch, now) => readBranch(await open(), { branch, now }),
    place: async (writing) =>
      (await surroundings(await open(), writing, { now: writing.now, terminal: false })).place,
    async observer(now) {
      const repository = await open();
      const facts = await writingFacts(repository, now, await repository.head());
      return (evidence) => observeEvidence(evidence, facts);
    },
    redaction: async (redact) => redactionFor(await open(), redact),
    async note(lessons, at) {
      const { path, count, warnings } = await noteSafely(await open(), lessons, at);
      return { path: count > 0 ? path : null, warnings };
    },
  };
}
