/** Changes the text of a git config file. The caller holds the lock and puts the result in place. */
import { canonicalKey, parseConfigFile } from "./config-file.js";

function quote(value: string): string {
  const escaped = value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t");
  return `"${escaped}"`;
}

/** Throws TypeError for what git would not take as a key. */
function splitKey(key: string): { header: string; name: string } {
  const match = /^([A-Za-z0-9-]+)\.(?:([^\0\n]+)\.)?([A-Za-z][A-Za-z0-9-]*)$/s.exec(key);
  if (!match) throw new TypeError(`not a configuration key: '${key}'`);
  const [, section = "", subsection, name = ""] = match;
  const sub = subsection === undefined ? "" : ` "${subsection.replace(/[\\"]/g, "\\$&")}"`;
  return { header: `[${section}${sub}]`, name };
}

/** One more value, at the end of the file: a section may be opened twice. */
export function addValue(text: string, key: string, value: string): string {
  const { header, name } = splitKey(key);
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${before}${header}\n\t${name} = ${quote(value)}\n`;
}

/** This value instead of all there are; with `from`, of those that are `from`, and added where none is. */
export function setValue(text: string, key: string, value: string, from?: string): string {
  const { name } = splitKey(key);
  const wanted = canonicalKey(key);
  const [first, ...others] = parseConfigFile(text).filter(
    (entry) => entry.key === wanted && (from === undefined || entry.value === from),
  );
  if (!first) return addValue(text, key, value);
  let edited = text;
  // From the end, so that the places of the earlier ones stay right.
  for (const { start, end } of others.reverse()) edited = edited.slice(0, start) + edited.slice(end);
  return `${edited.slice(0, first.start)}${name} = ${quote(value)}${edited.slice(first.end)}`;
}
