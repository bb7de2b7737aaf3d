/** A log's state as it is changed: documents move between folders, then become the trees of the next commit. */
import { parseDocumentName } from "../document/id.js";
import { encodeTree, hashObject, type TreeEntry } from "../git/object.js";
import type { GitObject, ObjectFormat } from "../git/port.js";
import { type Joined, stageOf } from "./join-logs.js";
import { FORMAT, type Log } from "./log.js";
import { FOLDERS, type Folder } from "./types.js";

const EMPTY = new Uint8Array(0);

export class LogState {
  /** Blob → file name, in each folder. */
  private readonly folders: Map<Folder, Map<string, string>>;
  private readonly trees: Map<Folder, string>;

  private constructor(log: Log | null) {
    this.folders = new Map(
      FOLDERS.map((folder) => [
        folder,
        new Map((log?.folders.get(folder)?.entries ?? []).map(({ oid, name }) => [oid, name])),
      ]),
    );
    this.trees = new Map([...(log?.folders ?? [])].map(({ folder, tree }) => [folder, tree]));
  }

  static of(log: Log | null): LogState {
    return new LogState(log);
  }

  /** The folder in which this log has the blob. */
  folderOf(oid: string): Folder | null {
    for (const folder of [...FOLDERS].reverse()) if (this.folder(folder).has(oid)) return folder;
    return null;
  }

  /** Puts a document into a folder, out of every other. Only forwards: what is further stays. */
  put(oid: string, folder: Folder, name: string): boolean {
    const now = this.folderOf(oid);
    if (now === folder || (now !== null && stageOf(now) > stageOf(folder))) return false;
    this.remove(oid);
    this.touch(folder).set(oid, folder === "gone" ? oid : name);
    return true;
  }

  /** Takes every trace of a blob out. */
  remove(oid: string): void {
    for (const folder of FOLDERS) if (this.folder(folder).has(oid)) this.touch(folder).delete(oid);
  }

  /** Moves own entries to where the other logs already have them, so that an `open/` of long ago does not stay for ever. */
  settle(joined: ReadonlyMap<string, Joined>): void {
    for (const folder of FOLDERS) {
      for (const [oid, name] of [...this.folder(folder)]) {
        const entry = joined.get(oid);
        if (entry && entry.stage > stageOf(folder)) this.put(oid, entry.folder, name);
      }
    }
  }

  entries(folder: Folder): { oid: string; name: string }[] {
    return [...this.folder(folder)].map(([oid, name]) => ({ oid, name }));
  }

  /** The trees and blobs to be written, parts before wholes, and the root's id. Documents' own blobs are the caller's. */
  encode(format: ObjectFormat): { root: string; objects: GitObject[] } {
    const objects: GitObject[] = [{ type: "blob", content: FORMAT }];
    const root: TreeEntry[] = [{ mode: "100644", name: "format", oid: hashObject("blob", FORMAT, format) }];
    for (const folder of FOLDERS) {
      const entries = this.folder(folder);
      if (entries.size === 0) continue;
      let tree = this.trees.get(folder);
      if (tree === undefined) {
        if (folder === "gone") objects.push({ type: "blob", content: EMPTY });
        const content = encodeTree(folder === "gone" ? goneEntries(entries, format) : fileEntries(entries));
        objects.push({ type: "tree", content });
        tree = hashObject("tree", content, format);
      }
      root.push({ mode: "40000", name: folder, oid: tree });
    }
    const content = encodeTree(root);
    objects.push({ type: "tree", content });
    return { root: hashObject("tree", content, format), objects };
  }

  private folder(folder: Folder): Map<string, string> {
    const entries = this.folders.get(folder);
    if (!entries) throw new Error(`no folder ${folder}`);
    return entries;
  }

  private touch(folder: Folder): Map<string, string> {
    this.trees.delete(folder);
    return this.folder(folder);
  }
}

function goneEntries(entries: ReadonlyMap<string, string>, format: ObjectFormat): TreeEntry[] {
  const oid = hashObject("blob", EMPTY, format);
  return [...entries.keys()].map((name) => ({ mode: "100644", name, oid }));
}

function fileEntries(entries: ReadonlyMap<string, string>): TreeEntry[] {
  const taken = new Set<string>();
  return [...entries].map(([oid, given]) => {
    // Two blobs under one name can only come from a forged tree; both are kept.
    const name = taken.has(given) ? unique(given, oid) : given;
    taken.add(name);
    return { mode: "100644", name, oid };
  });
}

function unique(name: string, oid: string): string {
  const id = parseDocumentName(name);
  return id ? `${id.time}-${id.slug}-${oid.slice(0, 7)}.md` : `${oid}.md`;
}
