/** Which paths a check may name at all, before anything is looked at on disk or in a tree. */

/** Code points that HFS+ leaves out when it compares names, so that `.g\u200cit` is `.git` there. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether some file system takes this name for `.git` (case, trailing dots and spaces, streams, short names). */
export function isDotGit(name: string): boolean {
  const plain = name
    .replace(IGNORED_BY_HFS, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return plain === ".git" || plain === "git~1";
}

/**
 * The parts of a path relative to the top with `.` and `..` taken out, or null when it is absolute, leads out
 * of the top at any step, or names git's own folder. An empty list is the top itself.
 */
export function pathParts(path: string): string[] | null {
  if (path.startsWith("/") || path.includes("\0")) return null;
  if (process.platform === "win32" && /^[a-z]:|\\/i.test(path)) return null;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.pop() === undefined) return null;
      continue;
    }
    if (isDotGit(part)) return null;
    parts.push(part);
  }
  return parts;
}
