// What a write left behind, asked of git itself.
import { parseDocument } from "../../src/document/parse.js";
import type { HandoffDocument } from "../../src/document/types.js";
import { type CliResult, git, handoff } from "../support/repo.js";

export interface JsonWrite {
  id: string;
  handle: string;
  ref: string;
  path: string;
  commit: string;
  warnings: string[];
}

/** `git handoff write --json …`, which must succeed. */
export function writeJson(
  dir: string,
  args: string[],
  options: { input?: string; env?: Record<string, string | undefined> } = {},
): JsonWrite {
  const { code, stdout, stderr } = handoff(dir, ["write", "--json", ...args], options);
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout) as JsonWrite;
}

/** The document at the place a write named, by `git show`. */
export function stored(dir: string, { ref, path }: { ref: string; path: string }): HandoffDocument {
  const text = `${git(dir, "show", `${ref}:${path}`)}\n`;
  const { document, warnings } = parseDocument(Buffer.from(text));
  if (!document || warnings.length > 0) throw new Error(warnings.join("; "));
  return document;
}

/** Every handoff ref with its commit: equal before and after means nothing was written. */
export function handoffRefs(dir: string): string {
  return git(dir, "for-each-ref", "--format=%(refname) %(objectname)", "refs/handoff*");
}

/** Names in a folder of the only log there is. */
export function folder(dir: string, ref: string, name: string): string[] {
  return git(dir, "ls-tree", "--name-only", `${ref}:${name}`).split("\n").filter(Boolean);
}

/** Without its usage, which follows wrong usage. */
export function complaint({ stderr }: CliResult): string {
  return stderr.slice(0, stderr.indexOf("usage: git handoff") >>> 0).trimEnd();
}
