/** Walking history and emptying reflogs, for the git engine. */
import { FatalError } from "../errors.js";
import { catFile } from "./cat-file.js";
import { gitMessage } from "./discover.js";
import type { ObjectFormat } from "./port.js";
import type { RunGit } from "./process.js";

/**
 * Every commit that these tips reach, as stored: one rev-list for the names, one cat-file for the contents.
 * Where a parent is missing rev-list dies on it, perhaps before it printed anything: what it printed counts.
 */
export async function walkHistory(
  git: RunGit,
  format: ObjectFormat,
  tips: readonly string[],
  maxBytes?: number,
): Promise<{ oid: string; content: Uint8Array }[]> {
  if (tips.length === 0) return [];
  const args = ["--no-replace-objects", "rev-list", "--ignore-missing", "--stdin"];
  const { stdout } = await git(args, { input: `${tips.join("\n")}\n`, maxBuffer: 1 << 28 });
  const oids = stdout.toString("latin1").split("\n").filter(Boolean);
  if (oids.length === 0) return [];
  const objects = await catFile(git, format, oids, maxBytes);
  return oids.flatMap((oid) => {
    const content = objects.get(oid)?.content;
    return content ? [{ oid, content }] : [];
  });
}

/** Empties a ref's reflog. Throws FatalError with git's words. */
export async function expireReflog(git: RunGit, ref: string): Promise<void> {
  const { code, stderr } = await git(["reflog", "expire", "--expire=now", "--expire-unreachable=now", ref]);
  if (code !== 0) throw new FatalError(gitMessage(stderr, `cannot expire the reflog of '${ref}'`));
}
