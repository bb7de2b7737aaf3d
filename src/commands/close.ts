/** `git handoff close [<id>...]`: journal handoffs; without an id all open ones of the branch. */
import { oneLine } from "../document/strip.js";
import { NegativeError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { closeItems } from "../store/events.js";
import { findItem } from "../store/find.js";
import { readLive } from "../store/join.js";
import type { Item } from "../store/types.js";
import { listOf, reasonOf } from "./arguments.js";
import { openRepository, type Run, warn, writeJson } from "./context.js";
import { nameOf, summaryOf } from "./item.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const ids = listOf(args.id);
  const { items, warnings } = ids.length > 0 ? await named(repository, ids) : await openHere(repository);
  const done = await closeItems(repository.port(), {
    items,
    reason: reasonOf(args.reason),
    now: context.now(),
  });
  if (args.json === true) {
    const [closed, already] = [
      done.changed.map((item) => summaryOf({ ...item, state: "closed" })),
      done.already.map(summaryOf),
    ];
    writeJson(context, { closed, already, commits: done.commits, warnings });
    return 0;
  }
  warn(context, warnings.map(oneLine));
  for (const item of done.changed) context.stdout.write(`Closed: ${nameOf(item)}\n`);
  for (const item of done.already) context.stdout.write(`Already closed: ${nameOf(item)}\n`);
  return 0;
};

interface Found {
  items: Item[];
  warnings: string[];
}

async function named(repository: Repository, ids: readonly string[]): Promise<Found> {
  const branch = await repository.branch();
  const items: Item[] = [];
  for (const id of ids) items.push(await findItem(repository.port(), id, { branch }));
  return { items, warnings: [] };
}

async function openHere(repository: Repository): Promise<Found> {
  const branch = await repository.branch();
  if (branch === null) throw new NegativeError("Not on a branch; name the handoff to close.");
  const view = await readLive(repository.port(), branch);
  const items = view.items.filter(({ state }) => state === "open");
  if (items.length === 0)
    throw new NegativeError([...view.warnings, `No open handoff for ${branch}.`].map(oneLine).join("\n"));
  return { items, warnings: view.warnings };
}
