/** What an evidence text names. Pure. */
import { pathParts } from "../tree-path.js";

export type Evidence =
  | { kind: "path"; path: string }
  | { kind: "lines"; path: string; from: number; to: number }
  | { kind: "commit"; commit: string }
  | { kind: "url"; url: string }
  | { kind: "none"; note: string };

/** `none` with the reason for what names no place inside the repository. */
export function parseEvidence(text: string): Evidence {
  const place = text.trim();
  if (place === "") return none("names no evidence");
  if (/[\0\n\r]/.test(place)) return none("evidence is one line");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return { kind: "url", url: place };
  const commit = /^commit:\s*(.*)$/i.exec(place)?.[1];
  if (commit !== undefined) {
    return /^[0-9a-f]{4,64}$/i.test(commit)
      ? { kind: "commit", commit: commit.toLowerCase() }
      : none("a commit is named by its id: commit:<oid>");
  }
  const lines = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(place);
  const named = lines?.[1] ?? place;
  const parts = pathParts(named);
  if (parts === null) {
    const outside = /^(?:\/|[a-z]:[\\/])/i.test(named) || named.split("/").includes("..");
    return none(outside ? "give a path inside the repository, relative to its top" : "names git's own files");
  }
  if (parts.length === 0) return none("names the whole repository");
  const path = parts.join("/");
  if (!lines) return { kind: "path", path };
  const from = Number(lines[2]);
  const to = Number(lines[3] ?? lines[2]);
  return from < 1 || to < from ? none("no such lines") : { kind: "lines", path, from, to };
}

function none(note: string): Evidence {
  return { kind: "none", note };
}
