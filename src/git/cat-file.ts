/** Reads objects through `git cat-file --batch`, one process for any number of names. */
import { FatalError } from "../errors.js";
import { gitMessage } from "./discover.js";
import { oidLength } from "./object.js";
import type { ObjectFormat, ObjectType, ReadObject } from "./port.js";
import type { RunGit } from "./process.js";

/** Bytes of one answer; what is larger is asked for again, sizes first. */
const ANSWER_LIMIT = 64 << 20;
/** An object git cannot unpack ends the process: it is left out and the rest asked again, this often. */
const RESTARTS = 50;

const TYPES: ReadonlyMap<string, ObjectType> = new Map(
  (["blob", "tree", "commit", "tag"] as const).map((type) => [type, type]),
);

/** Cuts its content out when that is asked for: thousands of pieces cost more than the reading they come from. */
class Answered implements ReadObject {
  constructor(
    readonly oid: string,
    readonly type: ObjectType,
    readonly size: number,
    readonly source: Buffer | undefined,
    readonly start: number,
  ) {}

  get content(): Uint8Array | null {
    return this.source?.subarray(this.start, this.start + this.size) ?? null;
  }
}

/**
 * Names are a full id, optionally with `^{type}` or `:<path>`: nothing that would make git search, and no
 * newline, which would be a second question. Throws TypeError for any other.
 */
export function checkNames(names: readonly string[], format: ObjectFormat): void {
  const form = new RegExp(`^[0-9a-f]{${oidLength(format) * 2}}(\\^\\{[a-z]*\\}|:[^\\n]*)?$`);
  for (const name of names) {
    if (!form.test(name)) throw new TypeError(`not an object id of this repository: '${name}'`);
  }
}

interface Answer {
  /** What each answered name gave; null: not there. */
  objects: (ReadObject | null)[];
}

/** Takes git's answers apart, as far as they are whole. */
function parse(out: Buffer, count: number, withContent: boolean, maxBytes: number): Answer {
  const objects: (ReadObject | null)[] = [];
  for (let at = 0; objects.length < count; ) {
    const end = out.indexOf(10, at);
    if (end < 0) break;
    const header = out.toString("latin1", at, end);
    at = end + 1;
    const first = header.indexOf(" ");
    const last = header.lastIndexOf(" ");
    const type = TYPES.get(header.slice(first + 1, last));
    if (type === undefined || (first !== 40 && first !== 64)) {
      // `<name> missing`, `ambiguous`, `submodule`, …
      objects.push(null);
      continue;
    }
    const oid = header.slice(0, first);
    const size = Number(header.slice(last + 1));
    if (!withContent) {
      objects.push(new Answered(oid, type, size, undefined, 0));
      continue;
    }
    if (at + size + 1 > out.length || out[at + size] !== 10) break;
    objects.push(new Answered(oid, type, size, size > maxBytes ? undefined : out, at));
    at += size + 1;
  }
  return { objects };
}

/** Asks for all names, going on behind one that makes git die. `null` results are absent from the map. */
async function ask(
  git: RunGit,
  names: readonly string[],
  withContent: boolean,
  limit: number,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Map<string, ReadObject> | "too much"> {
  const found = new Map<string, ReadObject>();
  let rest = names;
  for (let restart = 0; rest.length > 0; restart++) {
    // Replacement refs would show other content under the id that was asked for.
    // Without --buffer each answer is a write of its own: thousands of them for both sides.
    const args = ["--no-replace-objects", "cat-file", withContent ? "--batch" : "--batch-check", "--buffer"];
    const input = `${rest.join("\n")}\n`;
    const { code, stdout, stderr, overflowed } = await git(args, { input, maxBuffer: limit });
    if (overflowed) return "too much";
    const { objects } = parse(stdout, rest.length, withContent, maxBytes);
    objects.forEach((object, index) => {
      const name = rest[index];
      if (object && name !== undefined) found.set(name, object);
    });
    if (objects.length === rest.length) break;
    if (code === null || restart === RESTARTS)
      throw new FatalError(gitMessage(stderr, "cannot read objects"));
    rest = rest.slice(objects.length + 1);
  }
  return found;
}

/**
 * Objects by name. Those above `maxBytes` come without content. One process, or two and more when the answer
 * would be larger than 64 MiB.
 */
export async function catFile(
  git: RunGit,
  format: ObjectFormat,
  names: readonly string[],
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Map<string, ReadObject>> {
  checkNames(names, format);
  const unique = [...new Set(names)];
  const all = await ask(git, unique, true, ANSWER_LIMIT, maxBytes);
  return all === "too much" ? inChunks(git, unique, maxBytes) : all;
}

/** Sizes first, then the contents of what is small enough, no more at once than one answer holds. */
async function inChunks(
  git: RunGit,
  names: readonly string[],
  maxBytes: number,
): Promise<Map<string, ReadObject>> {
  const found = await checkFile(git, names);
  const wanted = names.filter((name) => {
    const object = found.get(name);
    return object !== undefined && object.size <= maxBytes;
  });
  for (let at = 0; at < wanted.length; ) {
    const chunk: string[] = [];
    let total = 0;
    for (; at < wanted.length; at++) {
      const name = wanted[at] ?? "";
      const size = (found.get(name)?.size ?? 0) + 128;
      if (chunk.length > 0 && total + size > ANSWER_LIMIT) break;
      chunk.push(name);
      total += size;
    }
    const objects = await ask(git, chunk, true, Math.max(total, ANSWER_LIMIT) + 1024);
    if (objects === "too much") throw new FatalError("an object grew while it was read");
    // A header was readable and the content is not: broken, so as good as not there.
    for (const name of chunk) {
      const object = objects.get(name);
      if (object) found.set(name, object);
      else found.delete(name);
    }
  }
  return found;
}

/** Type and size of each name that is there. One process. */
export async function checkFile(git: RunGit, names: readonly string[]): Promise<Map<string, ReadObject>> {
  const found = await ask(git, names, false, Number.POSITIVE_INFINITY);
  return found === "too much" ? new Map() : found;
}
