/** `git handoff ack <id>...`: inbox handoffs; once acted on, or declined. */
import { ackItems } from "../store/events.js";
import { findItem } from "../store/find.js";
import type { Item } from "../store/types.js";
import { listOf, reasonOf } from "./arguments.js";
import { openRepository, type Run, writeJson } from "./context.js";
import { nameOf, summaryOf } from "./item.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const branch = await repository.branch();
  const port = repository.port();
  const items: Item[] = [];
  // All are found before any is acknowledged: one wrong id, and nothing is done.
  for (const id of listOf(args.id)) items.push(await findItem(port, id, { branch }));
  const decline = args.decline === true;
  const done = await ackItems(port, { items, decline, reason: reasonOf(args.reason), now: context.now() });
  if (args.json === true) {
    const [acked, already] = [
      done.changed.map((item) => summaryOf({ ...item, state: "acked" })),
      done.already.map(summaryOf),
    ];
    writeJson(context, { acked, already, declined: decline, commits: done.commits, warnings: [] });
    return 0;
  }
  const word = decline ? "Declined" : "Acknowledged";
  for (const item of done.changed) context.stdout.write(`${word}: ${nameOf(item)}\n`);
  for (const item of done.already) context.stdout.write(`Already acknowledged: ${nameOf(item)}\n`);
  return 0;
};
