/**
 * git's answers as hooks/post-checkout gathers them beside Node's start: what it would cost to ask again.
 * Anything odd is no answer, and git is asked. On the hot path.
 */
import { QUESTIONS } from "../git/discover.js";
import type { ObjectType, ReadObject, Ref } from "../git/port.js";
import type { RunGit } from "../git/process.js";
import type { KnownHistory } from "../verify/freshness.js";

export interface Answers {
  /** Arguments of a git call, joined by NUL → what it printed. */
  calls: Map<string, Buffer>;
  /** Branch (null when detached) and commit (null before the first). */
  head: { branch: string | null; oid: string | null };
  /** Every ref that matches the patterns of this branch and of the repository. */
  refs: Ref[];
  /** By the name asked for and by id; null: not there. */
  objects: Map<string, ReadObject | null>;
  history: KnownHistory;
}

const MAGIC = "git-handoff answers 1";
const PART_END = Buffer.from("\0\0");
const HEADS = "refs/heads/";

/** undefined when this is no set of answers: then nothing is known. */
export function parseAnswers(bytes: Buffer): Answers | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (let n = 0; n < 6; n++) {
    const end = bytes.indexOf(PART_END, at);
    if (end < 0) return undefined;
    // The configuration ends with a zero byte of its own.
    const own = n === 3 && end > at && bytes[end + 2] === 0 ? 1 : 0;
    parts.push(bytes.subarray(at, end + own));
    at = end + own + PART_END.length;
  }
  const [magic, head, place, config, refs, history] = parts;
  if (!magic || !head || !place || !config || !refs || !history) return undefined;
  if (magic.toString() !== MAGIC) return undefined;
  const all = refLines(refs);
  return {
    calls: new Map([
      [keyOf(["rev-parse", ...QUESTIONS]), place],
      [keyOf(["config", "--list", "-z", "--show-scope"]), config],
    ]),
    head: headOf(head.toString("utf8"), all),
    refs: all.filter(({ name }) => !name.startsWith(HEADS)),
    objects: batchAnswers(bytes.subarray(at)),
    history: { ancestors: ancestorsOf(history) },
  };
}

/** A RunGit that knows these answers and asks `run` for everything else; also where git had nothing to say. */
export function replay(answers: Answers, run: RunGit): RunGit {
  return (args, options) => {
    const stdout = answers.calls.get(keyOf(args));
    if (stdout === undefined || stdout.length === 0) return run(args, options);
    return Promise.resolve({ code: 0, stdout, stderr: "", timedOut: false, overflowed: false });
  };
}

function keyOf(args: readonly string[]): string {
  return args.join("\0");
}

/** `head`: what HEAD names, a branch or a commit. */
function headOf(head: string, refs: readonly Ref[]): Answers["head"] {
  if (!head.startsWith(HEADS)) return { branch: null, oid: /^[0-9a-f]{40,64}$/.test(head) ? head : null };
  return { branch: head.slice(HEADS.length), oid: refs.find(({ name }) => name === head)?.oid ?? null };
}

function refLines(part: Buffer): Ref[] {
  return part
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ oid: line.slice(0, line.indexOf(" ")), name: line.slice(line.indexOf(" ") + 1) }));
}

/** `<id> <commits it has and HEAD not>\t<commits HEAD has and it not>`, a line for each commit. */
function ancestorsOf(part: Buffer): Map<string, number> {
  const lines = part.toString("utf8").matchAll(/^([0-9a-f]{40,64}) 0\t(\d+)$/gm);
  return new Map([...lines].map(([, id = "", behind]) => [id, Number(behind)]));
}

const HEADER = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+) (.*)$/;
const ABSENT = /^(\S+) missing$/;

/** Objects in cat-file's batch form, each under the name asked for and its id; stops at what it does not know. */
function batchAnswers(part: Buffer): Map<string, ReadObject | null> {
  const objects = new Map<string, ReadObject | null>();
  for (let at = 0; at < part.length; ) {
    const end = part.indexOf(10, at);
    if (end < 0) break;
    const line = part.toString("utf8", at, end);
    at = end + 1;
    const absent = ABSENT.exec(line);
    if (absent?.[1] !== undefined) {
      objects.set(absent[1], null);
      continue;
    }
    const [, oid, type, digits, rest] = HEADER.exec(line) ?? [];
    const size = Number(digits);
    if (oid === undefined || part[at + size] !== 10) break;
    const object = { oid, type: type as ObjectType, size, content: part.subarray(at, at + size) };
    at += size + 1;
    objects.set(oid, object);
    if (rest !== undefined && rest !== "") objects.set(rest, object);
  }
  return objects;
}
