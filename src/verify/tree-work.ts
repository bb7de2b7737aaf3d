/**
 * The checked-out files as a FileTree. Calls are synchronous inside: on the checkout's hot path a thread pool
 * round trip per file costs more than the read.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { FileTree, PathFact } from "./facts.js";
import { isDotGit, pathParts } from "./tree-path.js";

const fact = (kind: PathFact["kind"]): PathFact => ({ kind, size: 0, executable: false, resolved: null });

type Place = { kind: "outside" | "missing" | "special" } | { kind: "found"; real: string; resolved: string };

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * `path` below `folder` as a `/`-separated relative path, or null when it is not inside. Both absolute, without `..`
 * or a slash at the end.
 */
function below(folder: string, path: string): string | null {
  if (sep === "/" && folder !== "/") {
    // `relative` takes a fifth of what looking at a file takes.
    if (path === folder) return "";
    return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
  }
  const inner = relative(folder, path);
  if (inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner)) return null;
  return sep === "/" ? inner : inner.split(sep).join("/");
}

/**
 * Files below `top` (absolute). Nothing outside it, inside `.git` or in one of the `excluded` folders
 * (absolute; a git directory kept elsewhere in the work tree), and nothing but regular files, is ever opened.
 */
export function workTree(top: string, excluded: readonly string[] = []): FileTree {
  let realTop: string | null = null;
  let realExcluded: string[] = [];
  const root = (): string => {
    if (realTop === null) {
      realTop = realpathSync.native(top);
      realExcluded = excluded.flatMap((folder) => {
        try {
          const real = realpathSync.native(folder);
          // A work tree kept inside a git directory is still one.
          return below(real, realTop ?? top) === null ? [real] : [];
        } catch {
          return [];
        }
      });
    }
    return realTop;
  };

  function inside(real: string): string | null {
    const resolved = below(root(), real);
    if (resolved === null || resolved.split("/").some(isDotGit)) return null;
    if (realExcluded.some((folder) => below(folder, real) !== null)) return null;
    return resolved;
  }

  /** Whether a path that does not exist would lie outside: a dangling link must not tell what is out there. */
  function leadsOut(parts: readonly string[]): boolean {
    let folder = root();
    const rest = [...parts];
    for (let links = 0; rest.length > 0; ) {
      const part = rest.shift();
      if (part === undefined || part === "" || part === ".") continue;
      if (part === "..") folder = folder.slice(0, Math.max(folder.lastIndexOf(sep), 0)) || sep;
      else {
        const next = folder.endsWith(sep) ? folder + part : folder + sep + part;
        let target: string | null = null;
        try {
          if (lstatSync(next).isSymbolicLink()) target = readlinkSync(next);
        } catch {
          // Missing from here on: only its place still counts.
        }
        if (target === null) folder = next;
        else {
          if (++links > 40) return false;
          if (isAbsolute(target)) folder = sep;
          rest.unshift(...target.split(sep));
          if (isAbsolute(target) && below(root(), target) === null) return true;
          continue;
        }
      }
      if (below(root(), folder) === null && below(folder, root()) === null) return true;
    }
    return inside(folder) === null;
  }

  /** The path looked at last: it is mostly read next, and finding its real place is a good part of both. */
  let last: { path: string; place: Place } | null = null;

  function locate(path: string): Place {
    if (last?.path !== path) last = { path, place: find(path) };
    return last.place;
  }

  function find(path: string): Place {
    const parts = pathParts(path);
    if (parts === null) return { kind: "outside" };
    let real: string;
    try {
      if (path === "") return { kind: "missing" };
      // Not joined: the kernel resolves `link/..` through the link, path.join would not.
      real = realpathSync.native(`${root()}${sep}${path}`);
    } catch (error) {
      const code = errorCode(error);
      if (code === "EACCES" || code === "EPERM") return { kind: "special" };
      return { kind: leadsOut(path.split("/")) ? "outside" : "missing" };
    }
    const resolved = inside(real);
    return resolved === null ? { kind: "outside" } : { kind: "found", real, resolved };
  }

  function look(real: string): Stats | null {
    try {
      return lstatSync(real);
    } catch {
      return null;
    }
  }

  return {
    async stat(path) {
      const place = locate(path);
      if (place.kind !== "found") return fact(place.kind);
      const stats = look(place.real);
      if (stats === null) return fact("missing");
      const executable = (stats.mode & 0o100) !== 0;
      const resolved = place.resolved;
      if (stats.isFile()) return { kind: "file", size: stats.size, executable, resolved };
      if (stats.isDirectory()) return { kind: "folder", size: 0, executable, resolved };
      return fact("special");
    },

    async read(path) {
      const place = locate(path);
      if (place.kind !== "found") return null;
      const stats = look(place.real);
      // A FIFO or device is refused before it is opened: opening alone can block or act.
      if (stats === null || !stats.isFile()) return null;
      let fd: number;
      try {
        fd = openSync(
          place.real,
          constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
        );
      } catch {
        return null;
      }
      try {
        const opened = fstatSync(fd);
        if (!opened.isFile() || opened.ino !== stats.ino || opened.dev !== stats.dev) return null;
        const bytes = Buffer.allocUnsafe(opened.size);
        let filled = 0;
        while (filled < bytes.length) {
          const count = readSync(fd, bytes, filled, bytes.length - filled, null);
          if (count === 0) break;
          filled += count;
        }
        return bytes.subarray(0, filled);
      } catch {
        return null;
      } finally {
        closeSync(fd);
      }
    },

    async walk(path, limit) {
      const place = locate(path);
      if (place.kind !== "found") return { files: [], complete: true };
      const first = look(place.real);
      if (first?.isFile()) return { files: [place.resolved], complete: true };
      if (!first?.isDirectory()) return { files: [], complete: true };
      const files: string[] = [];
      let complete = true;
      // Folders without files cost time too.
      let visited = 0;
      const folders = [place.resolved];
      while (complete) {
        const folder = folders.pop();
        if (folder === undefined) break;
        const absolute = folder === "" ? root() : `${root()}${sep}${folder}`;
        let names: import("node:fs").Dirent[];
        try {
          names = readdirSync(absolute, { withFileTypes: true });
        } catch {
          complete = false;
          break;
        }
        const inner: string[] = [];
        for (const entry of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
          const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
          if (++visited > limit * 10) complete = false;
          if (isDotGit(entry.name)) continue;
          if (entry.isFile()) {
            if (files.length >= limit) complete = false;
            else files.push(name);
          } else if (entry.isDirectory() && inside(`${root()}${sep}${name}`) !== null) inner.push(name);
        }
        folders.push(...inner.reverse());
      }
      return { files: files.sort(), complete };
    },
  };
}
