/** Asks git itself to run the hook, because an installed file that git never runs helps nobody. */
import type { Repository } from "../git/repository.js";
import { PROBE_ANSWER, PROBE_VARIABLE } from "./package.js";

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
  const { stdout, stderr } = await repository.run(
    ["hook", "run", "--ignore-missing", "post-checkout", "--", commit, commit, "0"],
    {
      cwd: workTree ?? gitDir,
      env: { ...repository.env, [PROBE_VARIABLE]: "1" },
      timeout: 20_000,
    },
  );
  const lines = `${stdout.toString()}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  const reached = lines.filter((line) => line === PROBE_ANSWER).length;
  return { reached, said: reached > 0 ? null : (lines[0] ?? null) };
}
