/**
 * Reads the text of one git config file, for what must be known before git (or without git) can be asked:
 * which extensions a repository has, whether a remote promises objects. Includes are not followed.
 */

export interface FileEntry {
  /** Section and name lower-cased, subsection as written. */
  key: string;
  /** null: a key without `=`. */
  value: string | null;
  /** Where it stands in the text: from its first letter to its end of line, which is not included. */
  start: number;
  end: number;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

/** A value from just behind its `=`: quotes, escapes, continued lines and comments as git reads them. */
function readValue(text: string, start: number): { value: string; end: number } {
  let value = "";
  let pendingSpace = "";
  let quoted = false;
  let at = start;
  for (; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\n") break;
    if (!quoted && (char === "#" || char === ";")) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
      break;
    }
    if (!quoted && /\s/.test(char)) {
      // Space inside a value stays, at either end it goes.
      if (value !== "") pendingSpace += char === "\r" ? "" : char;
      continue;
    }
    value += pendingSpace;
    pendingSpace = "";
    if (char === '"') quoted = !quoted;
    else if (char === "\\") {
      at += text.startsWith("\r\n", at + 1) ? 2 : 1;
      const next = text[at] ?? "";
      if (next !== "\n") value += ESCAPES[next] ?? next;
    } else value += char;
  }
  return { value, end: at };
}

function section(header: string): string {
  const match = /^([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?$/.exec(header.trim());
  if (!match) return "";
  const [, name = "", sub] = match;
  return sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub.replace(/\\(.)/g, "$1")}`;
}

/** Every key of the file in order. What is no config is skipped: git itself is the judge of that. */
export function parseConfigFile(text: string): FileEntry[] {
  const entries: FileEntry[] = [];
  let current = "";
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    const rest = text.slice(at, at + 4096);
    const header = /^\s*\[((?:"(?:[^"\\]|\\.)*"|[^\]"\n])*)\]/.exec(rest);
    if (header) {
      current = section(header[1] ?? "");
      at += header[0].length;
      continue;
    }
    const key = /^\s*([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)/.exec(rest);
    if (!key || current === "") {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end + 1;
      continue;
    }
    const name = `${current}.${(key[1] ?? "").toLowerCase()}`;
    const start = at + key[0].search(/\S/);
    at += key[0].length;
    let value: string | null = null;
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    if (key[2] === "=") ({ value, end } = readValue(text, at));
    entries.push({ key: name, value, start, end });
    at = end + 1;
  }
  return entries;
}

/** git's booleans; undefined for what is none. A key without value is true. */
export function parseBoolean(value: string | null): boolean | undefined {
  if (value === null) return true;
  if (/^(true|yes|on|1)$/i.test(value)) return true;
  if (/^(false|no|off|0|)$/i.test(value)) return false;
  return /^[+-]?\d+$/.test(value) ? Number(value) !== 0 : undefined;
}

/** `Branch.Feat.pushRemote` → `branch.Feat.pushremote`, as git spells keys. */
export function canonicalKey(key: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  if (first < 0) return key.toLowerCase();
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}
