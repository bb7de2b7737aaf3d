/**
 * Adds our entry to an agent's JSON settings and takes it out again. The user's text around it (other entries,
 * order, comments, indentation) stays as it is. Pure.
 */
import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { insertAt, insertPieces, type Piece, removeAt } from "./json-text.js";

/** The text is not what it should be; it must stay untouched. The message names the place. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

/** Where an entry goes: `list` is created where it is missing, with `skeleton` beside it in a new file. */
export interface Entry {
  list: JSONPath;
  value: unknown;
  /** Top-level keys that a new file needs, e.g. `version`. */
  skeleton: Readonly<Record<string, unknown>>;
  /** The command by which our own entry is known again. */
  command: string;
}

/** Settings with the entry in them, and what that put in; null when it is there already. Throws SettingsError. */
export function addEntry(text: string, entry: Entry): { text: string; pieces: Piece[] } | null {
  const root = parse(text);
  if (root === null) {
    const whole = `${JSON.stringify(withEntry(entry), null, 2)}\n`;
    return { text: whole, pieces: [{ offset: 0, text: whole }] };
  }
  checkPath(root, entry.list);
  const list = findNodeAtLocation(root, entry.list);
  if (list !== undefined && list.type !== "array") {
    throw new SettingsError(`'${entry.list.join(".")}' is not a list`);
  }
  if (ownEntries(list, entry.command).length > 0) return null;
  const missing = Object.keys(entry.skeleton).filter((key) => findNodeAtLocation(root, [key]) === undefined);
  let depth = entry.list.length;
  while (depth > 0 && findNodeAtLocation(root, entry.list.slice(0, depth)) === undefined) depth--;
  const [path, value] =
    depth === entry.list.length
      ? [[...entry.list, list?.children?.length ?? 0], entry.value]
      : [entry.list.slice(0, depth + 1), nested(entry.list.slice(depth + 1), [entry.value])];
  const pieces = insertAt(text, root, path, value);
  const edited = insertPieces(text, pieces);
  if (missing.length === 0) return { text: edited, pieces };
  const completed = missing.reduce((current, key) => {
    const now = parse(current);
    return now === null ? current : insertPieces(current, insertAt(current, now, [key], entry.skeleton[key]));
  }, edited);
  return { text: completed, pieces: [] };
}

/** Settings without our entry, and without the containers that it leaves empty. Throws SettingsError. */
export function removeEntry(text: string, entry: Entry): string {
  let edited = text;
  for (;;) {
    const root = parse(edited);
    const list = root === null ? undefined : findNodeAtLocation(root, entry.list);
    const own = ownEntries(list, entry.command).at(-1);
    if (root === null || own === undefined) return edited === text ? text : dropEmpty(edited, entry.list);
    edited = removeAt(edited, root, [...entry.list, ...own]);
  }
}

export function hasEntry(text: string, entry: Entry): boolean {
  const root = parse(text);
  return root !== null && ownEntries(findNodeAtLocation(root, entry.list), entry.command).length > 0;
}

/** Nothing but what addEntry itself put into a new file. */
export function isSkeleton(text: string, entry: Entry): boolean {
  const root = parse(text);
  if (root === null) return true;
  const value = getNodeValue(root) as Record<string, unknown>;
  return Object.keys(value).every((key) => value[key] === entry.skeleton[key]);
}

/** Paths below the list of everything that runs our command: `[2]`, or `[2, "hooks", 0]` in a group. */
function ownEntries(list: Node | undefined, command: string): JSONPath[] {
  const found: JSONPath[] = [];
  for (const [index, item] of (list?.children ?? []).entries()) {
    if (runs(item, command)) found.push([index]);
    const group = findNodeAtLocation(item, ["hooks"]);
    const members = group?.type === "array" ? (group.children ?? []) : [];
    const own = members.flatMap((member, at) => (runs(member, command) ? [at] : []));
    // A group of our entries alone goes as a whole.
    if (own.length > 0 && own.length === members.length) found.push([index]);
    else found.push(...own.map((at) => [index, "hooks", at]));
  }
  return found;
}

function runs(item: Node, command: string): boolean {
  if (item.type !== "object") return false;
  return ["command", "bash"].some((key) => findNodeAtLocation(item, [key])?.value === command);
}

/** The parsed text; null when there is none. Comments and a comma too many are read over, as the agents do. */
function parse(text: string): Node | null {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (text.trim().replace(/^\uFEFF/, "") === "") return null;
  if (error !== undefined || root === undefined) {
    const line = text.slice(0, error?.offset ?? 0).split("\n").length;
    throw new SettingsError(
      `line ${line} is no valid JSON${error ? ` (${printParseErrorCode(error.error)})` : ""}`,
    );
  }
  if (root.type !== "object") throw new SettingsError("the settings are not one JSON object");
  return root;
}

/** On the way to the list only objects, each key once: of two the agent would take the other one. */
function checkPath(root: Node, path: JSONPath): void {
  let node: Node | undefined = root;
  for (const [depth, key] of path.entries()) {
    if (node === undefined) return;
    if (node.type !== "object")
      throw new SettingsError(`'${path.slice(0, depth).join(".")}' is not an object`);
    const same: Node[] = (node.children ?? []).filter((property) => property.children?.[0]?.value === key);
    if (same.length > 1) throw new SettingsError(`'${path.slice(0, depth + 1).join(".")}' is there twice`);
    node = same[0]?.children?.[1];
  }
}

function dropEmpty(text: string, list: JSONPath): string {
  let edited = text;
  for (let depth = list.length; depth > 0; depth--) {
    const root = parse(edited);
    const node = root === null ? undefined : findNodeAtLocation(root, list.slice(0, depth));
    if (node === undefined || (node.children?.length ?? 0) > 0) return edited;
    // A comment inside is the user's: then the empty container stays.
    if (/\/[/*]/.test(edited.slice(node.offset, node.offset + node.length))) return edited;
    if (root !== null) edited = removeAt(edited, root, list.slice(0, depth));
  }
  return edited;
}

function withEntry(entry: Entry): Record<string, unknown> {
  return { ...entry.skeleton, ...(nested(entry.list, [entry.value]) as Record<string, unknown>) };
}

function nested(path: JSONPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}
