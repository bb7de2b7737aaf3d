/** When documents were closed or acknowledged, from the events of all logs. */
import { type CommitMap, chainOf } from "./commits.js";
import type { Log } from "./log.js";
import { parseMessage } from "./message.js";

/** Id → milliseconds of the first event that ended it. */
export function closingTimes(logs: readonly Log[], commits: CommitMap): Map<string, number> {
  const times = new Map<string, number>();
  const seen = new Set<string>();
  for (const log of logs) {
    for (const oid of chainOf(commits, log.tip).oids) {
      const commit = commits.get(oid);
      if (!commit || seen.has(oid)) continue;
      seen.add(oid);
      const { event, ids, supersedes } = parseMessage(commit.message);
      const ended =
        event === "close" || event === "ack" || event === "decline" || event === "import"
          ? ids
          : event === "append" || event === "supersede"
            ? supersedes
            : [];
      const time = commit.committer.time * 1000;
      for (const id of ended) times.set(id, Math.min(times.get(id) ?? Number.POSITIVE_INFINITY, time));
    }
  }
  return times;
}
