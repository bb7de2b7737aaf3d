/**
 * Refs of the files backend without git: loose and packed, read in the order that loses none, moved under
 * git's own locks. (isomorphic-git's resolveRef and listRefs look into packed-refs first and so miss a ref that
 * is packed meanwhile; its writeRef neither locks nor compares.)
 */
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { Files } from "./files.js";
import { takeLock } from "./lock.js";
import { type Ref, RefConflictError, type RefUpdate, RefUpdateError } from "./port.js";
import { refMatcher } from "./ref-pattern.js";

/** A symbolic ref is followed this often, as git does. */
const DEPTH = 5;

interface PackedLine {
  ref: string;
  oid: string;
}

/** `packed-refs` without its comments and peeled lines. */
function parsePacked(text: string): PackedLine[] {
  return text.split("\n").flatMap((line) => {
    const match = /^([0-9a-f]{40}) (.+)$/.exec(line);
    return match ? [{ oid: match[1] ?? "", ref: match[2] ?? "" }] : [];
  });
}

/** The file without these refs and without what is peeled from them. */
function dropPacked(text: string, gone: ReadonlySet<string>): string {
  let dropping = false;
  return text
    .split("\n")
    .filter((line) => {
      if (!line.startsWith("^")) dropping = gone.has(line.slice(41)) && !line.startsWith("#");
      return !dropping;
    })
    .join("\n");
}

export class FilesRefs {
  constructor(
    private readonly files: Files,
    private readonly commonDir: string,
  ) {}

  #path(ref: string): string {
    return `${this.commonDir}/${ref}`;
  }

  async #packed(): Promise<PackedLine[]> {
    return parsePacked((await this.files.text(this.#path("packed-refs"))) ?? "");
  }

  /** The value of a loose ref: an id, null when there is none, `broken` when its file is neither. */
  async #loose(ref: string, depth = 0): Promise<string | null> {
    const text = await this.files.text(this.#path(ref));
    if (text === null) return null;
    const target = /^ref: *(refs\/\S+)\s*$/.exec(text)?.[1];
    if (target && depth < DEPTH && !target.includes("..")) return this.read(target, depth + 1);
    return /^([0-9a-f]{40})(\s|$)/.exec(text)?.[1] ?? "broken";
  }

  /** Loose first: a ref being packed is in packed-refs before its loose file goes. */
  async read(ref: string, depth = 0): Promise<string | null> {
    const loose = await this.#loose(ref, depth);
    if (loose !== null) return loose;
    return (await this.#packed()).find((line) => line.ref === ref)?.oid ?? null;
  }

  /** Names of loose refs at or below a path. */
  async #looseNames(path: string): Promise<string[]> {
    const kind = await this.files.kind(this.#path(path));
    if (kind === "file") return path.endsWith(".lock") ? [] : [path];
    if (kind === null) return [];
    const names = await this.files.list(this.#path(path));
    return (await Promise.all(names.map((name) => this.#looseNames(`${path}/${name}`)))).flat();
  }

  /** All refs of these patterns, sorted by name; broken ones are left out. */
  async list(patterns: readonly string[]): Promise<Ref[]> {
    const matches = refMatcher(patterns);
    const found = new Map<string, string>();
    const starts = new Set(patterns.map((pattern) => pattern.replace(/\/([^/]*\*.*)?$/s, "")));
    for (const start of starts) {
      if (!/^refs(\/|$)/.test(start) || start.includes("..")) continue;
      for (const name of (await this.#looseNames(start)).filter(matches)) {
        const oid = await this.#loose(name);
        // Deleted or packed since it was listed: packed-refs, read below, knows.
        if (oid !== null) found.set(name, oid);
      }
    }
    for (const { ref, oid } of await this.#packed()) {
      if (matches(ref) && !found.has(ref)) found.set(ref, oid);
    }
    const names = [...found.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return names.flatMap((name) => {
      const oid = found.get(name);
      return oid && oid !== "broken" ? [{ name, oid }] : [];
    });
  }

  /** Another ref that is a folder of this one, or for which this one is a folder. */
  async #obstacle(ref: string, updates: readonly RefUpdate[]): Promise<string | undefined> {
    const packed = (await this.#packed()).map((line) => line.ref);
    const loose = (await this.#looseNames(ref)).filter((name) => name !== ref);
    const parts = ref.split("/");
    const above = parts.slice(2).map((_, index) => parts.slice(0, index + 2).join("/"));
    for (const name of above) {
      if ((await this.files.kind(this.#path(name))) === "file") return name;
    }
    const planned = updates.filter(({ to }) => to !== null).map((update) => update.ref);
    const others = [...packed, ...loose, ...planned];
    return others.find((name) => name.startsWith(`${ref}/`) || above.includes(name));
  }

  /**
   * Locks all, compares all, asks `check` about each, then moves all; or nothing. `entry` is the reflog line from
   * the committer on.
   */
  async update(
    updates: readonly RefUpdate[],
    entry: string,
    check: (update: RefUpdate) => Promise<void>,
  ): Promise<void> {
    const locks: string[] = [];
    try {
      // One order for everybody, so that two of these never wait for each other.
      for (const ref of updates.map((update) => update.ref).sort()) {
        locks.push(await takeLock(this.files, this.#path(ref)));
      }
      for (const { ref, from } of updates) {
        const value = await this.read(ref);
        if (value !== from) {
          throw new RefConflictError(
            ref,
            `'${ref}' is at ${value ?? "nothing"}, not at ${from ?? "nothing"}`,
          );
        }
      }
      for (const update of updates) {
        const { ref, from, to } = update;
        await check(update);
        const obstacle = from === null && to !== null && (await this.#obstacle(ref, updates));
        if (obstacle) throw new RefUpdateError(`'${obstacle}' exists; cannot create '${ref}'`);
      }
      await this.#move(
        updates.filter(({ from, to }) => from !== to),
        entry,
      );
    } finally {
      for (const lock of locks.reverse()) await this.files.remove(lock).catch(() => {});
      for (const { ref } of updates) await this.#tidy(ref);
    }
  }

  /** Everything is locked and as expected. What fails half way is taken back before the locks go. */
  async #move(updates: readonly RefUpdate[], entry: string): Promise<void> {
    const done: RefUpdate[] = [];
    try {
      const gone = updates.filter(({ to }) => to === null);
      for (const update of updates) {
        if (update.to === null) continue;
        await this.#put(update.ref, update.to);
        done.push(update);
      }
      await this.#unpack(gone.map(({ ref }) => ref));
      for (const update of gone) {
        done.push(update);
        await this.files.remove(this.#path(update.ref));
        await this.files.remove(this.#path(`logs/${update.ref}`));
      }
      for (const { ref, from, to } of updates) {
        if (to !== null) await this.#log(ref, `${from ?? "0".repeat(40)} ${to} ${entry}\n`);
      }
    } catch (error) {
      for (const { ref, from } of done.reverse()) {
        await (from === null ? this.files.remove(this.#path(ref)) : this.#put(ref, from)).catch(() => {});
      }
      const message = error instanceof Error ? error.message : String(error);
      throw error instanceof RefUpdateError ? error : new RefUpdateError(`cannot update refs: ${message}`);
    }
  }

  /** Under the ref's lock. The temporary name ends in `.lock` so that nobody takes it for a ref. */
  async #put(ref: string, oid: string): Promise<void> {
    const path = this.#path(ref);
    if ((await this.files.kind(path)) === "folder") await this.files.removeEmpty(path);
    await this.files.replace(path, `${oid}\n`, `${path}.${randomBytes(4).toString("hex")}.lock`);
  }

  /** Takes refs out of packed-refs, so that they do not come back when their loose file goes. */
  async #unpack(refs: readonly string[]): Promise<void> {
    if (refs.length === 0) return;
    const path = this.#path("packed-refs");
    const lock = await takeLock(this.files, path);
    try {
      const text = await this.files.text(path);
      const gone = new Set(refs);
      if (text !== null && parsePacked(text).some(({ ref }) => gone.has(ref))) {
        // git's own name for the file to be.
        await this.files.remove(`${path}.new`);
        await this.files.replace(path, dropPacked(text, gone), `${path}.new`);
      }
    } finally {
      await this.files.remove(lock);
    }
  }

  async #log(ref: string, line: string): Promise<void> {
    const path = this.#path(`logs/${ref}`);
    if ((await this.files.kind(path)) === "folder") await this.files.removeEmpty(path);
    await this.files.makeFolder(dirname(path));
    await this.files.fs.appendFile(path, line);
  }

  /** Empties a ref's reflog, under the ref's lock as git does. */
  async expireLog(ref: string): Promise<void> {
    const lock = await takeLock(this.files, this.#path(ref));
    try {
      const path = this.#path(`logs/${ref}`);
      if ((await this.files.kind(path)) === "file") await this.files.fs.writeFile(path, "");
    } finally {
      await this.files.remove(lock);
      await this.#tidy(ref);
    }
  }

  /** Folders made for a lock, or left empty by a deletion, would stand in the way of another branch's name. */
  async #tidy(ref: string): Promise<void> {
    for (const root of ["", "logs/"]) {
      for (let at = dirname(ref); at.split("/").length > 2; at = dirname(at)) {
        const path = this.#path(`${root}${at}`);
        if ((await this.files.list(path)).length > 0) break;
        await this.files.fs.rmdir(path).catch(() => {});
      }
    }
  }
}
