/**
 * Git's objects as bytes, and their ids. Computed in this process, so that an engine only has to store
 * them, and both engines give the same ids.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Identity, ObjectFormat, ObjectType, ReadObject } from "./port.js";

export interface TreeEntry {
  /** Octal without leading zero: `100644`, `100755`, `120000`, `160000`, `40000`. */
  mode: string;
  name: string;
  oid: string;
  /** The name's bytes, only where they are not UTF-8 (so that rewriting a tree keeps them). */
  rawName?: Uint8Array;
}

export interface Signature extends Identity {
  /** Seconds since 1970. */
  time: number;
  /** Minutes east of UTC. */
  offset: number;
}

export interface Commit {
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
}

/** Bytes of an object id. */
export function oidLength(format: ObjectFormat): 20 | 32 {
  return format === "sha1" ? 20 : 32;
}

/** The id that stands for "no object". */
export function zeroOid(format: ObjectFormat): string {
  return "0".repeat(oidLength(format) * 2);
}

/** A full lower-case object id of that format. */
export function isOid(text: string, format: ObjectFormat): boolean {
  return text.length === oidLength(format) * 2 && /^[0-9a-f]+$/.test(text);
}

/** The id git gives this object. */
export function hashObject(type: ObjectType, content: Uint8Array, format: ObjectFormat): string {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest("hex");
}

function isTree(entry: TreeEntry): boolean {
  return entry.mode === "40000";
}

/** Bytes of a tree, in git's order (a folder sorts as if its name ended in `/`). Throws on a name git would not take. */
export function encodeTree(entries: readonly TreeEntry[]): Uint8Array {
  const rows = entries.map((entry) => {
    const name = entry.rawName ? Buffer.from(entry.rawName) : Buffer.from(entry.name, "utf8");
    if (name.length === 0 || name.includes(0) || name.includes(47) || /^(\.|\.\.|\.git)$/i.test(entry.name)) {
      throw new TypeError(`not a name for a tree entry: '${entry.name}'`);
    }
    return { entry, name, key: isTree(entry) ? Buffer.concat([name, Buffer.from("/")]) : name };
  });
  rows.sort((a, b) => Buffer.compare(a.key, b.key));
  const parts: Buffer[] = [];
  let last: Buffer | undefined;
  for (const { entry, name } of rows) {
    if (last?.equals(name)) throw new TypeError(`two tree entries named '${entry.name}'`);
    last = name;
    parts.push(Buffer.from(`${entry.mode} `), name, Buffer.from([0]), Buffer.from(entry.oid, "hex"));
  }
  return Buffer.concat(parts);
}

/** The entries of a tree. Throws TypeError when the bytes are no tree of this format. */
export function parseTree(content: Uint8Array, format: ObjectFormat): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (const entry = new TreeCursor({ content }, format); entry.next(); ) {
    const { mode, name, oid, rawName } = entry;
    entries.push(rawName ? { mode, name, oid, rawName } : { mode, name, oid });
  }
  return entries;
}

/** Goes from entry to entry of a tree and makes only what is asked for: of thousands of logs most is not. */
export class TreeCursor {
  /** Of the entry it is at, as TreeEntry has them. */
  mode = "";
  name = "";
  rawName: Uint8Array | undefined;
  private readonly bytes: Buffer;
  private readonly start: number;
  /** The tree, a character a byte: each search in a buffer costs as much as reading the whole entry. */
  private readonly text: string;
  private readonly oidLength: number;
  private at = 0;

  constructor(object: TreeContent, format: ObjectFormat) {
    this.oidLength = oidLength(format);
    const { source, start = 0, size = 0 } = object;
    if (source) {
      this.bytes = source;
      this.start = start;
      this.text = source.toString("latin1", start, start + size);
    } else {
      const bytes = object.content ?? new Uint8Array(0);
      this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      this.start = 0;
      this.text = this.bytes.toString("latin1");
    }
  }

  /** To the next entry, if there is one. Throws TypeError where the bytes are no tree of this format. */
  next(): boolean {
    const { text, at } = this;
    if (at >= text.length) return false;
    const space = text.indexOf(" ", at);
    const nul = space < 0 ? -1 : text.indexOf("\0", space);
    const mode = nul < 0 ? undefined : modeOf(text.slice(at, space));
    this.at = nul + 1 + this.oidLength;
    if (mode === undefined || nul === space + 1 || this.at > text.length) {
      throw new TypeError("malformed tree");
    }
    this.mode = mode;
    this.name = text.slice(space + 1, nul);
    this.rawName = undefined;
    if (BEYOND_ASCII.test(this.name)) {
      const raw = this.bytes.subarray(this.start + space + 1, this.start + nul);
      this.name = raw.toString("utf8");
      if (!isUtf8(raw)) this.rawName = raw;
    }
    return true;
  }

  get oid(): string {
    const end = this.start + this.at;
    return this.bytes.toString("hex", end - this.oidLength, end);
  }
}

type TreeContent = Pick<ReadObject, "content"> & Partial<Pick<ReadObject, "source" | "start" | "size">>;

const BEYOND_ASCII = /[\x80-\xff]/;

/** Without leading zeros; undefined when this is no mode. */
function modeOf(text: string): string | undefined {
  // The two that make up a log, whose answers need not be made anew each time.
  if (text === "100644" || text === "40000") return text;
  return /^[0-7]{5,6}$/.test(text) ? Number.parseInt(text, 8).toString(8) : undefined;
}

/** As git cleans a name or address: no control characters, no angle brackets, no crud at the ends. */
function clean(text: string): string {
  return text.replace(/[\x00-\x1f\x7f<>]/g, "").replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, "");
}

/** `Name <email> <seconds> <zone>`, as commits and reflogs have it. */
export function encodeSignature(signature: Signature): string {
  const { name, email, time, offset } = signature;
  if (!Number.isSafeInteger(time) || time < 0) throw new RangeError(`not a time git can store: ${time}`);
  const minutes = Math.abs(Math.trunc(offset));
  const zone = String(Math.trunc(minutes / 60) * 100 + (minutes % 60)).padStart(4, "0");
  return `${clean(name) || "unknown"} <${clean(email)}> ${time} ${offset < 0 ? "-" : "+"}${zone}`;
}

/** Bytes of a commit: UTF-8, its dates as given, never signed. Throws TypeError on a NUL in the message. */
export function encodeCommit(commit: Commit): Uint8Array {
  if (commit.message.includes("\0")) throw new TypeError("a commit message cannot hold a NUL");
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${encodeSignature(commit.author)}`,
    `committer ${encodeSignature(commit.committer)}`,
  ];
  const message = commit.message.endsWith("\n") ? commit.message : `${commit.message}\n`;
  return Buffer.from(`${lines.join("\n")}\n\n${message}`, "utf8");
}

function parseSignature(line: string): Signature {
  const match = /^(.*?) ?<([^>]*)> ?(\d*) ?([+-])?(\d{2})?(\d{2})?/.exec(line);
  if (!match) return { name: line, email: "", time: 0, offset: 0 };
  const [, name = "", email = "", time = "", sign, hours = "0", minutes = "0"] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  return { name, email, time: Number(time), offset: sign === "-" ? -offset : offset };
}

/** A commit's fields. Tolerant of broken signatures; throws TypeError when there is no tree line. */
export function parseCommit(content: Uint8Array): Commit {
  const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString("utf8");
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end);
  const commit: Commit = {
    tree: "",
    parents: [],
    author: { name: "", email: "", time: 0, offset: 0 },
    committer: { name: "", email: "", time: 0, offset: 0 },
    message: end < 0 ? "" : text.slice(end + 2),
  };
  for (const line of head.split("\n")) {
    const space = line.indexOf(" ");
    const key = line.slice(0, space);
    const value = line.slice(space + 1);
    if (key === "tree") commit.tree = value;
    else if (key === "parent") commit.parents.push(value);
    else if (key === "author") commit.author = parseSignature(value);
    else if (key === "committer") commit.committer = parseSignature(value);
  }
  if (!/^[0-9a-f]+$/.test(commit.tree)) throw new TypeError("malformed commit");
  return commit;
}
