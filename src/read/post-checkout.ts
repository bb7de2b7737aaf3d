/** What hooks/post-checkout starts: git's answers in, the surface block out. On the hot path. */
import { Repository } from "../git/repository.js";
import { spawnGit } from "../git/spawn.js";
import { surfaceForm, wantsHookColor } from "../surface/choice.js";
import { AGENT_LIMIT, surfaceText } from "../surface/text.js";
import { parseAnswers, replay } from "./answers.js";
import { readBranch } from "./flow.js";
import { gatheredSource } from "./gathered.js";
import { onTerminal, readPipe, writeOut } from "./hook-output.js";

/**
 * Rejects when it cannot be told what is open; then the shell says so.
 *
 * @param to `terminal` or `plain`: where the output goes; asked for when it is neither (a hook of an earlier version)
 */
export async function postCheckout(to?: string): Promise<void> {
  const answers = parseAnswers(readPipe());
  const run = answers === undefined ? spawnGit() : replay(answers, spawnGit());
  const source = gatheredSource(await Repository.open(process.cwd(), process.env, run), answers);
  const config = await source.config();
  const form = surfaceForm(config);
  if (form === "off") return;
  const { branch } = await source.head();
  if (branch === null) return;
  const report = await readBranch(source, { hook: true, known: answers?.history, now: new Date() });
  const color = wantsHookColor(config, process.env, to === "terminal" || (to !== "plain" && onTerminal()));
  writeOut(surfaceText(report, { limit: AGENT_LIMIT, color, form }));
}
