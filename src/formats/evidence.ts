/** The evidence document's files: `.agents/ao/handoff/<id>.json`, earlier ones in `.agents/handoff/`. */
import { basename, dirname } from "node:path";
import { formatItem } from "../document/lists.js";
import { formatBody, parseSections } from "../document/sections.js";
import type { Frontmatter } from "../document/types.js";
import { isBranchName } from "../store/names.js";
import { withOriginal } from "./as-imported.js";
import { documentOf, namesOf } from "./document-of.js";
import { type Evidence, evidenceSchema, unknownFields } from "./evidence-schema.js";
import { type Kept, takeKept } from "./kept-block.js";
import { restore } from "./restore.js";
import { type BranchHint, NotTaken, type SourceFile, type Understood } from "./types.js";
import { BODY_MARK, continuationOf, evidenceFields } from "./write-evidence.js";

const KEYS = ["written", "goal", "summary", "git", "dirty_files", "artifacts", "unresolved"] as const;

/** The id of a file read here; for their order. */
export interface ReadEvidence extends Understood {
  id: string;
}

/** In which of the format's two folders a file lies; null elsewhere. */
export function evidenceFolder(path: string): "canonical" | "legacy" | null {
  const folder = dirname(path);
  if (basename(folder) !== "handoff") return null;
  const [parent, above] = [basename(dirname(folder)), basename(dirname(dirname(folder)))];
  if (parent === "ao" && above === ".agents") return "canonical";
  return parent === ".agents" ? "legacy" : null;
}

/** Does a JSON text claim to be of this format? */
export function saysEvidence(text: string): boolean {
  return /"schema_version"\s*:/.test(text) && /"id"\s*:\s*"handoff-/.test(text);
}

/** Throws NotTaken for what the format's rules do not accept. Source: the evidence document. */
export function readEvidence(file: SourceFile): ReadEvidence {
  const evidence = parseEvidence(file);
  const { human, body: carried, kept, warnings } = splitSummary(evidence.summary);
  const text = kept ? withContinuation(carried, evidence, warnings) : bodyOf(evidence, file.text);
  const read = documentOf(keysOf({ ...evidence, summary: human }), text);
  const restored = restore(
    read.document.meta,
    kept,
    (meta) => documentOf(keysOf(evidenceFields({ meta, body: text })), "").document.meta,
  );
  const unknown = unknownFields(evidence);
  if (unknown.length > 0) warnings.push(`unknown to the format, kept in the body: ${unknown.join(", ")}`);
  return {
    form: "evidence",
    id: evidence.id,
    document: { meta: restored.meta, body: text },
    state: restored.meta.delivery === "pushed" ? "inbox" : "open",
    branch: branchOf(restored.meta),
    understood: [
      ...namesOf(restored.meta, KEYS),
      ...(evidence.continuation === undefined ? [] : ["continuation"]),
    ],
    body: Object.keys(evidence).filter((key) => !HELD.has(key)),
    warnings: [...warnings, ...read.warnings, ...restored.warnings],
    people: kept?.people ?? [],
  };
}

/** Fields that became keys or next steps. */
const HELD = new Set([
  "schema_version",
  "id",
  "created_at",
  "goal",
  "summary",
  "continuation",
  "artifacts_produced",
  "open_risks",
  "state",
]);

function parseEvidence(file: SourceFile): Evidence {
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch (error) {
    throw new NotTaken(`not readable as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { success, data, error } = evidenceSchema.safeParse(value);
  if (!success) {
    const [issue] = error.issues;
    throw new NotTaken(
      `not valid: ${issue?.path.join(".") || "the file"}: ${issue?.message ?? "unreadable"}`,
    );
  }
  if (evidenceFolder(file.path) !== null && file.name !== `${data.id}.json`) {
    throw new NotTaken(`not valid: its name is not that of its id, ${data.id}.json`);
  }
  return data;
}

function splitSummary(summary: string | undefined): {
  human: string | undefined;
  body: string;
  kept: Kept | null;
  warnings: string[];
} {
  if (summary === undefined) return { human: undefined, body: "", kept: null, warnings: [] };
  const at = summary.indexOf(BODY_MARK);
  if (at < 0) return { human: summary, body: "", kept: null, warnings: [] };
  const { body, kept, warnings } = takeKept(summary.slice(at + BODY_MARK.length), () => "");
  if (kept === null) return { human: summary, body: "", kept, warnings };
  return { human: summary.slice(0, at).replace(/\n\n$/, ""), body, kept, warnings };
}

/** An exported body; where the continuation was changed since, with that. */
function withContinuation(body: string, evidence: Evidence, warnings: string[]): string {
  if ((evidence.continuation ?? "") === continuationOf(body)) return body;
  warnings.push("changed since it was exported, taken as it now is: continuation");
  return formatBody({ ...parseSections(body), next: evidence.continuation ? [evidence.continuation] : [] });
}

function bodyOf(evidence: Evidence, original: string): string {
  const decisions = evidence.decisions_made ?? [];
  const next = evidence.continuation?.trim() ?? "";
  const parts = [
    next === "" ? "" : `## Next steps\n\n${next}\n`,
    decisions.length === 0
      ? ""
      : `## Decisions\n\n${decisions.map((each) => formatItem(each, "-")).join("\n")}\n`,
  ].filter((part) => part !== "");
  return withOriginal(parts.join("\n"), "evidence", "json", original);
}

function keysOf(evidence: Evidence | ReturnType<typeof evidenceFields>): Record<string, unknown> {
  const { state } = evidence;
  const branch = state?.git_branch?.trim();
  return {
    task_key: branch !== undefined && branch !== "" ? branch : undefined,
    written: evidence.created_at,
    goal: evidence.goal,
    summary: evidence.summary,
    git: gitOf(state),
    dirty_files: state?.git_dirty ? state.modified_files?.slice(0, 20) : undefined,
    artifacts: (evidence.artifacts_produced ?? []).map((path) => ({
      claim: "artifact produced",
      evidence: path,
    })),
    unresolved: (evidence.open_risks ?? []).map((text) => ({ kind: "risk", text })),
  };
}

/** The newest of the recent commits is the one it was written at. */
function gitOf(state: Evidence["state"]): string | undefined {
  const [, commit] = /^([0-9a-f]{4,64})(?:\s|$)/.exec(state?.recent_commits?.[0] ?? "") ?? [];
  if (!state || commit === undefined) return undefined;
  return `${state.git_branch?.trim() || "HEAD"} @ ${commit}${state.git_dirty ? " (dirty)" : ""}`;
}

function branchOf({ task_key }: Frontmatter): BranchHint {
  if (task_key === "HEAD") return { kind: "repository" };
  return task_key === "unknown" || !isBranchName(task_key)
    ? { kind: "unknown" }
    : { kind: "branch", name: task_key };
}
