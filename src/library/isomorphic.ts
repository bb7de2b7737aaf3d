/**
 * The library without a git program, on any `fs`. Handoffs are stored, joined and shown as ever; what only git
 * can answer (predicates, freshness) is reported as not evaluated, never guessed.
 */
import nodeFs from "node:fs";
import { basename } from "node:path";
import git from "isomorphic-git";
import { localTime } from "../document/time.js";
import { isomorphicEngine } from "../git/engine-isomorphic.js";
import { READ_AT_ONCE, reportOf } from "../read/flow.js";
import type { Ground } from "../read/ground.js";
import { readViews } from "../store/join.js";
import { REPOSITORY_BRANCH } from "../store/names.js";
import { gitLine } from "../write/place.js";
import type { Backing } from "./backing.js";
import { type Files, observer } from "./observe.js";
import type { OpenOptions } from "./types.js";

const WHY = "the engine without git cannot tell";

/** Throws UnsupportedRepositoryError for what this engine cannot do safely. */
export async function isomorphicBacking(options: OpenOptions): Promise<Backing> {
  const { dir, identity, fs = nodeFs } = options;
  const files = ((fs as { promises?: unknown }).promises ?? fs) as Files;
  const bare = await files.stat(`${dir}/.git`).then(
    () => false,
    () => true,
  );
  const where = bare ? { gitdir: dir } : { dir };
  const port = await isomorphicEngine({ fs, ...where, ...(identity ? { identity } : {}) });
  const at = {
    fs: { promises: files } as unknown as Parameters<typeof git.currentBranch>[0]["fs"],
    ...where,
  };
  const head = async () => ({
    branch: (await git.currentBranch(at)) ?? null,
    oid: await git.resolveRef({ ...at, ref: "HEAD" }).catch(() => null),
  });
  return {
    port,
    branch: async () => (await head()).branch,
    async read(named) {
      const current = await head();
      const branch = named ?? current.branch;
      const branches = branch === null ? [] : [branch];
      const views = await readViews(port, [...branches, REPOSITORY_BRANCH], {
        live: true,
        limit: READ_AT_ONCE,
      });
      const { author } = await port.identity();
      return reportOf(groundOf(branch, branch === current.branch ? current.oid : null, author.email), views);
    },
    async place({ branch, delivery, now }) {
      const { author } = await port.identity();
      return {
        branch,
        delivery,
        project: basename(dir).replace(/\.git$/, ""),
        repository: "unknown",
        // Whether there are changes is not asked: isomorphic-git would rewrite the index to find out.
        git: gitLine(await head(), false),
        dirtyFiles: [],
        author: `${author.name} <${author.email}>`,
        harness: "unknown",
        session: { runtime: "unknown", id: "unknown", context: "unknown" },
        written: localTime(now),
      };
    },
    // Appending is nothing that every file system offers.
    note: async ({ length }) => ({
      path: null,
      warnings:
        length === 0
          ? []
          : [
              `${length} ${length === 1 ? "lesson" : "lessons"} not noted: the engine without git keeps no lessons file`,
            ],
    }),
    observer: async () => observer(files, bare ? null : dir, port),
    async redaction(redact) {
      const { author, committer } = await port.identity();
      const known = { redact, identities: [author.email, committer.email], home: null };
      return async () => known;
    },
  };
}

function groundOf(branch: string | null, head: string | null, email: string): Ground {
  return {
    branch,
    head,
    facts: null,
    why: WHY,
    known: {},
    config: { get: () => undefined, getNumber: () => undefined },
    email: email.toLowerCase() || null,
    origin: async () => ({ facts: null, note: WHY }),
  };
}
