/** Documents that other tools wrote, taken in as they were. */
import { handleOf } from "../document/id.js";
import type { StoragePort } from "../git/port.js";
import { readBranches } from "./branch.js";
import { countHandoffs } from "./message.js";
import { type LogChange, ownState, type RecordedCommit, record } from "./record.js";
import type { Folder, State } from "./types.js";
import {
  checkBranch,
  checkDelivery,
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
  return record(port, request.now, async (writer) => {
    const logs = await readBranches(
      port,
      request.documents.map(({ branch }) => branch),
    );
    const changes: LogChange[] = [];
    const taken: Taken[] = [];
    const skipped: Imported["skipped"] = [];
    for (const [branch, there] of logs) {
      const own = ownState(there, writer);
      const here: Taken[] = [];
      for (const document of request.documents) {
        if (document.branch !== branch) continue;
        const { oid, id } = nameDocument(document, port.objectFormat);
        const known = there.joined.get(oid);
        const further = known?.stage === 0 && (document.state === "closed" || document.state === "acked");
        if ((known && !further) || !own.state.put(oid, document.state, `${id}.md`)) {
          skipped.push({
            id,
            oid,
            branch,
            folder: known?.folder ?? own.state.folderOf(oid) ?? document.state,
          });
          continue;
        }
        here.push({ branch, oid, id, folder: document.state, known: known !== undefined, document });
      }
      if (here.length === 0) continue;
      taken.push(...here);
      const [first] = here;
      const about = first && here.length === 1 ? first.document.intent : countHandoffs(here.length);
      changes.push({
        branch,
        ...own,
        blobs: here.map(({ document }) => document.bytes),
        message: { event: "import", about, ids: here.map(({ id }) => id), reason: reasonOf(here) },
      });
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

interface Taken {
  branch: string;
  oid: string;
  id: string;
  folder: State;
  known: boolean;
  document: ImportedDocument;
}

/** One line for the commit; with several documents each reason names its own. */
function reasonOf(taken: readonly Taken[]): string | null {
  const reasons = taken.flatMap(({ oid, document: { reason } }) =>
    reason === undefined ? [] : [taken.length === 1 ? reason : `${handleOf(oid)} ${reason}`],
  );
  return reasons.length === 0 ? null : reasons.join("; ");
}
