import { execFileSync } from "node:child_process";
import { git } from "./repo.js";

export interface LogEntry {
  folder: "open" | "inbox" | "closed" | "acked" | "moved" | "gone";
  /** The document's bytes. */
  text: string;
}

/** Writes a log's tip by git's plumbing alone: what any clone, or an attacker, could have pushed. Returns handles. */
export function writeLog(
  dir: string,
  ref: string,
  entries: readonly LogEntry[],
  format = "1\n",
  message = "write: go on",
): string[] {
  const rows = entries.map(({ folder, text }) => ({ folder, blob: hashObject(dir, text) }));
  const folders = [...new Set(rows.map(({ folder }) => folder))].map((folder) => {
    const lines = rows.filter((row) => row.folder === folder).map(({ blob }) => entryLine(dir, folder, blob));
    return `040000 tree ${mktree(dir, [...new Set(lines)].join(""))}\t${folder}\n`;
  });
  const tree = mktree(dir, `100644 blob ${hashObject(dir, format)}\tformat\n${folders.join("")}`);
  git(dir, "update-ref", ref, git(dir, "commit-tree", tree, "-m", message));
  return rows.map(({ blob }) => blob.slice(0, 7));
}

function entryLine(dir: string, folder: string, blob: string): string {
  if (folder === "gone") return `100644 blob ${hashObject(dir, "")}\t${blob}\n`;
  return `100644 blob ${blob}\t20260501T100000Z-go-on-${blob.slice(0, 7)}.md\n`;
}

function hashObject(dir: string, input: string): string {
  return execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: dir, input, encoding: "utf8" }).trim();
}

function mktree(dir: string, input: string): string {
  return execFileSync("git", ["mktree"], { cwd: dir, input, encoding: "utf8" }).trim();
}
