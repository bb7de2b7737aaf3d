/** `git handoff show [<id>]`: one whole document and its verdicts. */
import { oneLine, stripText } from "../document/strip.js";
import { FatalError, NegativeError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { readDocument } from "../read/flow.js";
import { findItem } from "../store/find.js";
import { readLive } from "../store/join.js";
import type { Item } from "../store/types.js";
import { verdictsText } from "../surface/verdicts.js";
import { writePaged } from "../terminal/pager.js";
import { textOf } from "./arguments.js";
import { openRepository, type Run, warn } from "./context.js";
import { writeReportJson } from "./report.js";

export const run: Run = async (args, context) => {
  const repository = await openRepository(context);
  const item = await itemToShow(repository, textOf(args.id));
  if (args.raw === true) {
    context.stdout.write(bytesOf(item));
    return 0;
  }
  const report = await readDocument(repository, item, { now: context.now() });
  if (args.json === true) {
    writeReportJson(context, report);
    return 0;
  }
  const text = stripText(Buffer.from(bytesOf(item)).toString("utf8"));
  const head = `${item.id}  (${item.state}, ${oneLine(item.branch)}, ${item.writer})\n`;
  const verdicts = verdictsText(report);
  await writePaged(
    `${head}\n${text.replace(/\n*$/, "\n")}${verdicts === "" ? "" : `\n${verdicts}`}`,
    context,
  );
  warn(context, report.warnings.map(oneLine));
  return 0;
};

async function itemToShow(repository: Repository, id: string | null): Promise<Item> {
  const branch = await repository.branch();
  if (id !== null) return findItem(repository.port(), id, { branch, pruned: true });
  if (branch === null) throw new NegativeError("Not on a branch; name the handoff to show.");
  const view = await readLive(repository.port(), branch);
  const open = view.items.find(({ state }) => state === "open");
  if (open === undefined)
    throw new NegativeError([...view.warnings, `No open handoff for ${branch}.`].map(oneLine).join("\n"));
  return open;
}

function bytesOf(item: Item): Uint8Array {
  if (item.bytes !== null) return item.bytes;
  throw new FatalError(
    `handoff '${item.handle}' is not downloaded here or too large: git show ${item.ref}:${item.path}`,
  );
}
