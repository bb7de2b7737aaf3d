/**
 * The library without a git program, on any `fs`. Handoffs are stored, joined and shown as ever; what only git
 * can answer (predicates, freshness) is reported as not evaluated, never guessed.
 */
import nodeFs from "node:fs";
import { basename } from "node:path";
import git from "isomorphic-git";
import { isomorphicEngine } from "../git/engine-isomorphic.js";
import { hashObject } from "../git/object.js";
import { type Ground, reportOf } from "../read/flow.js";
import { readViews } from "../store/join.js";
import { REPOSITORY_BRANCH } from "../store/names.js";
import { parseEvidence } from "../verify/evidence.js";
import type { Observe } from "../write/compose.js";
import { gitLine, localTime } from "../write/place.js";
import type { Backing } from "./backing.js";
import type { OpenOptions } from "./types.js";

const WHY = "the engine without git cannot tell";

interface Stat {
  isFile(): boolean;
  isDirectory(): boolean;
}

/** What is read of the work tree. */
interface Reading {
  readFile(path: string): Promise<Uint8Array>;
  stat(path: string): Promise<Stat>;
}

/** Throws UnsupportedRepositoryError for what this engine cannot do safely. */
export async function isomorphicBacking(options: OpenOptions): Promise<Backing> {
  const fs = options.fs ?? nodeFs;
  const files = ((fs as { promises?: unknown }).promises ?? fs) as Reading;
  const bare = !(await isThere(files, `${options.dir}/.git`));
  const where = bare ? { gitdir: options.dir } : { dir: options.dir };
  const { identity } = options;
  const port = await isomorphicEngine({ fs, ...where, ...(identity ? { identity } : {}) });
  const at = { fs: { promises: files } as Parameters<typeof git.currentBranch>[0]["fs"], ...where };
  const branch = async () => (await git.currentBranch(at)) ?? null;
  const head = async () => git.resolveRef({ ...at, ref: "HEAD" }).catch(() => null);
  return {
    port,
    branch,
    async read(named, now) {
      const ground = await groundOf(port, named ?? (await branch()), await head());
      const branches = ground.branch === null ? [] : [ground.branch];
      const views = await readViews(port, [...branches, REPOSITORY_BRANCH], { live: true });
      return reportOf({ ...ground, known: { now } } as Ground, views);
    },
    async place({ branch: target, delivery, now }) {
      const { author } = await port.identity();
      return {
        branch: target,
        delivery,
        project: basename(options.dir).replace(/\.git$/, ""),
        repository: "unknown",
        // Whether there are changes is not asked: this engine would rewrite the index to find out.
        git: gitLine({ branch: await branch(), oid: await head() }, false),
        dirtyFiles: [],
        author: `${author.name} <${author.email}>`,
        harness: "unknown",
        session: { runtime: "unknown", id: "unknown", context: "unknown" },
        written: localTime(now),
      };
    },
    observer: async () => observing(files, bare ? null : options.dir, port),
    async redaction(redact) {
      const { author, committer } = await port.identity();
      return { redact, identities: [author.email, committer.email], home: null };
    },
  };
}
