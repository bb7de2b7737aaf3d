/**
 * Adds our entry to an agent's JSON settings and takes it out again. The user's text around it (other entries,
 * order, comments, indentation) stays as it is. Pure.
 */
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

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

/** Settings with the entry in them; the same text when it is there already. Throws SettingsError. */
export function addEntry(text: string, entry: Entry): string {
  const root = parse(text);
  if (root === null) return `${JSON.stringify(withEntry(entry), null, 2)}\n`;
  checkLists(root, entry.list);
  const list = findNodeAtLocation(root, entry.list);
  if (list !== undefined && list.type !== "array") {
    throw new SettingsError(`'${entry.list.join(".")}' is not a list`);
  }
  if (ownEntries(list, entry.command).length > 0) return text;
  let edited = text;
  for (const [key, value] of Object.entries(entry.skeleton)) {
    if (findNodeAtLocation(root, [key]) === undefined) edited = put(edited, [key], value);
  }
  return list === undefined
    ? put(edited, entry.list, [entry.value])
    : put(edited, [...entry.list, list.children?.length ?? 0], entry.value, true);
}

/** Settings without our entry, and without the containers that it leaves empty. Throws SettingsError. */
export function removeEntry(text: string, entry: Entry): string {
  let edited = text;
  for (;;) {
    const root = parse(edited);
    const list = root === null ? undefined : findNodeAtLocation(root, entry.list);
    const own = ownEntries(list, entry.command).at(-1);
    if (own === undefined) return edited === text ? text : dropEmpty(edited, entry.list);
    edited = drop(edited, [...entry.list, ...own]);
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
function checkLists(root: Node, path: JSONPath): void {
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

function put(text: string, path: JSONPath, value: unknown, insert = false): string {
  return applyEdits(
    text,
    modify(text, path, value, { formattingOptions: formatting(text), isArrayInsertion: insert }),
  );
}

function drop(text: string, path: JSONPath): string {
  return applyEdits(text, modify(text, path, undefined, { formattingOptions: formatting(text) }));
}

function dropEmpty(text: string, list: JSONPath): string {
  let edited = text;
  for (let depth = list.length; depth > 0; depth--) {
    const root = parse(edited);
    const node = root === null ? undefined : findNodeAtLocation(root, list.slice(0, depth));
    if (node === undefined || (node.children?.length ?? 0) > 0) return edited;
    // A comment inside is the user's: then the empty container stays.
    if (/\/[/*]/.test(edited.slice(node.offset, node.offset + node.length))) return edited;
    edited = drop(edited, list.slice(0, depth));
  }
  return edited;
}

function withEntry(entry: Entry): Record<string, unknown> {
  const value = entry.list.reduceRight<unknown>((inner, key) => ({ [key]: inner }), [entry.value]);
  return { ...entry.skeleton, ...(value as Record<string, unknown>) };
}

/** As the user indents. */
function formatting(text: string): { tabSize: number; insertSpaces: boolean; eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return {
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    insertSpaces: !indent.startsWith("\t"),
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
