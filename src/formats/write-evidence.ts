/** A document in the evidence document's form. */
import { parseSections } from "../document/sections.js";
import { writtenTime } from "../document/time.js";
import type { HandoffDocument } from "../document/types.js";
import { parseRecordedCommit } from "../verify/freshness/written-at.js";
import { type Kept, withKept } from "./kept-block.js";

/** Between what a reader of the format sees as the summary and the document's own body. */
export const BODY_MARK = "<!-- git-handoff: body -->\n";

/** Fields of the schema only, in its order. */
export interface EvidenceFields {
  schema_version: 1;
  id: string;
  created_at: string;
  goal?: string;
  summary?: string;
  continuation?: string;
  artifacts_produced?: string[];
  open_risks?: string[];
  state?: { git_branch?: string; git_dirty: boolean; modified_files?: string[]; recent_commits?: string[] };
}

/** Source: the evidence document, earlier default compatibility. */
export function evidenceFields({ meta, body }: HandoffDocument): EvidenceFields {
  const time = exactTime(meta.written);
  const next = continuationOf(body);
  const done = meta.artifacts.filter(({ withdrawn }) => withdrawn === undefined);
  const risks = meta.unresolved.filter(({ kind, withdrawn }) => kind === "risk" && withdrawn === undefined);
  const state = stateOf(meta.git, meta.task_key, meta.dirty_files);
  return {
    schema_version: 1,
    id: time.id,
    created_at: time.created,
    ...(meta.goal === null ? {} : { goal: meta.goal }),
    summary: meta.summary ?? meta.intent,
    ...(next === "" ? {} : { continuation: next }),
    ...(done.length === 0 ? {} : { artifacts_produced: done.map(({ evidence }) => evidence) }),
    ...(risks.length === 0 ? {} : { open_risks: risks.map(({ text }) => text) }),
    ...(state === null ? {} : { state }),
  };
}

export function writeEvidence(document: HandoffDocument, kept: Kept | null): string {
  const fields = evidenceFields(document);
  if (kept !== null)
    fields.summary = `${fields.summary ?? ""}\n\n${BODY_MARK}${withKept(document.body, kept)}`;
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** The next steps as they stand in the body. */
export function continuationOf(body: string): string {
  const { next } = parseSections(body);
  return next.length === 1 ? (next[0] ?? "") : next.map((step, index) => `${index + 1}. ${step}`).join("\n");
}

/** Id and time in UTC, nine digits after the second; a time that cannot be read is that of 1970. */
function exactTime(written: string): { id: string; created: string } {
  const time = writtenTime(written);
  const whole = new Date(time ?? 0).toISOString().slice(0, 19);
  const [, digits = ""] = /:\d\d[.,](\d{1,9})/.exec(written) ?? [];
  const compact = whole.replace(/[-:]/g, "");
  const created = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(written)
    ? written
    : `${whole}${digits === "" ? "" : `.${digits}`}Z`;
  return { id: `handoff-${compact}.${(time === null ? "" : digits).padEnd(9, "0")}Z`, created };
}

/** null where it is not known whether the tree was dirty: the format has no word for that. */
function stateOf(
  git: string,
  branch: string,
  dirty: readonly string[] | undefined,
): NonNullable<EvidenceFields["state"]> | null {
  const recorded = parseRecordedCommit(git);
  if (recorded.kind === "unknown") return null;
  const named = recorded.kind === "commit" && recorded.branch !== null ? recorded.branch : branch;
  return {
    ...(named === "unknown" || named === "HEAD" ? {} : { git_branch: named }),
    git_dirty: /\(dirty\)\s*$/.test(git),
    ...(dirty && dirty.length > 0 ? { modified_files: dirty.slice(0, 20) } : {}),
    ...(recorded.kind === "commit" ? { recent_commits: [recorded.id] } : {}),
  };
}
