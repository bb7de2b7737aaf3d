/** Under which name another repository knows this one. */
import { basename, dirname, isAbsolute, resolve } from "node:path";
import type { Repository } from "../git/repository.js";
import { withoutCredentials } from "../git/url.js";

/** The name whose `handoff.repo.<name>.url` is this repository (its folder or a remote of it), else its folder's name. */
export async function nameOfOrigin(repository: Repository): Promise<string> {
  const { gitDir, commonDir, workTree } = repository.info;
  const config = await repository.config();
  const base = workTree ?? commonDir;
  const remotes = (await repository.remotes()).flatMap(({ url, pushUrl }) => [url, pushUrl]);
  const main = basename(commonDir) === ".git" ? dirname(commonDir) : null;
  const own = new Set(
    [workTree, gitDir, commonDir, main, ...remotes].flatMap((each) => (each ? [comparable(each, base)] : [])),
  );
  for (const section of config.subsections("handoff")) {
    const name = /^repo\.(.+)$/s.exec(section)?.[1];
    const url = config.get(`handoff.${section}.url`);
    if (name !== undefined && url && own.has(comparable(url, base))) return name;
  }
  return repository.project() || "unknown";
}

/** One form for the ways of writing one place: `/a/b`, `/a/b/`, `file:///a/b.git`; no user or password. */
function comparable(address: string, base: string): string {
  const url = withoutCredentials(address).replace(/^file:\/\/(?=\/)/, "");
  const remote = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || (/^[^/\s]+:/.test(url) && !isAbsolute(url));
  return (remote ? url : resolve(base, url)).replace(/\/+$/, "").replace(/(?:\/|(?<=.))\.git$/, "");
}
