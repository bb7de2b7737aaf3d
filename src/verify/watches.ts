/** What a handoff waits for: a date, a ref that moves, a pull request. */
import type { Watch } from "../document/types.js";
import { Budget, ifTooFar } from "./budget.js";
import type { Facts } from "./facts.js";
import { ghEnvironment } from "./predicate/gh.js";
import { findProgram, runProgram } from "./predicate/program.js";
import type { WatchReport } from "./verdict.js";

interface Finding {
  /** null where it cannot be told now. */
  due: boolean | null;
  note: string | null;
}

/** Pull requests asked for in one read. */
const MAX_REQUESTS = 5;

/**
 * One report for each watch, in order. One git process for all refs; `gh` for at most five pull requests, and
 * never in a git hook (it uses the network).
 */
export async function checkWatches(watches: readonly Watch[], facts: Facts): Promise<WatchReport[]> {
  const [refs, requests] = await Promise.all([refsOf(watches, facts), requestsOf(watches, facts)]);
  return watches.map((watch) => {
    const { due, note } = findingOf(watch, facts.now, refs, requests);
    const notes = [watch.note, note].filter((each) => each !== undefined && each !== null && each !== "");
    return { ...watch, due, note: notes.length > 0 ? notes.join("; ") : null };
  });
}

function findingOf(
  watch: Watch,
  now: Date,
  refs: ReadonlyMap<string, readonly string[]> | null,
  requests: ReadonlyMap<number, Finding & { state: string | null }>,
): Finding {
  if (watch.until !== undefined) return untilFinding(watch.until, now);
  if (watch.ref !== undefined) return refFinding(watch.ref, watch.at, refs);
  if (watch.pr !== undefined) return requestFinding(watch, requests.get(watch.pr));
  return { due: null, note: "watches nothing that can be asked" };
}

/** A date without a time has passed when its day has ended here. */
function untilFinding(until: string, now: Date): Finding {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(until.trim());
  const end = day
    ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]) + 1).getTime()
    : Date.parse(until);
  if (Number.isNaN(end)) return { due: null, note: "its date is unreadable" };
  return { due: now.getTime() >= end, note: null };
}

function refFinding(
  ref: string,
  at: string | undefined,
  refs: ReadonlyMap<string, readonly string[]> | null,
): Finding {
  if (at === undefined || !/^[0-9a-f]{7,64}$/i.test(at)) {
    return { due: null, note: "does not say where the ref stood" };
  }
  if (refs === null) return { due: null, note: "out of time" };
  const oids = refs.get(ref) ?? [];
  const [now] = oids;
  if (now === undefined) return { due: null, note: `${ref} is not here` };
  if (oids.some((oid) => oid.startsWith(at.toLowerCase()))) return { due: false, note: null };
  return { due: true, note: `${ref} is now ${now.slice(0, 12)}` };
}

/** Plain names only: nothing that git would search for or compute. */
const REF_NAME = /^(?![-./])(?!.*(?:\.\.|@\{|\/\/))[^\s~^:?*[\\\x00-\x1f\x7f]+$/;

/** Each ref's object, and the one an annotated tag stands for. Null when there is no time. */
async function refsOf(watches: readonly Watch[], facts: Facts): Promise<Map<string, string[]> | null> {
  const names = new Set(watches.flatMap(({ ref }) => (ref !== undefined && REF_NAME.test(ref) ? [ref] : [])));
  const found = new Map<string, string[]>();
  if (names.size === 0) return found;
  const answer = await new Budget(facts.git, facts.deadline)
    .ask(
      ["cat-file", "--batch-check=%(objectname)"],
      [...names].map((name) => `${name}\n${name}^{}\n`).join(""),
    )
    .catch(ifTooFar(null));
  if (answer === null) return null;
  const lines = answer.stdout.toString("latin1").split("\n");
  [...names].forEach((name, index) => {
    const oids = lines.slice(index * 2, index * 2 + 2).filter((line) => /^[0-9a-f]{40,64}$/.test(line));
    if (oids.length > 0) found.set(name, oids);
  });
  return found;
}

function requestFinding(watch: Watch, asked: (Finding & { state: string | null }) | undefined): Finding {
  if (asked === undefined) return { due: null, note: `more than ${MAX_REQUESTS} pull requests` };
  if (asked.state === null) return asked;
  if (typeof watch.state !== "string") return { due: null, note: `pull request is ${asked.state}` };
  const changed = asked.state.toLowerCase() !== watch.state.toLowerCase();
  return { due: changed, note: changed ? `pull request is ${asked.state}` : null };
}

async function requestsOf(
  watches: readonly Watch[],
  facts: Facts,
): Promise<Map<number, Finding & { state: string | null }>> {
  const numbers = [...new Set(watches.flatMap(({ pr }) => (pr === undefined ? [] : [pr])))];
  const asked = numbers.slice(0, MAX_REQUESTS).map(async (number) => {
    const state = await askState(number, facts);
    return [
      number,
      typeof state === "string" ? { due: null, note: state, state: null } : { ...state },
    ] as const;
  });
  return new Map(await Promise.all(asked));
}

/** The state as gh names it, or why it cannot be told. */
async function askState(number: number, facts: Facts): Promise<string | (Finding & { state: string })> {
  if (!Number.isSafeInteger(number) || number < 1) return "its number is none";
  if (facts.hook) return "not asked in a git hook (network)";
  const file = findProgram("gh");
  if (file === null) return "gh is not installed";
  const { workTree, gitDir } = facts.repository;
  const timeout = Math.min(facts.predicateTimeout, facts.deadline - Date.now());
  if (timeout <= 0) return "out of time";
  const result = await runProgram(file, ["pr", "view", String(number), "--json", "state"], {
    cwd: workTree ?? gitDir,
    env: ghEnvironment(),
    timeout,
  });
  try {
    const { state }: { state?: unknown } = JSON.parse(result.code === 0 ? result.stdout : "{}");
    if (typeof state === "string") return { due: null, note: null, state };
  } catch {
    // Not what gh prints.
  }
  return result.timedOut ? "gh took too long" : "gh could not answer";
}
