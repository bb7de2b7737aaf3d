/** `git cat-file --batch-check` over names some of which may have to be downloaded, which a read never does. */
import type { GitResult } from "../git/process.js";

/** Objects that are not here in a partial clone, each of which costs a process; beyond it the rest is unknown. */
const MAX_RESTARTS = 20;

/**
 * One line of answer for each name, as git gives it; null for a name git could not say anything about. In a
 * partial clone git ends at the first object it would have to download: that one is left out and the rest
 * asked again. `run` gets the names as git's standard input; where nothing
 * is to be downloaded, `mostRestarts` is 0.
 */
export async function batchCheck(
  names: readonly string[],
  run: (input: string) => Promise<GitResult>,
  mostRestarts = MAX_RESTARTS,
): Promise<(string | null)[]> {
  const answers: (string | null)[] = [];
  for (let restarts = 0; answers.length < names.length && restarts <= mostRestarts; restarts++) {
    const rest = names.slice(answers.length);
    const result = await run(rest.map((name) => `${name}\n`).join(""));
    const lines = result.stdout.toString("utf8").split("\n").slice(0, -1);
    answers.push(...lines.slice(0, rest.length));
    if (result.code === 0) break;
    if (answers.length < names.length) answers.push(null);
  }
  while (answers.length < names.length) answers.push(null);
  return answers;
}
