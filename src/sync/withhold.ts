/** What was redacted must not come back to a remote in the history of a log that had a copy of it. */
import type { Ref } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { goneIn, readRedacted } from "../store/history.js";
import { readLogs } from "../store/log.js";
import { trackingRefName } from "../store/names.js";

/**
 * Of the own logs about to be pushed those that would bring a redacted document to the remote, each with the reason
 * to give. What the remote is known to have already is not held back, nor what was only pruned: that stays in
 * history on purpose.
 * @param known every ref of the branches asked for, tracking ones included; who redacted has said so in one
 */
export async function withheld(
  repository: Repository,
  remote: string,
  pending: readonly Ref[],
  known: readonly Ref[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  if (pending.length === 0) return reasons;
  const { logs } = await readLogs(repository.port(), known);
  const gone = new Set(logs.flatMap((log) => [...goneIn(log)]));
  if (gone.size === 0) return reasons;
  const there = new Map(known.map(({ name, oid }) => [name, oid]));
  const sent = (refs: readonly Ref[]) =>
    objectsOf(
      repository,
      refs.map(({ oid }) => oid),
      refs.flatMap(({ name }) => there.get(trackingRefName(name, remote)) ?? []),
    );
  // Seldom any: all logs at once first.
  const some = (await sent(pending)).filter((oid) => gone.has(oid));
  if (some.length === 0) return reasons;
  const redacted = await readRedacted(repository.port());
  if (!some.some((oid) => redacted.has(oid))) return reasons;
  for (const ref of pending) {
    const [oid] = (await sent([ref])).filter((each) => redacted.has(each));
    if (oid === undefined) continue;
    const handle = oid.slice(0, 7);
    reasons.set(ref.name, `holds ${handle}, which was redacted: run git handoff redact ${handle}`);
  }
  return reasons;
}

/** What these commits reach and those do not. Nothing where history is damaged: then the push itself says so. */
async function objectsOf(
  repository: Repository,
  from: readonly string[],
  without: readonly string[],
): Promise<string[]> {
  const args = ["--no-replace-objects", "rev-list", "--objects", "--missing=allow-any", "--stdin"];
  const input = [...from, ...without.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join("");
  const { stdout } = await repository.safe(args, { input });
  return stdout
    .toString("utf8")
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
}
