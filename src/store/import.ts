/** Documents that other tools wrote, taken in as they were. */
import type { StoragePort } from "../git/port.js";
import { readBranches } from "./branch.js";
import { countHandoffs } from "./message.js";
import { type LogChange, ownState, record } from "./record.js";
import type { State } from "./types.js";
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
}

export interface Imported {
  recorded: Recorded[];
  /** Known in whatever folder: taken in before, or written here. */
  skipped: { id: string; oid: string; branch: string }[];
}

/** Takes documents in, one commit a branch; what is known already is skipped, so that doing it twice is doing it once. */
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
    const taken: { branch: string; oid: string; id: string; folder: State }[] = [];
    const skipped: Imported["skipped"] = [];
    for (const [branch, there] of logs) {
      const own = ownState(there, writer);
      const blobs: Uint8Array[] = [];
      const abouts: string[] = [];
      const ids: string[] = [];
      for (const document of request.documents) {
        if (document.branch !== branch) continue;
        const { oid, id } = nameDocument(document, port.objectFormat);
        if (there.joined.has(oid) || !own.state.put(oid, document.state, `${id}.md`)) {
          skipped.push({ id, oid, branch });
          continue;
        }
        taken.push({ branch, oid, id, folder: document.state });
        blobs.push(document.bytes);
        abouts.push(document.intent);
        ids.push(id);
      }
      if (ids.length === 0) continue;
      const about = abouts.length === 1 ? (abouts[0] ?? "") : countHandoffs(ids.length);
      changes.push({ branch, ...own, blobs, message: { event: "import", about, ids } });
    }
    return {
      changes,
      result: (commits) => ({
        recorded: taken.map((name) => recordedAs(name, commits.get(name.branch), [])),
        skipped,
      }),
    };
  });
}
