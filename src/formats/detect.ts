/** Which tool's form a file has: by what it says, then by where it lies. */
import { basename, dirname, extname } from "node:path";
import { splitFrontmatter } from "../document/frontmatter.js";
import { placeOf } from "./inbox.js";
import type { Form, SourceFile } from "./types.js";

/** Never fails: what nothing else claims is Markdown, or YAML where the name says so. */
export function detectForm(file: SourceFile): Form | "json" {
  if (/\.json$/i.test(file.name)) return "json";
  if (/\.ya?ml$/i.test(file.name)) return "yaml";
  if (/\.md\.closed-/.test(file.name)) return "park";
  const yaml = splitFrontmatter(file.text)?.yaml ?? "";
  const has = (key: string) => new RegExp(`^${key}[ \\t]*:`, "m").test(yaml);
  if (/^handoff[ \t]*:[ \t]*1[ \t]*$/m.test(yaml)) return "git-handoff";
  if (has("focus")) return "inbox";
  if (has("rejections") || (has("task_key") && has("intent"))) return "park";
  if (extname(file.name) === "" && yaml === "" && /^\s*\{/.test(file.text)) return "json";
  if (placeOf(file.path) === "inbox") return "inbox";
  if (placeOf(file.path) === "journal" && /^\d{4}-\d\d-\d\d_\d{4}_/.test(file.name)) return "inbox";
  return isParkPlace(file.path) ? "park" : "markdown";
}

/** `tasks/<project>/handoff/`. Source: the park document, storage path. */
function isParkPlace(path: string): boolean {
  const folder = dirname(path);
  return basename(folder) === "handoff" && basename(dirname(dirname(folder))) === "tasks";
}
