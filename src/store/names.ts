/**
 * Names of the refs that hold logs. Everything else below `refs/handoff/` belongs to somebody else (other
 * tools use that namespace) and is not touched.
 */

import { isRefName } from "../git/ref-name.js";

const LOCAL = "refs/handoff/";
const TRACKING = "refs/handoff-remotes/";

/** The pseudo-branch of handoffs for the repository as a whole; git makes no branch of this name. */
export const REPOSITORY_BRANCH = "HEAD";

/** Slug of a user's name and six random hex digits, e.g. `ada-3f9a2c`. */
const WRITER = /^[a-z0-9-]{1,32}-[0-9a-f]{6}$/;
const SENT = /^([a-z0-9-]{1,32}-[0-9a-f]{6})-([0-9a-f]{7})$/;

/** What a ref name says. */
export interface LogName {
  /** A branch, or `HEAD`. */
  branch: string;
  writer: string;
  /** Handle of the one document of a sent ref; null for a writer's own log. */
  handle: string | null;
  /** Remote whose fetch brought it; null for a local ref. */
  remote: string | null;
}

/** `refs/handoff/<branch>/<writer>`. */
export function refName(branch: string, writer: string): string {
  return `${LOCAL}${branch}/${writer}`;
}

/** `refs/handoff/<branch or HEAD>/<writer>-<handle>`: one pushed document. */
export function sentRefName(branch: string, writer: string, handle: string): string {
  return `${LOCAL}${branch}/${writer}-${handle}`;
}

/** A remote's name as the last component of a tracking ref: its slashes as `%2F`. */
export function encodeRemote(remote: string): string {
  return remote.replaceAll("/", "%2F");
}

/** Where a fetch from `remote` puts `ref` (a local log's name). The remote comes last, so that finding a branch's refs need not scan all of them. */
export function trackingRefName(ref: string, remote: string): string {
  return `${TRACKING}${ref.slice(LOCAL.length)}/${encodeRemote(remote)}`;
}

/** Is this a writer's id, by its form? */
export function isWriter(text: string): boolean {
  return WRITER.test(text);
}

/** What the name of a log's ref says; null when it is not of our forms. */
export function parseRefName(ref: string): LogName | null {
  let path: string;
  let remote: string | null = null;
  if (ref.startsWith(LOCAL)) {
    path = ref.slice(LOCAL.length);
  } else if (ref.startsWith(TRACKING)) {
    const end = ref.lastIndexOf("/");
    if (end < TRACKING.length) return null;
    path = ref.slice(TRACKING.length, end);
    remote = ref.slice(end + 1).replaceAll("%2F", "/");
    if (remote === "") return null;
  } else {
    return null;
  }
  const slash = path.lastIndexOf("/");
  if (slash < 1) return null;
  const branch = path.slice(0, slash);
  const last = path.slice(slash + 1);
  if (WRITER.test(last)) return { branch, writer: last, handle: null, remote };
  const sent = SENT.exec(last);
  return sent?.[1] && sent[2] ? { branch, writer: sent[1], handle: sent[2], remote } : null;
}

/** Patterns (as for-each-ref takes them) of every log of one branch, local and tracking. */
export function refPatterns(branch: string): string[] {
  return [`${LOCAL}${branch}/*`, `${TRACKING}${branch}/*/*`];
}

/** Patterns of every log of every branch. */
export function allRefPatterns(): string[] {
  return [`${LOCAL}**`, `${TRACKING}**`];
}

/**
 * May a branch have this name? Guards names that come from documents before they become part of a ref or a
 * pattern. `HEAD` passes: it stands for the repository.
 */
export function isBranchName(name: string): boolean {
  return Buffer.byteLength(name) <= 1000 && !name.startsWith("-") && isRefName(`refs/heads/${name}`);
}
