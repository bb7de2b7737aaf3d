/** The inbox document's files: journal `handoffs/*.md`, inbox `handoffs/inbox/*.md`. */
import { basename, dirname } from "node:path";
import { splitFrontmatter } from "../document/frontmatter.js";
import { isMap } from "../document/schema-reader.js";
import type { Frontmatter } from "../document/types.js";
import { isBranchName } from "../store/names.js";
import { parseRecordedCommit } from "../verify/freshness/written-at.js";
import { withOriginal } from "./as-imported.js";
import { documentOf, lastComponent, namesOf } from "./document-of.js";
import { takeKept } from "./kept-block.js";
import { readHeader } from "./lenient-yaml.js";
import type { TextKeys } from "./quote-scalars.js";
import { restore } from "./restore.js";
import type { BranchHint, SourceFile, Understood } from "./types.js";
import { wholeFile } from "./whole-file.js";
import { inboxFields, missingSections } from "./write-inbox.js";

/** Free text that is printed without quotes, with a comment behind it. */
const TEXT_KEYS: TextKeys = { focus: "comment" };

const KEYS = ["project", "written", "harness", "intent", "git", "breaking", "from", "goal"] as const;

/** Where a file lies decides its delivery, where it lies in the layout. Source: the inbox document, location. */
export function placeOf(path: string): "journal" | "inbox" | null {
  const folder = basename(dirname(path));
  if (folder === "inbox" && basename(dirname(dirname(path))) === "handoffs") return "inbox";
  return folder === "handoffs" ? "journal" : null;
}

/** Source: the inbox document, frontmatter and sections. */
export function readInbox(file: SourceFile): Understood {
  const place = placeOf(file.path);
  const parts = splitFrontmatter(file.text);
  const header = parts === null ? null : readHeader(parts.yaml, TEXT_KEYS);
  if (parts === null || header === null || header.map === null) {
    const why = header?.warnings[0] ?? "no frontmatter";
    const pushed = place === "inbox";
    const keys = pushed ? { task_key: "HEAD", delivery: "pushed", breaking: false } : {};
    const whole = wholeFile(file, "inbox", keys, why);
    return pushed ? { ...whole, state: "inbox", branch: { kind: "repository" } } : whole;
  }
  const { map } = header;
  const pushed = isPushed(map, place, parts.body);
  const { body, kept, warnings } = takeKept(parts.body, (text) => missingSections(text, pushed));
  if (pushed && typeof breakingOf(map) !== "boolean")
    warnings.push("breaking: not given; the format reads that as false");
  const text = kept ? body : withOriginal(body, "inbox", "yaml", parts.yaml);
  const read = documentOf(keysOf(map, pushed), text);
  const restored = restore(
    read.document.meta,
    kept,
    (meta) => documentOf(keysOf(inboxFields(meta, String(map.project)), pushed), "").document.meta,
  );
  const { meta } = restored;
  const arrived = meta.delivery === "pushed";
  return {
    form: "inbox",
    document: { meta, body: text },
    state: arrived ? "inbox" : "open",
    branch: branchOf(meta),
    understood: namesOf(meta, KEYS),
    body: body.trim() === "" ? [] : ["the text"],
    warnings: [...header.warnings, ...warnings, ...read.warnings, ...restored.warnings],
    people: kept?.people ?? [],
  };
}

/** `breaking` is required in an inbox file and has no place in a journal one. */
function isPushed(map: Record<string, unknown>, place: "journal" | "inbox" | null, body: string): boolean {
  if (place !== null) return place === "inbox";
  return breakingOf(map) !== undefined || /^## Impact here[ \t]*$/m.test(body);
}

/** Earlier files had it below `from`. */
function breakingOf(map: Record<string, unknown>): unknown {
  return map.breaking ?? (isMap(map.from) ? map.from.breaking : undefined);
}

function keysOf(map: Record<string, unknown>, pushed: boolean): Record<string, unknown> {
  const { project, created, focus, breaking: _breaking, ...others } = map;
  const said = breakingOf(map);
  const git = typeof map.git === "string" ? map.git : undefined;
  return {
    ...others,
    task_key: pushed ? "HEAD" : (branchIn(git) ?? "unknown"),
    project: lastComponent(project),
    delivery: pushed ? "pushed" : "pulled",
    written: created ?? others.written,
    intent: focus ?? others.intent,
    ...(pushed ? { breaking: said === true || /^true$/i.test(String(said)) } : {}),
  };
}

function branchIn(git: string | undefined): string | null {
  const recorded = parseRecordedCommit(git ?? "");
  const branch = recorded.kind === "commit" ? recorded.branch : null;
  return branch !== null && branch !== "HEAD" && isBranchName(branch) ? branch : null;
}

function branchOf(meta: Frontmatter): BranchHint {
  if (meta.task_key === "HEAD") return { kind: "repository" };
  return meta.task_key === "unknown" || !isBranchName(meta.task_key)
    ? { kind: "unknown" }
    : { kind: "branch", name: meta.task_key };
}
