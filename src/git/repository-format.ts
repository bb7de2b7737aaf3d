/** Which repositories the engine without git can be trusted with. */
import { isAbsolute, join, resolve } from "node:path";
import { FatalError } from "../errors.js";
import { type FileEntry, parseBoolean, parseConfigFile } from "./config-file.js";
import type { Files } from "./files.js";
import { UnsupportedRepositoryError } from "./port.js";

/** Extensions that change nothing for one who only adds objects and refs. */
const HARMLESS = new Set([
  "extensions.noop",
  "extensions.preciousobjects",
  "extensions.partialclone",
  "extensions.worktreeconfig",
  "extensions.relativeworktrees",
]);
/** Extensions whose default is understood. */
const DEFAULTS: Readonly<Record<string, string>> = {
  "extensions.objectformat": "sha1",
  "extensions.refstorage": "files",
};

export interface Place {
  /** This worktree's git directory: where its HEAD is. */
  gitDir: string;
  /** Where objects, refs and the configuration are, shared by linked worktrees. */
  commonDir: string;
}

/** From the top of a work tree or a git directory to where things are: `.git` files and `commondir` followed. */
export async function locate(files: Files, options: { dir?: string; gitdir?: string }): Promise<Place> {
  const given = options.gitdir ?? (options.dir === undefined ? undefined : join(options.dir, ".git"));
  if (given === undefined) throw new TypeError("neither 'dir' nor 'gitdir' given");
  let gitDir = given;
  if ((await files.kind(given)) === "file") {
    const target = /^gitdir: (.+?)\r?\n?$/s.exec((await files.text(given)) ?? "")?.[1];
    if (!target) throw new FatalError(`invalid gitfile format: ${given}`);
    gitDir = isAbsolute(target) ? target : resolve(given, "..", target);
  }
  const common = (await files.text(join(gitDir, "commondir")))?.replace(/\r?\n$/, "");
  const commonDir = common ? resolve(gitDir, common) : gitDir;
  if (
    (await files.kind(join(gitDir, "HEAD"))) !== "file" ||
    (await files.kind(join(commonDir, "objects"))) !== "folder"
  ) {
    throw new FatalError(`not a git repository: '${given}'`);
  }
  return { gitDir, commonDir };
}

function refuse(what: string): never {
  throw new UnsupportedRepositoryError(`${what}; use the git engine`);
}

function checkConfig(config: readonly FileEntry[]): void {
  for (const { key, value } of config) {
    const text = (value ?? "true").toLowerCase();
    if (key === "core.repositoryformatversion" && text !== "0" && text !== "1") {
      refuse(`repository format version ${text} is not known`);
    }
    if (key === "core.sharedrepository" && text !== "umask" && parseBoolean(value) !== false) {
      refuse("the repository is shared between accounts (core.sharedRepository)");
    }
    if (!key.startsWith("extensions.") || HARMLESS.has(key) || DEFAULTS[key] === text) continue;
    if (key === "extensions.objectformat") refuse(`the repository's object format is ${text}, not sha1`);
    if (key === "extensions.refstorage") refuse(`the repository keeps its refs as ${text}, not as files`);
    refuse(`the repository has an extension that is not known here: ${key}`);
  }
}

/** Throws UnsupportedRepositoryError, naming the reason, for what cannot be read or written safely without git. */
export async function checkSupported(files: Files, { commonDir }: Place): Promise<void> {
  checkConfig(parseConfigFile((await files.text(join(commonDir, "config"))) ?? ""));
  if ((await files.kind(join(commonDir, "reftable"))) === "folder") {
    refuse("the repository keeps its refs as reftable, not as files");
  }
  if ((await files.text(join(commonDir, "objects/info/alternates")))?.trim()) {
    refuse("the repository borrows objects from another (objects/info/alternates)");
  }
}
