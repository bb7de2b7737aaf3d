/** Reading logs: from the tips of refs to what lies in which folder, in the same three reads for any number of refs. */
import { TreeCursor } from "../git/object.js";
import type { ObjectFormat, ReadObject, Ref, StoragePort } from "../git/port.js";
import { MAX_COMMIT_BYTES } from "./commits.js";
import { type Entry, type LogFolder, LogFolders } from "./log-folders.js";
import { type LogName, parseRefName } from "./names.js";
import { FOLDERS, type Folder } from "./types.js";

/** What the file `format` holds. */
export const FORMAT = Buffer.from("1\n");
/** Its ids, written out because hashing costs the hook 7 ms for loading `crypto`. */
export const FORMAT_OIDS: Readonly<Record<ObjectFormat, string>> = {
  sha1: "d00491fd7e5bb6fa28c517a0bb32b8b506539d4d",
  sha256: "b3235bed7e38dc7d6477c31fce618d77cba1f10d7213c9a250d777b98b54e36e",
};

/** Some fifty thousand entries; a larger tree is nobody's log. */
const MAX_TREE_BYTES = 1 << 24;

/** Up to so many tips one more read costs more than asking for folders that are not there. */
const FEW_TIPS = 64;

/** Why a ref is not read, among other reasons: what it leads to is no log; it is one of a format to come. */
export const NO_LOG = "not a handoff log; skipping";
export const NEWER_LOG = "written by a newer git-handoff";

/** The state that one ref's tip holds. */
export interface Log extends LogName {
  ref: string;
  tip: string;
  folders: LogFolders;
}

/** Something that could not be read, with the branch whose readers should know. */
export interface LogWarning {
  branch: string;
  ref: string;
  text: string;
}

export interface Logs {
  /** By branch, writer, handle; of the same log the local ref first. */
  logs: Log[];
  warnings: LogWarning[];
  /** Refs of which whole folders could not be read: nobody may write on top of them. */
  unreadable: ReadonlyMap<string, string>;
}

/** The order of logs that is the same in every clone, wherever a log was fetched from. */
function compareLogs(a: Log, b: Log): number {
  return (
    compareText(a.branch, b.branch) ||
    compareText(a.writer, b.writer) ||
    compareText(a.handle ?? "", b.handle ?? "") ||
    compareText(a.remote ?? "", b.remote ?? "")
  );
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reads what these refs hold; refs whose names are not a log's are ignored. */
export function readLogs(port: StoragePort, refs: readonly Ref[]): Promise<Logs> {
  return readTips(port, namedTips(refs));
}

/** The refs that are a log's by their names, with what these say. */
export function namedTips(refs: readonly Ref[]): NamedTip[] {
  const named: NamedTip[] = [];
  for (const { name: ref, oid: tip } of refs) {
    const name = parseRefName(ref);
    if (name === null) continue;
    const { branch, writer, handle, remote } = name;
    named.push({ branch, writer, handle, remote, ref, tip });
  }
  return named;
}

export async function readTips(port: StoragePort, named: readonly NamedTip[]): Promise<Logs> {
  const reader = new TreeReader(port, named);
  await reader.load();
  for (const log of named) reader.add(log);
  reader.logs.sort(compareLogs);
  return reader;
}

export type NamedTip = LogName & { ref: string; tip: string };

/** What counts of a root tree. */
interface Root {
  /** Object id of the file `format`; null where there is none. */
  format: string | null;
  folders: { folder: Folder; oid: string }[];
}

/** What counts of a folder's tree: entries that are documents, and those that name what is gone. */
interface FolderContent {
  entries: readonly Entry[];
  gone: readonly Entry[];
  faults: readonly string[];
}

const NONE: readonly Entry[] = [];
const MALFORMED: FolderContent = { entries: NONE, gone: NONE, faults: ["a folder's tree is malformed"] };

class TreeReader implements Logs {
  logs: Log[] = [];
  warnings: LogWarning[] = [];
  unreadable = new Map<string, string>();
  private readonly roots = new Map<string, Root | string>();
  private readonly folders = new Map<string, FolderContent>();
  private readonly formats = new Map<string, ReadObject>();
  private readonly known: string;

  constructor(
    private readonly port: StoragePort,
    private readonly tips: readonly NamedTip[],
  ) {
    this.known = FORMAT_OIDS[port.objectFormat];
  }

  /**
   * One read for a few tips, as each folder is asked for by name at once; two for many, of which most share
   * folders. One more where a root tree is missing.
   */
  async load(): Promise<void> {
    const tips = [...new Set(this.tips.map((log) => log.tip))];
    if (tips.length === 0) return;
    const parts = tips.length <= FEW_TIPS ? ["format", ...FOLDERS] : [];
    const names: string[] = [];
    for (const tip of tips) {
      names.push(`${tip}^{tree}`);
      for (const part of parts) names.push(`${tip}:${part}`);
    }
    const first = await this.port.read(names, { maxBytes: MAX_TREE_BYTES });
    await this.readRoots(tips, first);
    for (const [name, object] of parts.length > 0 ? first : []) if (name.includes(":")) this.addPart(object);
    const wanted = new Set<string>();
    for (const root of this.roots.values()) {
      if (typeof root === "string") continue;
      for (const { oid } of root.folders) wanted.add(oid);
      if (root.format !== null && root.format !== this.known) wanted.add(root.format);
    }
    if (parts.length > 0 || wanted.size === 0) return;
    const rest = await this.port.read([...wanted], { maxBytes: MAX_TREE_BYTES });
    for (const object of rest.values()) this.addPart(object);
  }

  private async readRoots(tips: readonly string[], first: ReadonlyMap<string, ReadObject>): Promise<void> {
    const absent: string[] = [];
    for (const tip of tips) {
      const object = first.get(`${tip}^{tree}`);
      if (!object) absent.push(tip);
      this.roots.set(tip, (object && this.readRoot(object)) ?? NO_LOG);
    }
    if (absent.length === 0) return;
    const commits = await this.port.read(absent, { maxBytes: MAX_COMMIT_BYTES });
    for (const tip of absent) {
      // A commit that is here while its tree is not: a partial clone without trees.
      const there = commits.get(tip)?.type === "commit";
      if (there) this.roots.set(tip, "its tree is not downloaded: git handoff fetch");
    }
  }

  private addPart(object: ReadObject): void {
    if (object.type === "blob") this.formats.set(object.oid, object);
    else if (object.type === "tree" && !this.folders.has(object.oid)) {
      this.folders.set(object.oid, this.readFolder(object));
    }
  }

  private readRoot(object: ReadObject): Root | null {
    if (object.type !== "tree" || object.size > MAX_TREE_BYTES) return null;
    const root: Root = { format: null, folders: [] };
    let first = true;
    try {
      for (const entry = new TreeCursor(object, this.port.objectFormat); entry.next(); ) {
        const { mode, name } = entry;
        if (name === "format") {
          if (first && mode === "100644") root.format = entry.oid;
          first = false;
        } else if (mode === "40000" && isFolder(name)) root.folders.push({ folder: name, oid: entry.oid });
      }
    } catch {
      return null;
    }
    return root;
  }

  private readFolder(object: ReadObject): FolderContent {
    if (object.size > MAX_TREE_BYTES) return MALFORMED;
    const entries: Entry[] = [];
    const gone: Entry[] = [];
    const faults: string[] = [];
    let seen: Set<string> | undefined;
    let last = "";
    try {
      for (const entry = new TreeCursor(object, this.port.objectFormat); entry.next(); ) {
        const { mode, name, rawName } = entry;
        const isGone = GONE_NAME.test(name);
        if (!isGone && !isDocumentName(name)) faults.push("an entry's name is no document's");
        else if (rawName) faults.push("an entry's name is not UTF-8");
        else if (mode !== "100644") faults.push(`${name} has mode ${mode}, not that of a file`);
        else {
          if (last !== "") seen ??= new Set([last]);
          if (seen?.has(name)) faults.push(`${name} is there twice`);
          seen?.add(name);
          last = name;
          if (isGone) gone.push({ oid: name, name });
          else entries.push({ oid: entry.oid, name });
        }
      }
    } catch {
      return MALFORMED;
    }
    return { entries, gone, faults };
  }

  /** Puts one log together from what was read. */
  add(log: NamedTip): void {
    const root = this.roots.get(log.tip);
    if (root === undefined || typeof root === "string") {
      this.fault(log, root ?? NO_LOG);
      return;
    }
    const { format } = root;
    if (format === null) {
      this.fault(log, NO_LOG);
      return;
    }
    if (format !== this.known) {
      const content = this.formats.get(format)?.content;
      const newer =
        content !== undefined && content !== null && /^[0-9]+\s*$/.test(Buffer.from(content).toString());
      this.fault(log, newer ? NEWER_LOG : NO_LOG);
      return;
    }
    const folders: LogFolder[] = [];
    for (const { folder, oid } of root.folders) {
      if (folders.length > 0 && folders.some((before) => before.folder === folder)) {
        this.fault(log, `the folder ${folder} is there twice`);
        continue;
      }
      const read = this.folders.get(oid);
      if (!read) {
        this.fault(log, `the folder ${folder} is not downloaded: git handoff fetch`);
        continue;
      }
      for (const fault of read.faults) this.warn(log, `in ${folder}/ ${fault}; skipping`);
      folders.push({ folder, tree: oid, entries: folder === "gone" ? read.gone : read.entries });
    }
    if (folders.length > 1) folders.sort((a, b) => FOLDERS.indexOf(a.folder) - FOLDERS.indexOf(b.folder));
    const { branch, writer, handle, remote, ref, tip } = log;
    this.logs.push({ branch, writer, handle, remote, ref, tip, folders: new LogFolders(folders) });
  }

  private fault(log: NamedTip, what: string): void {
    this.unreadable.set(log.ref, what);
    this.warn(log, what);
  }

  private warn(log: NamedTip, what: string): void {
    this.warnings.push({ branch: log.branch, ref: log.ref, text: `${log.ref}: ${what}` });
  }
}

const GONE_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function isFolder(name: string): name is Folder {
  return (FOLDERS as readonly string[]).includes(name);
}

/** Could this be a document's file? Whether the name is the right one for its blob is the join's question. */
function isDocumentName(name: string): boolean {
  if (name.length > 255 || !/^[^.\x00-\x1f\x7f/\\][^\x00-\x1f\x7f/\\]*\.md$/.test(name)) return false;
  return name.length <= 63 || Buffer.byteLength(name) <= 255;
}
