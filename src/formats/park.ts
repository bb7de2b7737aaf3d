/** The park document's files: `<project>/handoff/<branch with dashes>.md`, closed ones `….md.closed-<time>`. */
import { splitFrontmatter } from "../document/frontmatter.js";
import { isBranchName, REPOSITORY_BRANCH } from "../store/names.js";
import { withOriginal } from "./as-imported.js";
import { documentOf, namesOf } from "./document-of.js";
import { takeKept } from "./kept-block.js";
import { readHeader } from "./lenient-yaml.js";
import type { TextKeys } from "./quote-scalars.js";
import { restore } from "./restore.js";
import type { BranchHint, SourceFile, Understood } from "./types.js";
import { wholeFile } from "./whole-file.js";
import { parkFields } from "./write-park.js";

/** Texts that the format's own examples print without quotes although YAML would need them. */
const TEXT_KEYS: TextKeys = {
  intent: "whole",
  goal: "whole",
  claim: "whole",
  anchor: "whole",
  predicate: "whole",
  fallback: "whole",
};

const NAME = /^(.*?)\.md(?:\.closed-(.*))?$/;
const KEYS = ["task_key", "project", "written", "intent", "goal", "rejections"] as const;

/** Source: the park document, artifact schema, storage path, lifecycle. */
export function readPark(file: SourceFile): Understood {
  const [, stem = file.name, closed] = NAME.exec(file.name) ?? [];
  const ended = closed === undefined ? {} : { state: "closed" as const, reason: `closed ${closed}` };
  const parts = splitFrontmatter(file.text);
  const header = parts === null ? null : readHeader(parts.yaml, TEXT_KEYS);
  if (parts === null || header === null || header.map === null) {
    const why = header?.warnings[0] ?? "no frontmatter";
    return { ...wholeFile(file, "park", { task_key: stem }, why), ...ended, branch: branchOf(stem) };
  }
  const { body, kept, warnings } = takeKept(parts.body, () => "");
  const text = kept ? body : withOriginal(body, "park", "yaml", parts.yaml);
  const read = documentOf({ ...header.map, task_key: header.map.task_key ?? stem }, text);
  const restored = restore(
    read.document.meta,
    kept,
    (meta) => documentOf(parkFields(meta), "").document.meta,
  );
  return {
    form: "park",
    document: { meta: restored.meta, body: text },
    state: restored.meta.delivery === "pushed" ? "inbox" : "open",
    branch: branchOf(restored.meta.task_key),
    understood: namesOf(restored.meta, KEYS),
    body: body.trim() === "" ? [] : ["the text"],
    warnings: [...header.warnings, ...warnings, ...read.warnings, ...restored.warnings],
    people: kept?.people ?? [],
    ...ended,
  };
}

function branchOf(key: string): BranchHint {
  if (key === REPOSITORY_BRANCH) return { kind: "repository" };
  // Only a name without slashes is ambiguous.
  return key.includes("/") && isBranchName(key) ? { kind: "branch", name: key } : { kind: "slug", slug: key };
}
