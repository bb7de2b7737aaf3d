/** Where a read stands: which branch, which commit, which files, how long it may take. */

import type { Origin } from "../document/types.js";
import { spawnGit } from "../git/spawn.js";
import type { Facts } from "../verify/facts.js";
import type { KnownHistory } from "../verify/freshness.js";
import { type OpenedOrigin, openOrigin } from "../verify/origin.js";
import { commitTree } from "../verify/tree-commit.js";
import { workTree } from "../verify/tree-work.js";
import type { ReadConfig, ReadSource } from "./source.js";

export interface ReadOptions {
  /** A branch that need not be checked out; the current one by default. */
  branch?: string | undefined;
  /** Inside a hook: bounded to four seconds, nothing that may use the network. */
  hook?: boolean;
  /** The inbox without the journal. */
  only?: "inbox";
  /** What was found out before. */
  known?: KnownHistory | undefined;
  now: Date;
}

/** Milliseconds for everything in a hook, from the start of the process. */
const HOOK_BUDGET = 4_000;
/** Milliseconds for everything else: a command a person waits for. */
const COMMAND_BUDGET = 60_000;

export interface Ground {
  /** null when detached. */
  branch: string | null;
  head: string | null;
  /** null: nothing can be asked, for the reason `why`. */
  facts: Facts | null;
  why: string;
  known: KnownHistory;
  config: ReadConfig;
  /** E-mail of this clone's user, lower case; null where git knows none. */
  email: string | null;
  /** Each origin is opened once. */
  origin(from: Origin): Promise<OpenedOrigin>;
}

export async function groundOf(source: ReadSource, options: ReadOptions): Promise<Ground> {
  const [current, config, identity] = await Promise.all([source.head(), source.config(), source.identity()]);
  const branch = options.branch ?? current.branch;
  const here = branch === current.branch && source.info.workTree !== null;
  const head = branch === current.branch ? current.oid : await tipOf(source, branch);
  const facts = here || head !== null ? factsOf(source, options, config, here ? null : head, head) : null;
  const run = spawnGit();
  const origins = new Map<string, Promise<OpenedOrigin>>();
  return {
    branch,
    head,
    facts,
    why: "the branch is not in this repository",
    known: branch === current.branch ? (options.known ?? {}) : {},
    config,
    email: identity.author.email.toLowerCase() || null,
    origin(from) {
      const key = `${from.repo}\0${from.project}`;
      const opened =
        origins.get(key) ?? openOrigin(placed(from, config), run, source.env, limits(options, config));
      origins.set(key, opened);
      return opened;
    },
  };
}

/** The tip of a branch of this clone, else of some remote's branch of that name. */
async function tipOf(source: ReadSource, branch: string | null): Promise<string | null> {
  if (branch === null) return null;
  const local = await source.branchOid(branch);
  if (local !== null) return local;
  const refs = await source.port().refs([`refs/remotes/*/${branch}`]);
  const ref = refs.find(({ name }) => name === `refs/remotes/origin/${branch}`) ?? refs[0];
  return ref === undefined ? null : source.resolve(ref.oid);
}

function factsOf(
  source: ReadSource,
  options: ReadOptions,
  config: ReadConfig,
  commit: string | null,
  head: string | null,
): Facts {
  const { info, safe } = source;
  const tree =
    commit === null && info.workTree !== null
      ? workTree(info.workTree, [info.gitDir, info.commonDir])
      : commitTree(safe, commit ?? "");
  return { tree, commit, head, repository: info, git: safe, ...limits(options, config) };
}

function limits(
  options: ReadOptions,
  config: ReadConfig,
): Pick<Facts, "hook" | "now" | "maxAge" | "predicateTimeout" | "deadline"> {
  const hook = options.hook === true;
  const started = Date.now() - (hook ? Math.min(process.uptime() * 1000, HOOK_BUDGET) : 0);
  return {
    hook,
    now: options.now,
    maxAge: positive(config.getNumber("handoff.maxage"), 7),
    predicateTimeout: positive(config.getNumber("handoff.predicatetimeout"), 2) * 1000,
    deadline: started + (hook ? HOOK_BUDGET : COMMAND_BUDGET),
  };
}

function positive(value: number | undefined, otherwise: number): number {
  return value !== undefined && value > 0 ? value : otherwise;
}

/** An origin without a path may still be one the user has named: then that path is the user's own word. */
function placed(from: Origin, config: ReadConfig): Origin {
  if (from.project !== undefined) return from;
  const url = config.get(`handoff.repo.${from.repo}.url`);
  return url?.startsWith("/") ? { ...from, project: url } : from;
}
