/** What lies below the handoff refs: ours, fetched, other tools', newer, broken, of branches that are gone. */
import type { StoragePort } from "../../git/port.js";
import type { Repository } from "../../git/repository.js";
import { readRedacted } from "../../store/history.js";
import { readAllViews } from "../../store/join.js";
import { type Log, NEWER_LOG, NO_LOG, readLogs } from "../../store/log.js";
import { parseRefName, REPOSITORY_BRANCH } from "../../store/names.js";
import { shellQuote } from "../shell.js";
import { type Finding, finding } from "./findings.js";

export interface RefsSummary {
  writer: string | null;
  /** Logs of this clone's writer. */
  own: number;
  /** Local ones of other writers: sent here, or left by an earlier writer id. */
  others: number;
  /** Fetched ones by remote. */
  tracking: Record<string, number>;
  foreign: string[];
  newer: string[];
  /** What cannot be read, and what is no log under a log's name. */
  broken: string[];
  /** Those that still hold a document that somebody redacted, and its handle. */
  redacted: { ref: string; handle: string }[];
  /** Branches that have open handoffs and are not here any more. */
  gone: { branch: string; open: number }[];
}

const SHOWN = 10;

export async function checkRefs(repository: Repository): Promise<{ refs: RefsSummary; findings: Finding[] }> {
  const port = repository.port();
  const listed = await repository.safe([
    "for-each-ref",
    "--format=%(refname) %(objectname)",
    "refs/handoff/",
    "refs/handoff-remotes/",
  ]);
  const rows = listed.stdout
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      name: line.slice(0, line.lastIndexOf(" ")),
      oid: line.slice(line.lastIndexOf(" ") + 1),
    }));
  const [writer = null] = await port.localConfig("handoff.writer");
  const { logs, unreadable } = await readLogs(port, rows);
  const refs: RefsSummary = {
    writer,
    own: 0,
    others: 0,
    tracking: {},
    foreign: [],
    newer: [],
    broken: [],
    redacted: await redactedCopies(port, logs),
    gone: await goneBranches(repository),
  };
  const noLogs: string[] = [];
  const missing = new Set(await port.missing([...new Set(rows.map(({ oid }) => oid))]));
  for (const { name, oid } of rows) {
    const log = parseRefName(name);
    if (log === null) refs.foreign.push(name);
    else if (missing.has(oid)) refs.broken.push(name);
    else {
      const why = unreadable.get(name);
      if (why === NEWER_LOG) refs.newer.push(name);
      else if (why !== undefined) refs.broken.push(name);
      if (why === NO_LOG) noLogs.push(name);
      if (log.remote !== null) refs.tracking[log.remote] = (refs.tracking[log.remote] ?? 0) + 1;
      else if (log.writer === writer && log.handle === null) refs.own++;
      else refs.others++;
    }
  }
  const remotes = new Set((await repository.remotes()).map((remote) => remote.name));
  return { refs, findings: findingsOf(refs, noLogs, remotes, repository.info.partial) };
}

/** No view shows them; who has the ref has the text. */
async function redactedCopies(port: StoragePort, logs: readonly Log[]): Promise<RefsSummary["redacted"]> {
  const redacted = await readRedacted(port);
  if (redacted.size === 0) return [];
  return logs.flatMap(({ ref, folders }) => {
    const held = [...folders].filter(({ folder }) => folder !== "gone").flatMap(({ entries }) => entries);
    const copy = held.find(({ oid }) => redacted.has(oid));
    return copy ? [{ ref, handle: copy.oid.slice(0, 7) }] : [];
  });
}

async function goneBranches(repository: Repository): Promise<{ branch: string; open: number }[]> {
  const [views, branches] = await Promise.all([
    readAllViews(repository.port(), { live: true, headlines: true }),
    repository.branches(),
  ]);
  const here = new Set(branches.map((branch) => branch.name));
  return views
    .map(({ branch, items }) => ({ branch, open: items.filter((item) => item.state === "open").length }))
    .filter(({ branch, open }) => open > 0 && branch !== REPOSITORY_BRANCH && !here.has(branch));
}

function findingsOf(
  refs: RefsSummary,
  noLogs: readonly string[],
  remotes: ReadonlySet<string>,
  partial: boolean,
): Finding[] {
  const findings: Finding[] = [];
  if (refs.foreign.length > 0) {
    findings.push(
      finding(
        "note",
        "foreign-refs",
        `${count(refs.foreign, "ref")} of other tools below refs/handoff/, left alone: ${some(refs.foreign)}`,
      ),
    );
  }
  if (refs.newer.length > 0) {
    findings.push(
      finding(
        "warning",
        "newer-refs",
        `written by a newer git-handoff: ${some(refs.newer)}`,
        "npm install -g git-handoff@latest",
      ),
    );
  }
  if (noLogs.length > 0) {
    const [first = ""] = noLogs;
    findings.push(
      finding(
        "error",
        "broken-refs",
        `no handoff logs, not read: ${some(noLogs)}`,
        `git log ${shellQuote(first)} shows what it is; git update-ref -d ${shellQuote(first)} removes it from this clone`,
      ),
    );
  }
  const others = new Set(noLogs);
  const unread = refs.broken.filter((name) => !others.has(name));
  if (unread.length > 0 && !partial) {
    const [first = ""] = unread;
    const negative = first.replace("refs/handoff-remotes/", "refs/handoff/").replace(/\/[^/]*$/, "");
    findings.push(
      finding(
        "error",
        "broken-refs",
        `cannot be read: ${some(unread)}`,
        first.startsWith("refs/handoff-remotes/")
          ? `git handoff fetch; if a plain fetch fails over it: git config --add remote.<name>.fetch '^${negative}'`
          : "git handoff fetch may bring its objects back; git fsck says what is missing",
      ),
    );
  }
  const [copy] = refs.redacted;
  if (copy) {
    const held = refs.redacted.map(({ ref }) => ref);
    findings.push(
      finding(
        "warning",
        "redacted-copies",
        `${count(held, "ref")} still with a document that was redacted: ${some(held)}`,
        `git handoff redact ${copy.handle}, in the clone that writes it`,
      ),
    );
  }
  for (const { branch, open } of refs.gone) {
    findings.push(
      finding(
        "note",
        "branch-gone",
        `${open} open for ${branch}, which is no branch of this clone`,
        `git handoff mv ${branch} <new> if it was renamed; git handoff read ${branch} shows them`,
      ),
    );
  }
  for (const [remote, number] of Object.entries(refs.tracking)) {
    if (remotes.has(remote)) continue;
    findings.push(
      finding(
        "note",
        "tracking-without-remote",
        `${number} fetched from ${remote}, which is no remote any more; they are read all the same`,
      ),
    );
  }
  return findings;
}

function count(list: readonly string[], noun: string): string {
  return `${list.length} ${noun}${list.length === 1 ? "" : "s"}`;
}

function some(list: readonly string[]): string {
  const more = list.length > SHOWN ? `, and ${list.length - SHOWN} more` : "";
  return list.slice(0, SHOWN).join(", ") + more;
}
