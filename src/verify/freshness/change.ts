/** Changes as git prints them, read and compared. Pure. */

/** The new side of one path of a change. */
export interface NewSide {
  /** `000000` where the path was deleted. */
  mode: string;
  oid: string;
  /** Only the mode differs from the old side. */
  modeOnly: boolean;
}

/** Path → new side. */
export type Change = Map<string, NewSide>;

/** The blocks of one `diff-tree --stdin --raw -z`, in order; each headed by what was asked. */
export function parseRaw(output: string): { head: string; change: Change }[] {
  const blocks: { head: string; change: Change }[] = [];
  const words = output.split("\0");
  for (let at = 0; at < words.length; at++) {
    let word = words[at] ?? "";
    // A commit's name ends with NUL, that of two trees with a newline, the entry after it in the same word.
    const newline = word.startsWith(":") ? -1 : word.indexOf("\n");
    if (newline >= 0) {
      blocks.push({ head: word.slice(0, newline), change: new Map() });
      word = word.slice(newline + 1);
    }
    if (word.startsWith(":")) {
      const [oldMode = "", mode = "", oldOid = "", oid = ""] = word.slice(1).split(" ");
      const path = words[++at] ?? "";
      const modeOnly = oid === oldOid && mode !== oldMode;
      blocks.at(-1)?.change.set(path, { mode, oid, modeOnly });
    } else if (word !== "") blocks.push({ head: word, change: new Map() });
  }
  return blocks;
}

/** A run of removed and added lines without context between them. */
interface Edit {
  removed: string[];
  added: string[];
}

export interface FilePatch {
  /** Modes, and whether the file is new or deleted. */
  header: string;
  /** Everything that makes the change of this file, without line numbers. */
  exact: string;
  edits: Edit[];
  /** Ids stand for the content, which the patch does not show. */
  binary: boolean;
}

/** `diff --git` line → its patch. */
export type Patch = Map<string, FilePatch>;

/** The blocks of one `diff-tree --stdin -p`, in order. Text as latin1, so that every byte counts. */
export function parsePatches(output: string): { head: string; patch: Patch }[] {
  const blocks: { head: string; patch: Patch }[] = [];
  let lines: string[] = [];
  let name: string | null = null;
  const endFile = () => {
    if (name !== null) blocks.at(-1)?.patch.set(name, filePatch(lines));
    name = null;
    lines = [];
  };
  for (const line of output.replace(/\n$/, "").split("\n")) {
    if (/^[0-9a-f]{40,64}(?: [0-9a-f]{40,64})?$/.test(line)) {
      endFile();
      blocks.push({ head: line, patch: new Map() });
    } else if (line.startsWith("diff --git ")) {
      endFile();
      name = line;
    } else lines.push(line);
  }
  endFile();
  return blocks;
}

function filePatch(lines: readonly string[]): FilePatch {
  const binary = lines.some((line) => line.startsWith("Binary files "));
  const exact: string[] = [];
  const edits: Edit[] = [];
  let edit: Edit | null = null;
  let inHunk = false;
  for (const line of lines) {
    if (line.startsWith("@@ ")) {
      inHunk = true;
      edit = null;
      exact.push("@@");
    } else if (!inHunk) {
      // The ids of a text change say only on what it stood; its mode is part of the change.
      const mode = /^index [0-9a-f.]+(.*)$/.exec(line);
      exact.push(mode && !binary ? `index${mode[1]}` : line);
    } else {
      exact.push(line);
      const sign = line[0];
      if (sign !== "-" && sign !== "+") {
        if (sign === " ") edit = null;
        continue;
      }
      if (!edit) {
        edit = { removed: [], added: [] };
        edits.push(edit);
      }
      (sign === "-" ? edit.removed : edit.added).push(line.slice(1));
    }
  }
  const hunks = exact.indexOf("@@");
  const header = (hunks < 0 ? exact : exact.slice(0, hunks)).join("\n");
  return { header, exact: exact.join("\n"), edits, binary };
}

/**
 * How a change stands within another commit's change, from the nearest on: the same patch; the same edits among
 * other lines; but for white space; as a part of larger edits.
 */
const LIKENESSES = ["exact", "context", "whitespace", "contained"] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** Fewer letters and digits than this may be in another change by chance. */
const MIN_TELLING = 24;

/** `change` looked for in `larger`, which may touch more files. An empty change is in none. */
export function likeness(change: Patch, larger: Patch): Likeness | null {
  if (change.size === 0) return null;
  let farthest = 0;
  for (const [name, file] of change) {
    const other = larger.get(name);
    const like = other && fileLikeness(file, other);
    if (!like) return null;
    farthest = Math.max(farthest, LIKENESSES.indexOf(like));
  }
  const like = LIKENESSES[farthest] ?? null;
  // Without the lines around it a short change may stand anywhere.
  const needsTelling = like === "context" || like === "contained";
  return needsTelling && telling(change) < MIN_TELLING ? null : like;
}

function fileLikeness(file: FilePatch, other: FilePatch): Likeness | null {
  if (file.exact === other.exact) return "exact";
  if (file.binary || other.binary) return null;
  if (file.header === other.header && JSON.stringify(file.edits) === JSON.stringify(other.edits))
    return "context";
  if (alikeButForSpace(file, other)) return "whitespace";
  return contains(other.edits, file.edits) ? "contained" : null;
}

/** Where white space is all that changes, it is the change. */
function alikeButForSpace(file: FilePatch, other: FilePatch): boolean {
  const changesMore = file.edits.some(
    ({ removed, added }) => squeeze(removed.join("\n")) !== squeeze(added.join("\n")),
  );
  return changesMore && squeeze(file.exact) === squeeze(other.exact);
}

function squeeze(text: string): string {
  return text.replace(/[^\S\n]+/g, "");
}

function telling(change: Patch): number {
  let count = 0;
  for (const { edits } of change.values())
    for (const { removed, added } of edits) {
      count += [...removed, ...added].join("").replace(/[^0-9A-Za-z\x80-\xff]/g, "").length;
    }
  return count;
}

/** Each edit is a part of an edit of its own or a larger one, in order. */
function contains(larger: readonly Edit[], smaller: readonly Edit[]): boolean {
  let from = 0;
  for (const edit of smaller) {
    const found = larger.findIndex(
      (other, index) => index >= from && runIn(other.removed, edit.removed) && runIn(other.added, edit.added),
    );
    if (found < 0) return false;
    from = found;
  }
  return smaller.length > 0;
}

function runIn(lines: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return true;
  for (let at = 0; at + run.length <= lines.length; at++) {
    if (run.every((line, index) => line === lines[at + index])) return true;
  }
  return false;
}
