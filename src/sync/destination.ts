/** The repository that a document is sent to: a path, a URL, a remote's name or a configured one. */
import { lstatSync, statSync } from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import { FatalError } from "../errors.js";
import { elsewhereEnvironment } from "../git/environment.js";
import type { ObjectFormat } from "../git/port.js";
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import { withoutCredentials } from "../git/url.js";
import { gitReason, type Network, runNetwork } from "./network.js";

export interface Destination {
  /** What git push gets. */
  address: string;
  /** A repository on this machine. */
  local: boolean;
  /** null where an empty repository at a URL does not tell. */
  objectFormat: ObjectFormat | null;
  /** Its name, for the document's `project`. */
  project: string;
  /** Its URL without credentials, or `unknown`. */
  repository: string;
  /** `<branch> @ <oid>` of its HEAD, `none`, or `unknown`. */
  git: string;
}

/**
 * A configured name (`handoff.repo.<name>.url`) first, then a remote's name, then a folder, then a URL. Throws
 * FatalError when it is none of these or cannot be read.
 */
export async function findDestination(
  repository: Repository,
  text: string,
  network: Network,
): Promise<Destination> {
  const config = await repository.config();
  const remote = (await repository.remotes()).find(({ name }) => name === text);
  const address = config.get(`handoff.repo.${text}.url`) ?? remote?.pushUrl ?? remote?.url ?? text;
  const path = localPath(
    address,
    address === text ? repository.cwd : (repository.info.workTree ?? repository.cwd),
  );
  if (path !== null) return localDestination(repository, path, text);
  if (!looksLikeUrl(address)) {
    throw new FatalError(`'${text}' is no folder, no URL, no remote and no handoff.repo.<name>.url`);
  }
  return remoteDestination(
    repository,
    remote && address === (remote.pushUrl ?? remote.url) ? text : address,
    address,
    network,
  );
}

/** The folder an address names, null for a URL. `file://` is a URL. */
function localPath(address: string, from: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return null;
  const path = resolve(from, address);
  return statSync(path, { throwIfNoEntry: false }) ? path : isAbsolute(address) ? path : null;
}

function looksLikeUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) || /^[^/\s:]+:(?!\/\/)./.test(address);
}

async function localDestination(origin: Repository, path: string, text: string): Promise<Destination> {
  const stat = lstatSync(path, { throwIfNoEntry: false }) && statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new FatalError(`'${text}' does not exist`);
  if (!stat.isDirectory()) throw new FatalError(`'${text}' is no folder`);
  const found = await openElsewhere(origin, path, text);
  const head = await found.head();
  return {
    address: found.info.commonDir,
    local: true,
    objectFormat: found.info.objectFormat,
    project: found.project(),
    repository: await found.repositoryUrl(),
    git: head.oid === null ? "none" : `${head.branch ?? "HEAD"} @ ${head.oid}`,
  };
}

async function openElsewhere(origin: Repository, path: string, text: string): Promise<Repository> {
  try {
    return await Repository.open(path, elsewhereEnvironment(origin.env), execaGit());
  } catch (error) {
    if (error instanceof FatalError && /dubious ownership/.test(error.message)) {
      throw new FatalError(
        `'${text}' belongs to another user, so git refuses it; to allow it: git config --global --add safe.directory '${path}'`,
      );
    }
    if (error instanceof FatalError && /not a git repository/.test(error.message)) {
      throw new FatalError(`'${text}' is not in a git repository`);
    }
    throw error;
  }
}

async function remoteDestination(
  origin: Repository,
  target: string,
  address: string,
  network: Network,
): Promise<Destination> {
  const answer = await runNetwork(origin, network, ["ls-remote", "--symref", "--", target, "HEAD"]);
  if (answer.code !== 0) {
    throw new FatalError(
      `cannot reach '${withoutCredentials(address)}': ${gitReason(answer, "git ls-remote failed")}`,
    );
  }
  const text = answer.stdout.toString("utf8");
  const oid = /^([0-9a-f]{40,64})\tHEAD$/m.exec(text)?.[1];
  const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(text)?.[1];
  return {
    address: target,
    local: false,
    objectFormat: oid === undefined ? null : oid.length === 64 ? "sha256" : "sha1",
    project: basename(address.replace(/[/:]+$/, "").replaceAll(":", "/")).replace(/\.git$/, "") || "unknown",
    repository: withoutCredentials(address),
    git: oid === undefined ? "unknown" : `${branch ?? "HEAD"} @ ${oid}`,
  };
}
