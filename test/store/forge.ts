// Logs made by hand, for what no log of ours would hold.
import { encodeCommit, encodeTree, type TreeEntry } from "../../src/git/object.js";
import type { StoragePort } from "../../src/git/port.js";
import type { Folder } from "../../src/store/types.js";
import { nameDocument } from "../../src/store/write.js";
import { newDocument } from "../support/document.js";
import { store } from "./ports.js";

type Files = Partial<Record<Folder, [name: string, content: string | Uint8Array, mode?: string][]>>;

/** A log made by hand: any names, any modes. Returns the commit. */
export async function forge(port: StoragePort, files: Files, format: string | null = "1\n"): Promise<string> {
  const root: TreeEntry[] = [];
  if (format !== null) root.push({ mode: "100644", name: "format", oid: await store(port, "blob", format) });
  for (const [folder, entries] of Object.entries(files)) {
    const rows: TreeEntry[] = [];
    for (const [name, content, mode = "100644"] of entries) {
      rows.push({ mode, name, oid: await store(port, "blob", content) });
    }
    root.push({ mode: "40000", name: folder, oid: await store(port, "tree", rawTree(rows)) });
  }
  return commitOf(port, await store(port, "tree", encodeTree(root)));
}

/** As encodeTree, but takes names that no tree should have. */
export function rawTree(entries: readonly TreeEntry[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]),
  );
}

export async function commitOf(port: StoragePort, tree: string): Promise<string> {
  const who = { name: "Eve", email: "eve@example.com", time: 1, offset: 0 };
  return store(
    port,
    "commit",
    encodeCommit({ tree, parents: [], author: who, committer: who, message: "x" }),
  );
}

export async function point(port: StoragePort, ref: string, to: string): Promise<void> {
  await port.updateRefs([{ ref, from: null, to }], "test");
}

export function file(port: StoragePort, intent: string, meta = {}): [string, Uint8Array] {
  const document = newDocument(intent, meta);
  return [`${nameDocument(document, port.objectFormat).id}.md`, document.bytes];
}
