/** The tree id git would give a folder of the work tree, if everything in it that is not ignored were stored. */
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { encodeTree, hashObject } from "../../git/object.js";
import type { ObjectFormat } from "../../git/port.js";
import type { Budget } from "../budget.js";
import type { Facts } from "../facts.js";
import { storedContents } from "./conversion.js";

export type FolderId = { oid: string } | { note: string } | { missing: true };

const MAX_FILES = 2000;
/** Bytes. */
const MAX_CONTENT = 32 * 1024 * 1024;

interface Listed {
  mode: string;
  oid: string;
}

/** Two processes for the listing and the attributes of all folders; folders as git names them. */
export async function folderIds(
  folders: readonly string[],
  facts: Facts,
  budget: Budget,
): Promise<Map<string, FolderId>> {
  const { workTree, objectFormat } = facts.repository;
  const ids = new Map<string, FolderId>();
  if (folders.length === 0 || workTree === null) return ids;
  const listing = await budget.ask([
    ...["--literal-pathspecs", "ls-files", "-z", "-t", "-s", "--cached", "--others", "--exclude-standard"],
    ...["--", ...folders],
  ]);
  const rows = listing.code === 0 ? listing.stdout.toString("utf8").split("\0").filter(Boolean) : [];
  if (listing.code !== 0 || rows.length > MAX_FILES) {
    for (const folder of folders) ids.set(folder, { note: `more than ${MAX_FILES} files` });
    return ids;
  }
  const { entries, contents, tooLarge } = readRows(rows, workTree, objectFormat);
  const stored = await storedContents(contents, budget);
  for (const folder of folders) {
    const inside = [...entries].filter(([path]) => path === folder || path.startsWith(`${folder}/`));
    const odd = inside.flatMap(([path]) => {
      const content = stored.get(path);
      return content && "note" in content ? [`${path}: ${content.note}`] : [];
    });
    if (tooLarge) ids.set(folder, { note: "its files are too large together" });
    else if (odd[0] !== undefined) ids.set(folder, { note: odd[0] });
    else if (inside.length === 0) ids.set(folder, { missing: true });
    else ids.set(folder, { oid: treeOf(folder, inside, stored, objectFormat) });
  }
  return ids;
}

function readRows(rows: readonly string[], top: string, format: ObjectFormat) {
  const entries = new Map<string, Listed>();
  const contents = new Map<string, Uint8Array>();
  let size = 0;
  for (const row of rows) {
    const [, tag, mode, oid, path] = /^(.) (?:(\d+) ([0-9a-f]+) \d\t)?(.*)$/s.exec(row) ?? [];
    // A trailing slash: a repository of its own that this one does not track.
    if (path === undefined || path.endsWith("/")) continue;
    // Submodules, and files a sparse checkout leaves out, are what the index says.
    if (oid !== undefined && mode !== undefined && (mode === "160000" || tag === "S")) {
      entries.set(path, { mode, oid });
      continue;
    }
    const here = lstatSync(join(top, path), { throwIfNoEntry: false });
    if (here?.isSymbolicLink()) {
      const target = Buffer.from(readlinkSync(join(top, path)));
      entries.set(path, { mode: "120000", oid: hashObject("blob", target, format) });
    } else if (here?.isFile()) {
      const plain = mode === "100644" || mode === "100755" ? mode : here.mode & 0o100 ? "100755" : "100644";
      entries.set(path, { mode: plain, oid: "" });
      size += here.size;
      if (size > MAX_CONTENT) break;
      contents.set(path, readFileSync(join(top, path)));
    }
  }
  return { entries, contents, tooLarge: size > MAX_CONTENT };
}

function treeOf(
  folder: string,
  inside: readonly (readonly [string, Listed])[],
  stored: ReadonlyMap<string, { content: Uint8Array } | { note: string }>,
  format: ObjectFormat,
): string {
  // A submodule is its own entry.
  const [only] = inside;
  if (only?.[0] === folder) return only[1].oid;
  const files: [string[], Listed][] = inside.map(([path, entry]) => {
    const content = stored.get(path);
    const oid = content && "content" in content ? hashObject("blob", content.content, format) : entry.oid;
    return [path.slice(folder.length + 1).split("/"), { ...entry, oid }];
  });
  return idOf(files, format);
}

function idOf(files: readonly [string[], Listed][], format: ObjectFormat): string {
  const below = new Map<string, [string[], Listed][]>();
  const entries: { mode: string; name: string; oid: string }[] = [];
  for (const [[name = "", ...rest], entry] of files) {
    if (rest.length === 0) entries.push({ mode: entry.mode, name, oid: entry.oid });
    else below.set(name, [...(below.get(name) ?? []), [rest, entry]]);
  }
  for (const [name, inner] of below) entries.push({ mode: "40000", name, oid: idOf(inner, format) });
  return hashObject("tree", encodeTree(entries), format);
}
