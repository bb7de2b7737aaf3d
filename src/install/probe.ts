/** Asks git itself to run the hook, because an installed file that git never runs helps nobody. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, elsewhereEnvironment } from "../git/environment.js";
import type { RunGit } from "../git/process.js";
import type { Repository } from "../git/repository.js";
import { PROBE_ANSWER, PROBE_VARIABLE } from "./package.js";

/** Milliseconds; other hooks of the repository run too. */
const PATIENCE = 20_000;

export interface Probe {
  /** How often our hook was reached. */
  reached: number;
  /** What git or another hook said, where ours was not reached; one line. */
  said: string | null;
}

/**
 * `git hook run post-checkout` with the arguments of a checkout of files (flag 0), which is what hooks do
 * least about; ours answers to an environment variable instead of acting. Other hooks run as they would.
 */
export async function probeHook(repository: Repository): Promise<Probe> {
  const { workTree, gitDir, objectFormat } = repository.info;
  const commit = (await repository.head()).oid ?? "0".repeat(objectFormat === "sha1" ? 40 : 64);
  return probe(repository.run, workTree ?? gitDir, repository.env, commit);
}

/** The same in a repository made for it and thrown away: for the hook of all repositories. */
export async function probeGlobalHook(run: RunGit, env: Environment): Promise<Probe> {
  const folder = mkdtempSync(join(tmpdir(), "git-handoff-"));
  try {
    const own = elsewhereEnvironment(env);
    await run(["init", "-q", "--template=", folder], { env: own });
    return await probe(run, folder, own, "0".repeat(40));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function probe(run: RunGit, cwd: string, env: Environment, commit: string): Promise<Probe> {
  const { stdout, stderr, timedOut } = await run(
    ["hook", "run", "--ignore-missing", "post-checkout", "--", commit, commit, "0"],
    { cwd, env: { ...env, [PROBE_VARIABLE]: "1" }, timeout: PATIENCE },
  );
  const lines = `${stdout.toString()}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  const reached = lines.filter((line) => line.includes(PROBE_ANSWER)).length;
  const said = timedOut ? `no answer within ${PATIENCE / 1000} seconds` : (lines[0] ?? null);
  return { reached, said: reached > 0 ? null : said };
}
