/** A pushed document as another repository gets it: one commit that never changes. */
import { writtenTime } from "../document/time.js";
import { encodeCommit, hashObject } from "../git/object.js";
import type { GitObject, Identity, ObjectFormat } from "../git/port.js";
import { LogState } from "./log-state.js";
import { formatMessage } from "./message.js";
import { sentRefName } from "./names.js";
import { signature } from "./record.js";
import { type NewDocument, nameDocument } from "./write.js";

export interface SentLog {
  ref: string;
  path: string;
  commit: string;
  id: string;
  handle: string;
  oid: string;
  /** Everything the ref needs, parts before wholes. */
  objects: GitObject[];
}

/**
 * The one-commit log of a pushed document. Author, committer and both dates come from the document, so that
 * sending it again gives the same commit and the push is "up to date".
 */
export function sentLog(
  format: ObjectFormat,
  sent: { branch: string; writer: string; document: NewDocument; author: Identity },
): SentLog {
  const document: NewDocument = { ...sent.document, delivery: "pushed" };
  const { oid, id, folder } = nameDocument(document, format);
  const state = LogState.of(null);
  state.put(oid, folder, `${id}.md`);
  const { root, objects } = state.encode(format);
  const at = {
    ...signature(sent.author, new Date(Math.max(0, writtenTime(document.written) ?? 0))),
    offset: 0,
  };
  const message = formatMessage({ event: "write", about: document.intent, ids: [id] });
  const content = encodeCommit({ tree: root, parents: [], author: at, committer: at, message });
  const handle = oid.slice(0, 7);
  return {
    ref: sentRefName(sent.branch, sent.writer, handle),
    path: `${folder}/${id}.md`,
    commit: hashObject("commit", content, format),
    id,
    handle,
    oid,
    objects: [{ type: "blob", content: document.bytes }, ...objects, { type: "commit", content }],
  };
}
