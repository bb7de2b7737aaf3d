/** Refspecs of handoff refs: what a fetch brings, and what is wrong with the configured ones. Pure. */
import type { Config } from "../git/config.js";
import { encodeRemote } from "../store/names.js";

const OWN = "refs/handoff/";
const TRACKING = "refs/handoff-remotes/";

/** Into a namespace of its own, never onto the refs people write; the remote's name comes last. */
export function fetchRefspec(remote: string): string {
  return `+${OWN}*:${TRACKING}*/${encodeRemote(remote)}`;
}

export interface Refspec {
  text: string;
  forced: boolean;
  source: string;
  target: string;
}

/** null for a negative one. */
export function parseRefspec(text: string): Refspec | null {
  if (text.startsWith("^")) return null;
  const forced = text.startsWith("+");
  const [source = "", target = source] = (forced ? text.slice(1) : text).split(":");
  return { text, forced, source, target };
}

/** May this side of a refspec name a log somebody wrote here? */
export function namesHandoffs(side: string): boolean {
  const star = side.indexOf("*");
  const fixed = star < 0 ? side : side.slice(0, star);
  return fixed.startsWith(OWN) || (star >= 0 && OWN.startsWith(fixed));
}

/** Handoff refs that the user keeps out of every fetch: one bad object in them would fail it for all. */
export function excludedRefs(config: Config, remote: string): string[] {
  return config.getAll(`remote.${remote}.fetch`).filter((refspec) => refspec.startsWith(`^${OWN}`));
}

export interface RefspecProblem {
  level: "error" | "warning";
  /** A stable word for programs. */
  code: string;
  /** One line. */
  message: string;
  remedy: string;
}

/**
 * What a plain `git fetch` would do wrong with handoff refs: overwrite what was written here, hide it among
 * the branches, bring it under another remote's name (a rename), twice, two remotes into one place, or no
 * longer at all.
 * @param added what was put into the configuration for fetching; what is gone of it was dropped
 */
export function refspecProblems(
  config: Config,
  remotes: readonly string[],
  added: readonly { key: string; value: string }[] = [],
): RefspecProblem[] {
  return [
    ...remotes.flatMap((remote) => problemsOf(config, remote)),
    ...shared(config, remotes),
    ...dropped(config, added),
  ];
}

function problemsOf(config: Config, remote: string): RefspecProblem[] {
  const problems: RefspecProblem[] = [];
  const key = `remote.${remote}.fetch`;
  const seen = new Set<string>();
  for (const refspec of config.getAll(key).map(parseRefspec)) {
    if (refspec === null) continue;
    const { text, source, target } = refspec;
    if (seen.has(text) && target.startsWith(TRACKING)) {
      problems.push({
        level: "warning",
        code: "refspec-doubled",
        message: `${key} has '${text}' more than once`,
        remedy: `git config --unset-all ${key} '${asPattern(text)}' and run git handoff install again`,
      });
    }
    seen.add(text);
    if (namesHandoffs(target)) {
      problems.push({
        level: "error",
        code: "refspec-onto-handoffs",
        message: `${key} '${text}' writes onto ${OWN}: a fetch replaces, and with --prune deletes, handoffs not yet pushed`,
        remedy: `git config --unset ${key} '${asPattern(text)}'`,
      });
    }
    if (source.startsWith(OWN) && target.startsWith("refs/remotes/")) {
      problems.push({
        level: "warning",
        code: "refspec-among-branches",
        message: `${key} '${text}' puts handoffs where they are not read and a fetch with --prune deletes them`,
        remedy: `git config --unset ${key} '${asPattern(text)}'`,
      });
    }
    const last = source === `${OWN}*` ? trackingName(target) : null;
    if (last !== null && last !== encodeRemote(remote)) {
      problems.push({
        level: "warning",
        code: "refspec-of-another-remote",
        message: `${key} '${text}' ends in '${last}', not in the remote's name (was it renamed?)`,
        remedy: `git config --replace-all ${key} '${fetchRefspec(remote)}' '${asPattern(text)}'`,
      });
    }
  }
  return problems;
}

/** The name under which a refspec's target keeps a remote's logs; null where it keeps none. */
function trackingName(target: string): string | null {
  return target.startsWith(TRACKING) ? target.slice(target.lastIndexOf("/") + 1) : null;
}

/** Two remotes fetched into one place: each fetch with --prune takes away what the other brought. */
function shared(config: Config, remotes: readonly string[]): RefspecProblem[] {
  const owners = new Map<string, string[]>();
  for (const remote of remotes) {
    for (const text of new Set(config.getAll(`remote.${remote}.fetch`))) {
      const target = parseRefspec(text)?.target ?? "";
      if (target.startsWith(TRACKING)) owners.set(target, [...(owners.get(target) ?? []), remote]);
    }
  }
  return [...owners]
    .filter(([, names]) => names.length > 1)
    .map(([target, names]) => ({
      level: "error",
      code: "refspec-shared",
      message: `${names.join(" and ")} are fetched into one place (${target}): what one brings, the other's --prune takes away`,
      remedy: `give each its own: ${names.map(fetchRefspec).join(", ")}`,
    }));
}

function dropped(config: Config, added: readonly { key: string; value: string }[]): RefspecProblem[] {
  return added
    .filter(({ key, value }) => key.startsWith("remote.") && !config.getAll(key).includes(value))
    .filter(({ key }) => config.getAll(key.replace(/\.fetch$/, ".url")).length > 0)
    .map(({ key, value }) => ({
      level: "warning",
      code: "refspec-dropped",
      message: `${key} no longer has '${value}' (git remote set-branches drops it): a plain fetch brings no handoffs`,
      remedy: "git handoff install",
    }));
}

/** As a pattern for `git config --unset`. */
export function asPattern(text: string): string {
  return `^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
}
