/** Documents that other tools wrote, taken in as they were. */

import type { Headline } from "../document/headline.js";
import { handleOf } from "../document/id.js";
import type { StoragePort } from "../git/port.js";
import { readBranches } from "./branch.js";
import { parseRead } from "./documents.js";
import { originBranch } from "./join.js";
import { countHandoffs } from "./message.js";
import { type LogChange, ownState, type RecordedCommit, record } from "./record.js";
import type { Folder, State } from "./types.js";
import {
  checkBranch,
  checkDelivery,
  closeAtOrigin,
  joinChanges,
  type NewDocument,
  nameDocument,
  type Recorded,
  type RecordOptions,
  recordedAs,
} from "./write.js";

/** One document of an import and where it belongs. */
export interface ImportedDocument extends NewDocument {
  branch: string;
  state: State;
  /** When and how it ended, where its source says so. */
  reason?: string;
}

export interface Imported {
  recorded: Recorded[];
  /** Known and still open here, but closed or acknowledged at its source since: now here as well. */
  ended: Recorded[];
  /** Known, and no further at its source than here; `folder` says how far that is. */
  skipped: { id: string; oid: string; branch: string; folder: Folder }[];
}

/**
 * Takes documents in, one commit a branch. What is known already is skipped, so that doing it twice is doing it
 * once; only forwards it may still go.
 */
export async function recordImport(
  port: StoragePort,
  request: { documents: readonly ImportedDocument[] } & RecordOptions,
): Promise<Imported> {
  for (const { branch, state } of request.documents) {
    checkBranch(branch);
    checkDelivery(branch, { delivery: state === "inbox" || state === "acked" ? "pushed" : "pulled" });
  }
  const read = await Promise.all(request.documents.map((document) => readImported(port, document)));
  return record(port, request.now, async (writer) => {
    const logs = await readBranches(
      port,
      read.flatMap(({ branch, origin }) => (origin === null ? [branch] : [branch, origin])),
    );
    let changes: LogChange[] = [];
    const taken: Taken[] = [];
    const skipped: Imported["skipped"] = [];
    for (const branch of new Set(read.map((each) => each.branch))) {
      const there = logs.get(branch);
      if (!there) throw new Error(`no logs of ${branch}`);
      const own = ownState(there, writer);
      const here: Taken[] = [];
      for (const each of read) {
        if (each.branch !== branch) continue;
        const { oid, id, origin, source } = each;
        const known = there.joined.get(oid);
        const ends = source.state === "closed" || source.state === "acked";
        // Moved to somewhere else and ended, or removed, there.
        const elsewhere = origin === null ? undefined : logs.get(origin)?.joined.get(oid);
        const ended = (elsewhere?.stage ?? 0) >= (ends ? 3 : 2) ? elsewhere : undefined;
        const skip = known ? known.stage > 0 || !ends : ended !== undefined;
        if (skip || !own.state.put(oid, source.state, `${id}.md`)) {
          const folder = known?.folder ?? ended?.folder ?? own.state.folderOf(oid) ?? source.state;
          skipped.push({ id, oid, branch, folder });
          continue;
        }
        here.push({ ...each, folder: source.state, known: known !== undefined });
      }
      if (here.length === 0) continue;
      taken.push(...here);
      const [first] = here;
      const about = first && here.length === 1 ? first.source.intent : countHandoffs(here.length);
      changes.push({
        branch,
        ...own,
        blobs: here.map(({ source }) => source.bytes),
        message: { event: "import", about, ids: here.map(({ id }) => id), reason: reasonOf(here) },
      });
    }
    for (const state of ["closed", "acked"] as const) {
      const ended = taken.filter(({ known, folder }) => known && folder === state);
      const event = state === "closed" ? "close" : "ack";
      changes = joinChanges(changes, await closeAtOrigin(port, ended, writer, event), ended, state);
    }
    const named = (commits: ReadonlyMap<string, RecordedCommit>, known: boolean) =>
      taken
        .filter((each) => each.known === known)
        .map((each) => recordedAs(each, commits.get(each.branch), []));
    return {
      changes,
      result: (commits) => ({ recorded: named(commits, false), ended: named(commits, true), skipped }),
    };
  });
}

interface Read {
  branch: string;
  oid: string;
  id: string;
  /** As originBranch has it. */
  origin: string | null;
  headline: Headline | null;
  source: ImportedDocument;
}

interface Taken extends Read {
  folder: State;
  known: boolean;
}

async function readImported(port: StoragePort, source: ImportedDocument): Promise<Read> {
  const { oid, id } = nameDocument(source, port.objectFormat);
  const read = await parseRead(source.bytes);
  const { branch } = source;
  return { branch, oid, id, origin: originBranch(read, branch), headline: read.headline, source };
}

/** One line for the commit; with several documents each reason names its own. */
function reasonOf(taken: readonly Taken[]): string | null {
  const reasons = taken.flatMap(({ oid, source: { reason } }) =>
    reason === undefined ? [] : [taken.length === 1 ? reason : `${handleOf(oid)} ${reason}`],
  );
  return reasons.length === 0 ? null : reasons.join("; ");
}
