import type { RunGit } from "../git/process.js";

/** `git version` as [major, minor, patch]; null when it cannot be read. */
export async function gitVersion(run: RunGit): Promise<[number, number, number] | null> {
  const { stdout } = await run(["version"]);
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(stdout.toString());
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : null;
}
