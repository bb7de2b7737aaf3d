/** The chains of commits behind logs' tips. */
import { type Commit, parseCommit, type Signature } from "../git/object.js";
import type { StoragePort } from "../git/port.js";

/** A prune that names a hundred thousand documents is as large; what is larger is nobody's event. */
export const MAX_COMMIT_BYTES = 1 << 24;

export type CommitMap = ReadonlyMap<string, Commit>;

/** Every commit that these tips reach and that is here; what cannot be read is left out. */
export async function readCommits(port: StoragePort, tips: readonly string[]): Promise<CommitMap> {
  const commits = new Map<string, Commit>();
  const wanted = [...new Set(tips)];
  if (wanted.length === 0) return commits;
  for (const { oid, content } of (await port.history?.(wanted, { maxBytes: MAX_COMMIT_BYTES })) ?? [])
    add(commits, oid, content);
  // Without a walk of the engine's own, or where it ended at something broken: parent by parent.
  const tried = new Set<string>();
  const ahead = () =>
    [...wanted, ...[...commits.values()].flatMap(({ parents }) => parents)].filter(
      (oid) => !commits.has(oid) && !tried.has(oid),
    );
  for (let next = [...new Set(ahead())]; next.length > 0; ) {
    for (const oid of next) tried.add(oid);
    const objects = await port.read(next, { maxBytes: MAX_COMMIT_BYTES });
    for (const [oid, object] of objects) {
      if (object.type === "commit" && object.content) add(commits, oid, object.content);
    }
    next = [...new Set(next.flatMap((oid) => commits.get(oid)?.parents ?? []))].filter(
      (oid) => !commits.has(oid) && !tried.has(oid),
    );
  }
  return commits;
}

function add(commits: Map<string, Commit>, oid: string, content: Uint8Array): void {
  try {
    commits.set(oid, parseCommit(content));
  } catch {
    // Reported by whoever misses it: a log whose tip cannot be read has a warning already.
  }
}

/** A log's chain from its tip back to its root; `complete` is false when a parent is not here (shallow, broken). */
export function chainOf(commits: CommitMap, tip: string): { oids: string[]; complete: boolean } {
  const oids: string[] = [];
  const seen = new Set<string>();
  for (let oid: string | undefined = tip; oid !== undefined; ) {
    const commit = commits.get(oid);
    if (!commit || seen.has(oid)) return { oids, complete: false };
    seen.add(oid);
    oids.push(oid);
    oid = commit.parents[0];
  }
  return { oids, complete: true };
}

/** ISO 8601 in the zone of the signature. */
export function signatureTime({ time, offset }: Signature): string {
  const local = new Date((time + offset * 60) * 1000);
  if (Number.isNaN(local.getTime())) return "unknown";
  const minutes = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, "0");
  const zone = `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${local.toISOString().slice(0, 19)}${zone}`;
}
