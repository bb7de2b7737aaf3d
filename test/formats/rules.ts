// What each format's own reader demands of a file, written from how those readers behave.
import { parse } from "yaml";
import type { ExportFormat } from "../../src/formats/types.js";

type Rules = (text: string, name: string) => string[];

export const RULES: Readonly<Record<ExportFormat, Rules>> = {
  park: parkRules,
  evidence: evidenceRules,
  inbox: inboxRules,
};

const KINDS = [
  "structural",
  "contractual",
  "empirical-local",
  "empirical-external",
  "goal-conditional",
  "untyped",
];

/** The header is what stands between the first two `---`, wherever they are; YAML 1.1. */
function parkRules(text: string, name: string): string[] {
  const wrong: string[] = [];
  if (!text.startsWith("---")) return ["no frontmatter"];
  const [, header = ""] = text.split("---");
  const map = parse(header, { version: "1.1" }) as Record<string, unknown>;
  const keys = ["task_key", "project", "written", "intent", "goal", "rejections"];
  for (const key of keys) if (!(key in map)) wrong.push(`${key} is missing`);
  for (const key of Object.keys(map)) if (!keys.includes(key)) wrong.push(`${key} is no key of the format`);
  for (const key of ["task_key", "project", "written", "intent"])
    if (typeof map[key] !== "string") wrong.push(`${key} is no text`);
  if (String(map.task_key).includes("/")) wrong.push("a slash in task_key");
  if (!/^[^/]+\.md(\.closed-[0-9TZ]+)?$/.test(name)) wrong.push(`the name ${name}`);
  for (const each of map.rejections as Record<string, unknown>[]) {
    if (!KINDS.includes(String(each.kind))) wrong.push(`kind ${String(each.kind)}`);
    for (const key of ["claim", "predicate", "fallback"])
      if (typeof each[key] !== "string") wrong.push(`${key} of a rejection is no text`);
    for (const key of Object.keys(each))
      if (!["kind", "claim", "anchor", "predicate", "fallback", "low_info"].includes(key))
        wrong.push(`${key} is no key of a rejection`);
  }
  return wrong;
}

/** Unknown fields are errors there, and the file's name is its id. */
function evidenceRules(text: string, name: string): string[] {
  const wrong: string[] = [];
  const map = JSON.parse(text) as Record<string, unknown>;
  const fields: Record<string, (value: unknown) => boolean> = {
    schema_version: (value) => value === 1,
    id: (value) => /^handoff-\d{8}T\d{6}\.\d{9}Z$/.test(String(value)),
    created_at: (value) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(String(value)) &&
      !Number.isNaN(Date.parse(String(value))),
    goal: isText,
    summary: isText,
    continuation: isText,
    artifacts_produced: isTexts,
    decisions_made: isTexts,
    open_risks: isTexts,
    state: isState,
  };
  for (const key of ["schema_version", "id", "created_at"])
    if (!(key in map)) wrong.push(`${key} is missing`);
  for (const [key, value] of Object.entries(map)) {
    if (!Object.hasOwn(fields, key)) wrong.push(`${key} is no field of the schema`);
    else if (!fields[key]?.(value)) wrong.push(`${key} is wrong: ${JSON.stringify(value)}`);
  }
  if (name !== `${String(map.id)}.json`) wrong.push("the name is not that of the id");
  return wrong;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isState(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const state = value as Record<string, unknown>;
  const fields: Record<string, (each: unknown) => boolean> = {
    git_branch: isText,
    git_dirty: (each) => typeof each === "boolean",
    modified_files: (each) => isTexts(each) && (each as string[]).length <= 20,
    recent_commits: (each) => isTexts(each) && (each as string[]).length <= 5,
  };
  return "git_dirty" in state && Object.entries(state).every(([key, each]) => fields[key]?.(each) === true);
}

/** That reader is no YAML reader: first colon, one level, quotes off at the ends, comments not taken off. */
function inboxRules(text: string, name: string): string[] {
  const wrong: string[] = [];
  const end = text.indexOf("\n---", 3);
  if (!text.startsWith("---\n") || end < 0) return ["no frontmatter"];
  const header = text.slice(4, end);
  const map = readHeader(header);
  const yaml = parse(header) as Record<string, unknown>;
  for (const key of ["project", "created", "harness", "focus", "git"])
    if (map[key] === undefined) wrong.push(`${key} is missing`);
  for (const [key, value] of Object.entries(map))
    if (typeof value === "string" && !sameText(value, yaml[key]))
      wrong.push(`${key}: ${JSON.stringify(value)} there, ${JSON.stringify(yaml[key])} in YAML`);
  if (!String(map.project).startsWith("/")) wrong.push("project is no absolute path");
  if (!/^\d{4}-\d\d-\d\d_\d{4}_[^/]+\.md$/.test(name)) wrong.push(`the name ${name}`);
  if (/ @ [0-9a-f]{8,}/.test(String(map.git)))
    wrong.push(`the commit of git is not short: ${String(map.git)}`);
  const sections = [
    "State",
    "Next steps",
    "Pointers",
    ...(map.breaking === undefined ? [] : ["Impact here"]),
  ];
  for (const title of sections)
    if (!new RegExp(`^## ${title}[ \\t]*$`, "m").test(text)) wrong.push(`no section ${title}`);
  if (map.breaking !== undefined && !["true", "false"].includes(String(map.breaking)))
    wrong.push(`breaking: ${String(map.breaking)}`);
  return wrong;
}

/** What needs escapes comes out of that reader with its escapes; everything else as it is. */
function sameText(read: string, yaml: unknown): boolean {
  const text = String(yaml ?? "");
  return read === text || JSON.stringify(text) === `"${read}"`;
}

function readHeader(header: string): Record<string, string | Record<string, string>> {
  const map: Record<string, string | Record<string, string>> = {};
  let block: Record<string, string> | null = null;
  for (const line of header.split("\n")) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    const key = line.slice(0, colon).trim();
    const value = line
      .slice(colon + 1)
      .trim()
      .replace(/^["']|["']$/g, "");
    if (/^\s/.test(line) && block !== null) block[key] = value;
    else if (value === "") {
      block = {};
      map[key] = block;
    } else {
      block = null;
      map[key] = value;
    }
  }
  return map;
}
