/** Handoffs of any other form: Markdown and YAML, kept whole as the body, with the keys that fit. */
import { splitFrontmatter } from "../document/frontmatter.js";
import { isMap } from "../document/schema-reader.js";
import { formatBody } from "../document/sections.js";
import { writtenTime } from "../document/time.js";
import { isBranchName } from "../store/names.js";
import { withOriginal } from "./as-imported.js";
import { documentOf, lastComponent, namesOf } from "./document-of.js";
import { readHeader } from "./lenient-yaml.js";
import { emailsIn } from "./people.js";
import { type BranchHint, NotTaken, type SourceFile, type Understood } from "./types.js";

const KEYS = [
  "task_key",
  "project",
  "written",
  "author",
  "harness",
  "session",
  "intent",
  "goal",
  "summary",
  "git",
  "rejections",
  "artifacts",
  "unresolved",
  "links",
  "work",
  "spans",
  "watches",
] as const;

/** Lists of maps under our own names are taken as they are. */
const LISTS = ["rejections", "artifacts", "unresolved", "links", "work", "spans", "watches"] as const;

/** Markdown: the whole file, frontmatter included, is the body. */
export function readMarkdown(file: SourceFile): Understood {
  const parts = splitFrontmatter(file.text);
  const header = parts === null ? { map: {}, warnings: [] } : readHeader(parts.yaml, {});
  const warnings =
    header.map === null ? header.warnings.map((why) => `${why}; kept in the body`) : header.warnings;
  return understood(file, "markdown", header.map ?? {}, file.text, warnings);
}

/** More would not be a handoff; and each one is read behind the lines before it. */
const MAX_DOCUMENTS = 20;

/** YAML of one or several documents: the whole file as a code block; a list `next` becomes the next steps. */
export function readYamlFile(file: SourceFile): Understood {
  const warnings: string[] = [];
  const map: Record<string, unknown> = {};
  const documents = documentsIn(file.text);
  if (documents.length > MAX_DOCUMENTS) {
    warnings.push(`more than ${MAX_DOCUMENTS} YAML documents; kept in the body`);
  } else {
    for (const part of documents) {
      const header = readHeader(part, {});
      warnings.push(
        ...header.warnings.map((why) => (header.map === null ? `${why}; kept in the body` : why)),
      );
      Object.assign(map, header.map ?? {});
    }
  }
  return structured(file, map, "yaml", warnings);
}

/** JSON, the same way. Throws NotTaken for what is none. */
export function readJsonFile(file: SourceFile): Understood {
  try {
    const value: unknown = JSON.parse(file.text);
    return structured(file, isMap(value) ? value : {}, "json", []);
  } catch (error) {
    throw new NotTaken(`not readable as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function structured(
  file: SourceFile,
  map: Record<string, unknown>,
  language: "yaml" | "json",
  warnings: string[],
): Understood {
  const next = Array.isArray(map.next) ? map.next.filter((step) => typeof step === "string") : [];
  const steps = formatBody({ next: next.map((step) => step.trim()) });
  const body = withOriginal(steps, "yaml", language, file.text);
  const read = understood(file, "yaml", map, body, warnings);
  return next.length === 0 ? read : { ...read, understood: [...read.understood, `next (${next.length})`] };
}

/** Each document behind as many empty lines as stand before it, so that complaints name the file's lines. */
function documentsIn(text: string): string[] {
  const documents: string[] = [];
  const lines = text.split("\n");
  let begin = 0;
  const finish = (end: number) => {
    const own = lines.slice(begin, end);
    if (own.some((line) => line !== "") && documents.length <= MAX_DOCUMENTS)
      documents.push("\n".repeat(begin) + own.join("\n"));
  };
  for (const [at, line] of lines.entries()) {
    if (!/^(?:---|\.\.\.)(?:[ \t]|$)/.test(line)) continue;
    finish(at);
    begin = at + 1;
  }
  finish(lines.length);
  return documents;
}

function understood(
  file: SourceFile,
  form: "markdown" | "yaml",
  map: Record<string, unknown>,
  body: string,
  warnings: string[],
): Understood {
  const keys = fitting(map, file.name);
  const { document, warnings: odd } = documentOf(keys, body);
  const { meta } = document;
  const branch: BranchHint =
    meta.task_key === "unknown" ? { kind: "unknown" } : { kind: "branch", name: meta.task_key };
  return {
    form,
    document,
    state: "open",
    branch,
    understood: namesOf(meta, KEYS),
    body: ["the whole file"],
    warnings: [...warnings, ...odd],
    people: emailsIn(meta.author),
  };
}

/** Keys of ours that some key of theirs means. Nothing is taken from the text. */
function fitting(map: Record<string, unknown>, name: string): Record<string, unknown> {
  const text = (...keys: string[]): string | undefined => {
    const value = keys.map((key) => map[key]).find((each) => typeof each === "string" && each.trim() !== "");
    return typeof value === "string" ? value.trim() : undefined;
  };
  const branch = text("branch", "git_branch", "task_key");
  const commit = text("head", "commit", "commit_sha", "git_commit", "pause_commit_sha");
  const at = commit !== undefined && /^[0-9a-f]{4,64}$/.test(commit) ? commit : undefined;
  const tool = text("harness", "session_tool");
  const session = text("session_id");
  return {
    task_key: branch !== undefined && isBranchName(branch) && branch !== "HEAD" ? branch : undefined,
    project: lastComponent(text("project")),
    written: timeOf(text("written", "created", "created_at", "date", "timestamp"), name),
    author: text("author"),
    harness: tool,
    session: isMap(map.session) ? map.session : session && { runtime: tool, id: session },
    intent: text("intent", "focus", "now", "next-action", "next_action"),
    goal: text("goal"),
    summary: text("summary", "description"),
    git: text("git") ?? (at && branch ? `${branch} @ ${at}` : undefined),
    ...Object.fromEntries(LISTS.flatMap((key) => (isListOfMaps(map[key]) ? [[key, map[key]]] : []))),
  };
}

function isListOfMaps(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isMap);
}

/** As it stands where it is a time; `20260403T093000Z` as one; else what the file's name says, to the minute. */
function timeOf(given: string | undefined, name: string): string | undefined {
  const named = timeInName(name);
  if (given === undefined) return named;
  const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d:?\d\d)?$/.exec(given);
  if (compact) {
    const [, year, month, day, hour, minute, second = "00", zone = ""] = compact;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
  }
  // A date alone is the less exact one.
  return writtenTime(given) !== null && given.length === 10 && named?.startsWith(given) ? named : given;
}

function timeInName(name: string): string | undefined {
  const found = /(?<!\d)(\d{4})-?(\d\d)-?(\d\d)[-_T](\d\d)[-:]?(\d\d)(?:[-:]?(\d\d))?(?!\d)/.exec(name);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const time = `${year}-${month}-${day}T${hour}:${minute}${second ? `:${second}` : ""}`;
  return writtenTime(time) === null ? undefined : time;
}
