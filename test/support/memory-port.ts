// A storage port of maps: what the store's own tests and the convergence property run on.
import { hashObject, parseCommit, parseTree } from "../../src/git/object.js";
import {
  type GitObject,
  type ObjectFormat,
  type ReadObject,
  type Ref,
  RefConflictError,
  type RefUpdate,
  type StoragePort,
} from "../../src/git/port.js";
import { refMatcher } from "../../src/git/ref-pattern.js";

export type Objects = Map<string, GitObject>;

export class MemoryPort implements StoragePort {
  readonly refStore = new Map<string, string>();
  readonly config = new Map<string, string[]>();
  readonly calls: string[] = [];
  person = { name: "Ada", email: "ada@example.com" };
  /** Called before refs are compared: a place for somebody else to be quicker. */
  beforeUpdate: (() => Promise<void> | void) | null = null;

  /** Clones of one repository may share their objects; their refs and config are their own. */
  constructor(
    readonly objects: Objects = new Map(),
    readonly objectFormat: ObjectFormat = "sha1",
  ) {}

  async refs(patterns: readonly string[]): Promise<Ref[]> {
    this.calls.push("refs");
    const matches = refMatcher(patterns);
    return [...this.refStore]
      .filter(([name]) => matches(name))
      .map(([name, oid]) => ({ name, oid }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async read(
    names: readonly string[],
    options: { maxBytes?: number } = {},
  ): Promise<Map<string, ReadObject>> {
    this.calls.push("read");
    const found = new Map<string, ReadObject>();
    for (const name of names) {
      const oid = this.tryResolve(name);
      const object = oid === null ? undefined : this.objects.get(oid);
      if (oid === null || !object) continue;
      const size = object.content.length;
      const content = object.type === "blob" && size > (options.maxBytes ?? size) ? null : object.content;
      found.set(name, { oid, type: object.type, size, content });
    }
    return found;
  }

  /** As git does: what leads through something broken is not there. */
  private tryResolve(name: string): string | null {
    try {
      return this.resolve(name);
    } catch {
      return null;
    }
  }

  private resolve(name: string): string | null {
    const [, oid = "", peel, path] = /^([0-9a-f]+)(\^\{tree\})?(?::(.*))?$/s.exec(name) ?? [];
    const object = this.objects.get(oid);
    if (peel === undefined && path === undefined) return oid;
    const tree =
      object?.type === "commit" ? parseCommit(object.content).tree : object?.type === "tree" ? oid : null;
    let at = tree;
    for (const part of (path ?? "").split("/").filter(Boolean)) {
      const folder = at === null ? undefined : this.objects.get(at);
      if (folder?.type !== "tree") return null;
      at = parseTree(folder.content, this.objectFormat).find((entry) => entry.name === part)?.oid ?? null;
    }
    return at;
  }

  async missing(oids: readonly string[]): Promise<string[]> {
    this.calls.push("missing");
    return oids.filter((oid) => !this.objects.has(oid));
  }

  async write(objects: readonly GitObject[]): Promise<string[]> {
    this.calls.push("write");
    return objects.map((object) => {
      const oid = hashObject(object.type, object.content, this.objectFormat);
      this.objects.set(oid, object);
      return oid;
    });
  }

  async updateRefs(updates: readonly RefUpdate[], _reason: string): Promise<void> {
    this.calls.push("updateRefs");
    await this.beforeUpdate?.();
    for (const { ref, from } of updates) {
      const value = this.refStore.get(ref) ?? null;
      if (value !== from) throw new RefConflictError(ref, `'${ref}' is at ${value}, not at ${from}`);
    }
    for (const { ref, to } of updates) {
      if (to === null) this.refStore.delete(ref);
      else this.refStore.set(ref, to);
    }
  }

  async localConfig(key: string): Promise<string[]> {
    return this.config.get(key) ?? [];
  }

  async addLocalConfig(key: string, value: string): Promise<void> {
    this.config.set(key, [...(this.config.get(key) ?? []), value]);
  }

  async setLocalConfig(key: string, value: string, from?: string): Promise<void> {
    const before = this.config.get(key) ?? [];
    if (from === undefined) this.config.set(key, [value]);
    else if (!before.includes(from)) this.config.set(key, [...before, value]);
    else {
      const at = before.indexOf(from);
      this.config.set(
        key,
        before.flatMap((each, index) => (index === at ? [value] : each === from ? [] : [each])),
      );
    }
  }

  async identity() {
    return { author: this.person, committer: this.person, fallback: false };
  }
}

/** Copies one clone's own logs into another's tracking refs, as a fetch from a remote of that name would. */
export function fetchInto(to: MemoryPort, from: MemoryPort, remote: string, refs?: readonly string[]): void {
  for (const [name, oid] of from.refStore) {
    if (!name.startsWith("refs/handoff/") || (refs && !refs.includes(name))) continue;
    to.refStore.set(`refs/handoff-remotes/${name.slice("refs/handoff/".length)}/${remote}`, oid);
  }
}
