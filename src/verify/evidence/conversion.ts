/**
 * The content git would store for a file of the work tree: line endings and `$Id$` as git's own rules have
 * them, computed here, so that no filter program is run and nothing is written.
 */
import type { Budget } from "../budget.js";

/** Content as stored, or why it cannot be told without running a program. */
export type Stored = { content: Uint8Array } | { note: string };

const ATTRIBUTES = ["filter", "text", "crlf", "eol", "ident", "working-tree-encoding"] as const;
type Attributes = Partial<Record<(typeof ATTRIBUTES)[number], string>>;

/** At most three processes, whatever the number of files; paths as git names them. */
export async function storedContents(
  files: ReadonlyMap<string, Uint8Array>,
  budget: Budget,
): Promise<Map<string, Stored>> {
  const stored = new Map<string, Stored>();
  if (files.size === 0) return stored;
  const attributes = await attributesOf([...files.keys()], budget);
  const endings = new Map<string, "text" | "auto" | "undecided">();
  for (const [path, content] of files) {
    const these = attributes.get(path);
    if (these === undefined) stored.set(path, { note: "git did not tell its attributes" });
    else if (isSet(these.filter)) stored.set(path, { note: `would run a filter (${these.filter})` });
    else if (isSet(these["working-tree-encoding"])) stored.set(path, { note: "git re-encodes it" });
    else {
      const ending = hasCrlf(content) ? lineEndings(these) : "none";
      if (ending !== "none") endings.set(path, ending);
      stored.set(path, { content: isSet(these.ident) ? withoutIdent(content) : content });
    }
  }
  const automatic =
    [...endings].some(([, ending]) => ending === "undecided") && (await convertsByConfig(budget));
  const guessed = [...endings].flatMap(([path, ending]) =>
    ending === "auto" || (ending === "undecided" && automatic) ? [path] : [],
  );
  const kept = await withCrlfInIndex(
    guessed.filter((path) => !isBinary(files.get(path))),
    budget,
  );
  for (const [path, ending] of endings) {
    const entry = stored.get(path);
    if (!entry || !("content" in entry)) continue;
    const converts =
      ending === "text" || (guessed.includes(path) && !kept.has(path) && !isBinary(entry.content));
    if (converts) stored.set(path, { content: withoutCarriageReturns(entry.content) });
  }
  return stored;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "unspecified" && value !== "unset";
}

async function attributesOf(paths: readonly string[], budget: Budget): Promise<Map<string, Attributes>> {
  const answer = await budget.ask(["check-attr", "-z", "--stdin", ...ATTRIBUTES], `${paths.join("\0")}\0`);
  const found = new Map<string, Attributes>();
  if (answer.code !== 0) return found;
  const words = answer.stdout.toString("utf8").split("\0");
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = "", name = "", value = ""] = words.slice(at, at + 3);
    found.set(path, { ...found.get(path), [name]: value });
  }
  return found;
}

/** git's convert.c: `text`, else its older name `crlf`, else `eol` alone, else what core.autocrlf says. */
function lineEndings(attributes: Attributes): "none" | "text" | "auto" | "undecided" {
  for (const value of [attributes.text, attributes.crlf]) {
    if (value === "set" || value === "input") return "text";
    if (value === "unset") return "none";
    if (value === "auto") return "auto";
  }
  return attributes.eol === "lf" || attributes.eol === "crlf" ? "text" : "undecided";
}

async function convertsByConfig(budget: Budget): Promise<boolean> {
  const answer = await budget.ask(["config", "-z", "--get", "core.autocrlf"]);
  if (answer.code !== 0) return false;
  const value = answer.stdout.toString("utf8").replace(/\0$/, "").toLowerCase();
  return !["false", "no", "off", "0"].includes(value);
}

/** Where the index has CRLF already, git leaves a file of undeclared kind as it is. */
async function withCrlfInIndex(paths: readonly string[], budget: Budget): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const answer = await budget.ask(["cat-file", "--batch"], paths.map((path) => `:${path}\n`).join(""));
  const kept = new Set<string>();
  let at = 0;
  for (const path of paths) {
    const end = answer.stdout.indexOf(10, at);
    if (end < 0) break;
    const size = / blob (\d+)$/.exec(answer.stdout.toString("latin1", at, end))?.[1];
    at = end + 1;
    if (size === undefined) continue;
    const content = answer.stdout.subarray(at, at + Number(size));
    if (hasCrlf(content) && !isBinary(content)) kept.add(path);
    at += Number(size) + 1;
  }
  return kept;
}

function hasCrlf(content: Uint8Array): boolean {
  return bytes(content).includes("\r\n");
}

function bytes(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}

function withoutCarriageReturns(content: Uint8Array): Uint8Array {
  return Buffer.from(bytes(content).toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

function withoutIdent(content: Uint8Array): Uint8Array {
  return Buffer.from(
    bytes(content)
      .toString("latin1")
      .replace(/\$Id:[^$\n]*\$/g, "$$Id$$"),
    "latin1",
  );
}

/** git's guess for a file of undeclared kind: a lone CR, a NUL, or one odd byte in 128. */
function isBinary(content: Uint8Array | undefined): boolean {
  if (content === undefined) return true;
  let printable = 0;
  let odd = 0;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] ?? 0;
    if (byte === 0) return true;
    if (byte === 13 && content[at + 1] !== 10) return true;
    if (byte === 10 || byte === 13) continue;
    const known = byte === 8 || byte === 9 || byte === 12 || byte === 27;
    if (byte === 127 || (byte < 32 && !known)) odd++;
    else printable++;
  }
  // An end-of-file mark of DOS is not held against a text.
  if (content.at(-1) === 26) odd--;
  return printable >> 7 < odd;
}
