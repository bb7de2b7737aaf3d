/** One branch as its logs have it, before any document is read. */
import type { StoragePort } from "../git/port.js";
import { append } from "./append.js";
import { type Joined, joinLogs } from "./join-logs.js";
import {
  compareText,
  type Log,
  type Logs,
  type LogWarning,
  type NamedTip,
  namedTips,
  readLogs,
  readTips,
} from "./log.js";
import { allRefPatterns, refPatterns } from "./names.js";

export interface BranchLogs {
  branch: string;
  logs: readonly Log[];
  joined: ReadonlyMap<string, Joined>;
  warnings: readonly LogWarning[];
  /** Why a ref cannot be written on. */
  unreadable: ReadonlyMap<string, string>;
}

/** These branches' logs, in one go. Every branch asked for is in the map. */
export async function readBranches(
  port: StoragePort,
  branches: Iterable<string>,
): Promise<Map<string, BranchLogs>> {
  const names = [...new Set(branches)];
  const refs = names.length > 0 ? await port.refs(names.flatMap(refPatterns)) : [];
  return groupByBranch(await readLogs(port, refs), names);
}

/** Every branch that has a log, by name. */
export async function readAllBranches(port: StoragePort): Promise<Map<string, BranchLogs>> {
  return groupByBranch(await readLogs(port, await port.refs(allRefPatterns())), []);
}

/** Every log there is, local and fetched. */
export async function readAllLogs(port: StoragePort): Promise<readonly Log[]> {
  return (await readLogs(port, await port.refs(allRefPatterns()))).logs;
}

/** More refs are read in two parts side by side, so that one is taken apart while git answers for the other. */
const MANY_REFS = 2000;

/**
 * The same in parts, none of which has a branch of another, each with what `then` makes of it as soon as it is read.
 * @param meanwhile done while git lists the refs
 */
export async function readAllBranchesInParts<T>(
  port: StoragePort,
  then: (branches: Map<string, BranchLogs>) => Promise<T>,
  meanwhile: () => void = () => {},
): Promise<T[]> {
  const listing = port.refs(allRefPatterns());
  meanwhile();
  const tips = namedTips(await listing);
  const parts = tips.length < MANY_REFS ? [tips] : halves(tips);
  return Promise.all(parts.map(async (part) => then(groupByBranch(await readTips(port, part), []))));
}

/** About as many on either side of one branch's name. */
function halves(tips: readonly NamedTip[]): NamedTip[][] {
  const step = Math.ceil(tips.length / 64);
  const some = tips.filter((_tip, index) => index % step === 0).map(({ branch }) => branch);
  const middle = some.sort(compareText)[some.length >> 1] ?? "";
  return [tips.filter(({ branch }) => branch < middle), tips.filter(({ branch }) => branch >= middle)];
}

function groupByBranch(read: Logs, names: readonly string[]): Map<string, BranchLogs> {
  const logs = new Map<string, Log[]>(names.map((name) => [name, []]));
  for (const log of read.logs) append(logs, log.branch, log);
  const warnings = new Map<string, LogWarning[]>();
  for (const warning of read.warnings) {
    append(warnings, warning.branch, warning);
    if (!logs.has(warning.branch)) logs.set(warning.branch, []);
  }
  return new Map(
    [...logs].map(([branch, own]) => [
      branch,
      {
        branch,
        logs: own,
        joined: joinLogs(own),
        warnings: warnings.get(branch) ?? [],
        unreadable: read.unreadable,
      },
    ]),
  );
}
