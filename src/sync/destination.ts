/** The repository that a document is sent to: a path, a URL, a remote's name or a configured one. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { FatalError } from "../errors.js";
import { elsewhereEnvironment } from "../git/environment.js";
import type { ObjectFormat } from "../git/port.js";
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import { withoutCredentials } from "../git/url.js";
import { type Network, runNetwork, unanswered } from "./network.js";
import { pushAddresses } from "./remote.js";

export interface Destination {
  /** What git push gets: a path, a URL, or a remote's name. */
  address: string;
  /** The same where the origin's remotes are not known. */
  url: string;
  /** For messages. */
  name: string;
  /** The git directory that all its worktrees share, of a repository on this machine; null for a URL. */
  commonDir: string | null;
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
  const configured = config.get(`handoff.repo.${text}.url`) || null;
  const remote =
    configured === null ? (await repository.remotes()).find(({ name }) => name === text) : undefined;
  const [pushed] = remote ? await pushAddresses(repository, text) : [];
  // A remote that pushes where it fetches is asked by its name, under which git knows more of it.
  const url = configured ?? (pushed === text ? (remote?.url ?? text) : (pushed ?? text));
  // Relative paths in a configuration start at the top, as git has it.
  const path = localPath(url, url === text ? repository.cwd : (repository.info.workTree ?? repository.cwd));
  if (path !== null) return localDestination(repository, path, text);
  if (!isUrl(url)) {
    throw new FatalError(`'${text}' is no folder, no URL, no remote and no handoff.repo.<name>.url`);
  }
  return askRemote(repository, { address: pushed ?? url, url }, network);
}

/** The folder an address names, null for a URL. `file://` is a URL. */
function localPath(address: string, from: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return null;
  const path = address.startsWith("~/") ? join(homedir(), address.slice(2)) : resolve(from, address);
  return isAbsolute(address) || kindOf(path) !== null ? path : null;
}

function isUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) || /^[^/\s:]+:(?!\/\/)./.test(address);
}

function kindOf(path: string): "folder" | "other" | null {
  try {
    return statSync(path).isDirectory() ? "folder" : "other";
  } catch {
    return null;
  }
}

async function localDestination(origin: Repository, path: string, text: string): Promise<Destination> {
  const kind = kindOf(path);
  if (kind === null) throw new FatalError(`'${text}' does not exist`);
  if (kind === "other") throw new FatalError(`'${text}' is no folder`);
  const found = await openElsewhere(origin, path, text);
  const head = await found.head();
  return {
    address: found.info.commonDir,
    url: found.info.commonDir,
    name: text,
    commonDir: found.info.commonDir,
    objectFormat: found.info.objectFormat,
    project: found.project(),
    repository: await found.repositoryUrl(),
    git: head.oid === null ? "none" : `${head.branch ?? "HEAD"} @ ${head.oid}`,
  };
}

async function openElsewhere(origin: Repository, path: string, text: string): Promise<Repository> {
  const env = elsewhereEnvironment(origin.env);
  try {
    return await Repository.open(path, env, execaGit());
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    // A bare repository that was named on purpose (safe.bareRepository forbids coming upon one).
    if (/bare repository/.test(error.message))
      return Repository.open(path, { ...env, GIT_DIR: path }, execaGit());
    if (/dubious ownership/.test(error.message)) {
      throw new FatalError(
        `'${text}' belongs to another user, so git refuses it (dubious ownership); to allow it: git config --global --add safe.directory '${path}'`,
      );
    }
    if (/not a git repository/.test(error.message))
      throw new FatalError(`'${text}' is not in a git repository`);
    throw new FatalError(`cannot read '${text}': ${error.message}`);
  }
}

async function askRemote(
  origin: Repository,
  { address, url }: { address: string; url: string },
  network: Network,
): Promise<Destination> {
  const answer = await runNetwork(origin, network, ["ls-remote", "--symref", "--", address, "HEAD"]);
  if (answer.code !== 0) throw unanswered(url, answer, "git ls-remote failed");
  const text = answer.stdout.toString("utf8");
  const oid = /^([0-9a-f]{40,64})\tHEAD$/m.exec(text)?.[1];
  const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(text)?.[1];
  return {
    address,
    url,
    name: withoutCredentials(url),
    commonDir: null,
    objectFormat: oid === undefined ? null : oid.length === 64 ? "sha256" : "sha1",
    project: projectOf(url),
    repository: withoutCredentials(url),
    git: oid === undefined ? "unknown" : `${branch ?? "HEAD"} @ ${oid}`,
  };
}

function projectOf(url: string): string {
  const path = url.replace(/[?#].*$/, "").replace(/[/:]+$/, "");
  return basename(path.replaceAll(":", "/")).replace(/\.git$/, "") || "unknown";
}
