/** For completion: every live handle with its intent, `<handle>\t<branch>: <intent>`. Quiet about everything else. */
import { oneLine } from "../document/strip.js";
import { readAllViews } from "../store/join.js";
import { openRepository, type Run } from "./context.js";
import { intentOf } from "./item.js";

export const run: Run = async (_args, context) => {
  const repository = await openRepository(context);
  const views = await readAllViews(repository.port(), { live: true, headlines: true });
  for (const { branch, items } of views)
    for (const item of items) context.stdout.write(`${item.handle}\t${oneLine(branch)}: ${intentOf(item)}\n`);
  return 0;
};
