/** `git handoff redact <id>`: a secret got in; takes the document out of this writer's history, here and there. */
import { oneLine } from "../document/strip.js";
import { FatalError, NegativeError } from "../errors.js";
import type { Ref } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { readAllBranches, readAllLogs } from "../store/branch.js";
import { deleteRefs } from "../store/delete-refs.js";
import { UnknownHandoffError } from "../store/errors.js";
import { findItem } from "../store/find.js";
import { parseRefName } from "../store/names.js";
import { type Redacted, type Redaction, redactItem } from "../store/redact.js";
import type { Item } from "../store/types.js";
import type { PushedRef } from "../sync/porcelain.js";
import { replaceRedacted } from "../sync/replace.js";
import { retireSent } from "../sync/retire.js";
import { textOf } from "./arguments.js";
import { type Context, openForNetwork, type Run, warn, writeJson } from "./context.js";
import { nameOf } from "./item.js";
import { networkOf } from "./transfer.js";

export const run: Run = async (args, context) => {
  const repository = await openForNetwork(context);
  const id = String(args.id);
  const { item, target } = await findOrGone(repository, id);
  const remotes = await remotesOf(repository, textOf(args.remote));
  const holders = item ? await refsHolding(repository, item.oid) : [];
  if (args["dry-run"] === true) {
    if (args.json === true) writeJson(context, { dry_run: true, id: item?.id ?? id, holders, remotes });
    else
      context.stdout.write(
        holders.map((ref) => `would take it out of or hide it in ${oneLine(ref)}\n`).join(""),
      );
    return 0;
  }
  if (args.yes !== true) await confirmed(item, remotes, context);
  const done = await redactItem(repository.port(), {
    item: target,
    heldOnly: item === null,
    now: context.now(),
  });
  await deleteRefs(repository.port(), await deliveries(repository, target), "handoff: redact");
  const there = await replaceThere(repository, remotes, done, context);
  const failed = there.filter(
    ({ refs, error }) => error !== null || refs.some(({ status }) => status === "rejected"),
  );
  // What a remote was given came back into its tracking ref: no copy any more.
  const left = new Set(await refsHolding(repository, target.oid));
  const copies = done.copies.filter((ref) => left.has(ref));
  const warnings = [...warningsOf({ ...done, copies }), ...there.flatMap(problems)];
  if (args.json === true) {
    const { rewritten, mentionedBy: mentioned_by } = done;
    writeJson(context, {
      dry_run: false,
      id: item?.id ?? id,
      rewritten,
      remotes: there,
      copies,
      mentioned_by,
      warnings,
    });
  } else {
    if (item === null) context.stdout.write("Already redacted here.\n");
    for (const { ref } of done.rewritten) context.stdout.write(`Redacted in ${oneLine(ref)}\n`);
    for (const { remote, refs } of there)
      for (const { ref, status } of refs.filter((each) => each.status !== "rejected"))
        context.stdout.write(
          `${status === "deleted" ? "Deleted" : "Replaced"} on ${oneLine(remote)}: ${oneLine(ref)}\n`,
        );
    warn(context, warnings.map(oneLine));
  }
  return failed.length > 0 ? 1 : 0;
};

/**
 * The handoff; null for one that is gone already, by this writer's redaction (the remotes may still have to
 * follow) or another's (the own log's history may still have it).
 */
async function findOrGone(
  repository: Repository,
  id: string,
): Promise<{ item: Item | null; target: Redacted }> {
  const port = repository.port();
  const branch = await repository.branch();
  try {
    const item = await findItem(port, id, { branch, pruned: true });
    return { item, target: item };
  } catch (error) {
    if (!(error instanceof UnknownHandoffError)) throw error;
    const handle = /(?:^|-)([0-9a-f]{7})$/.exec(id)?.[1];
    for (const { branch, joined } of (await readAllBranches(port)).values()) {
      const gone = [...joined.values()].find(({ stage, oid }) => stage === 3 && oid.slice(0, 7) === handle);
      if (gone) return { item: null, target: { oid: gone.oid, id: "", branch } };
    }
    throw error;
  }
}

async function remotesOf(repository: Repository, named: string | null): Promise<string[]> {
  const names = (await repository.remotes()).map(({ name }) => name);
  if (named === null) return names;
  if (!names.includes(named)) throw new FatalError(`'${named}' is not a remote of this repository`);
  return [named];
}

async function refsHolding(repository: Repository, oid: string): Promise<string[]> {
  const logs = await readAllLogs(repository.port());
  return logs
    .filter((log) => [...log.folders].some(({ entries }) => entries.some((entry) => entry.oid === oid)))
    .map(({ ref }) => ref);
}

/** Local refs that brought this document and nothing else: the own log has called it gone, so nothing is lost with them. */
async function deliveries(repository: Repository, { oid }: Redacted): Promise<Ref[]> {
  const logs = await readAllLogs(repository.port());
  return logs
    .filter((log) => log.remote === null && log.handle !== null)
    .filter(({ folders }) => [...folders].every(({ entries }) => entries.every((entry) => entry.oid === oid)))
    .map(({ ref, tip }) => ({ name: ref, oid: tip }));
}

async function confirmed(item: Item | null, remotes: readonly string[], context: Context): Promise<void> {
  if (context.stdin.isTTY !== true || context.stderr.isTTY !== true)
    throw new FatalError("redact rewrites history for good: say --yes");
  const { confirm, isCancel } = await import("@clack/prompts");
  const where = remotes.length > 0 ? ` and on ${remotes.map(oneLine).join(", ")}` : "";
  const what = item
    ? `Take ${nameOf(item)} out of the history here${where}`
    : `Replace what was redacted${where}`;
  const answer = await confirm({
    message: `${what}? This cannot be undone.`,
    initialValue: false,
    output: context.stderr,
  });
  if (isCancel(answer) || answer !== true) throw new NegativeError("Nothing was changed.");
}

interface Replaced {
  remote: string;
  refs: PushedRef[];
  /** Why the remote could not be asked; null when it was. */
  error: string | null;
}

/** One remote that does not answer must not keep the secret on the others. */
async function replaceThere(
  repository: Repository,
  remotes: readonly string[],
  done: Redaction,
  context: Context,
): Promise<Replaced[]> {
  const results: Replaced[] = [];
  for (const remote of remotes) {
    const known = done.copies.flatMap((ref) => {
      const log = parseRefName(ref);
      return log?.remote === remote ? [log.branch] : [];
    });
    try {
      const network = networkOf(context);
      const refs = await replaceRedacted(repository, remote, network, known);
      const there = new Set(refs.filter(({ status }) => status !== "rejected").map(({ ref }) => ref));
      refs.push(...(await retireSent(repository, remote, there, network)));
      results.push({ remote, refs, error: null });
    } catch (error) {
      if (!(error instanceof FatalError)) throw error;
      results.push({ remote, refs: [], error: error.message });
    }
  }
  return results;
}

function problems({ remote, refs, error }: Replaced): string[] {
  const refused = refs.filter(({ status }) => status === "rejected");
  return [
    ...(error === null ? [] : [`${error}; run this again when it can be`]),
    ...refused.map(({ ref, reason, summary }) => `${remote} keeps ${ref}: ${reason ?? summary}`),
  ];
}

function warningsOf({ rewritten, copies, mentionedBy, reflogsExpired }: Redaction): string[] {
  return [
    ...copies.map((ref) => `a copy remains in ${ref}, which is not this writer's`),
    ...mentionedBy.map((id) => `${id} names it in its own text`),
    ...(reflogsExpired ? [] : ["reflogs could not be expired here"]),
    ...(rewritten.length > 0
      ? [
          "who fetched it before may still have it, and the objects stay until git gc; a secret must be changed",
        ]
      : []),
  ];
}
