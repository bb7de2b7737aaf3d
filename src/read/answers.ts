/**
 * git's answers as hooks/post-checkout gathers them beside Node's start: what it would cost to ask again.
 * Anything odd is no answer, and git is asked. On the hot path.
 */
import { QUESTIONS } from "../git/discover.js";
import { SAFE_OPTIONS } from "../git/environment.js";
import type { ObjectType, ReadObject, Ref } from "../git/port.js";
import type { GitResult, RunGit } from "../git/process.js";
import type { KnownHistory } from "../verify/freshness.js";

export interface Answers {
  /** Arguments of a git call, joined by NUL → what it printed. */
  calls: Map<string, Buffer>;
  /** Every ref that matches `patterns` of this branch and of the repository. */
  refs: Ref[];
  /** By the name asked for and by id; null: not there. */
  objects: Map<string, ReadObject | null>;
  history: KnownHistory;
}

const MAGIC = "git-handoff answers 1";
const PART_END = Buffer.from("\0\0");

/** undefined when this is no set of answers: then nothing is known. */
export function parseAnswers(bytes: Buffer): Answers | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (let n = 0; n < 6; n++) {
    const end = bytes.indexOf(PART_END, at);
    if (end < 0) return undefined;
    // The configuration ends with a zero byte of its own.
    const own = n === 3 && bytes[end + 2] === 0 ? 1 : 0;
    parts.push(bytes.subarray(at, end + own));
    at = end + own + PART_END.length;
  }
  const [magic, head, place, config, refs, history] = parts;
  if (!magic || !head || !place || !config || !refs || !history) return undefined;
  if (magic.toString() !== MAGIC) return undefined;
  // Without these two there is nothing to go by, and git itself can say why.
  if (place.length === 0 || config.length === 0) return undefined;
  const target = head.toString("utf8");
  const all = refLines(refs);
  return {
    calls: new Map([
      [keyOf(["rev-parse", ...QUESTIONS]), place],
      [keyOf(["config", "--list", "-z", "--show-scope"]), config],
      [keyOf([...SAFE_OPTIONS, "symbolic-ref", "-q", "HEAD"]), Buffer.from(symbolic(target))],
      [
        keyOf([...SAFE_OPTIONS, "rev-parse", "-q", "--verify", "--end-of-options", "HEAD"]),
        Buffer.from(headOid(target, all)),
      ],
    ]),
    refs: all.filter(({ name }) => !name.startsWith("refs/heads/")),
    objects: batchAnswers(bytes.subarray(at)),
    history: { ancestors: ancestorsOf(history) },
  };
}

/** A RunGit that knows these answers and asks `run` for everything else. An empty answer stands for a failure. */
export function replay(answers: Answers, run: RunGit): RunGit {
  return (args, options) => {
    const stdout = answers.calls.get(keyOf(args));
    if (stdout === undefined) return run(args, options);
    const code = stdout.length > 0 ? 0 : 1;
    return Promise.resolve({
      code,
      stdout,
      stderr: "",
      timedOut: false,
      overflowed: false,
    } satisfies GitResult);
  };
}

function keyOf(args: readonly string[]): string {
  return args.join("\0");
}

/** symbolic-ref prints nothing for a detached HEAD, which is an id. */
function symbolic(head: string): string {
  return head.startsWith("refs/") ? `${head}\n` : "";
}

/** Nothing before the first commit. */
function headOid(head: string, refs: readonly Ref[]): string {
  const oid = head.startsWith("refs/") ? refs.find(({ name }) => name === head)?.oid : head;
  return oid ? `${oid}\n` : "";
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
