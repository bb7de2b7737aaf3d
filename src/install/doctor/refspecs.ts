/** Refspecs and remote settings that lose handoffs or stop bringing them. Pure. */
import type { Config } from "../../git/config.js";
import { encodeRemote } from "../../store/names.js";
import type { InstallRecord } from "../record.js";
import { fetchRefspec } from "../refspec.js";
import { type Finding, finding } from "./findings.js";

const OWN = "refs/handoff/";
const TRACKING = "refs/handoff-remotes/";

interface Refspec {
  text: string;
  forced: boolean;
  source: string;
  target: string;
}

/** What is wrong with the remotes' refspecs. `remotes` are the configured ones that have a URL. */
export function checkRefspecs(config: Config, remotes: readonly string[], record: InstallRecord): Finding[] {
  const findings = remotes.flatMap((remote) => checkRemote(config, remote));
  return [...findings, ...checkShared(config, remotes), ...checkDropped(config, record)];
}

function checkRemote(config: Config, remote: string): Finding[] {
  const findings: Finding[] = [];
  const key = `remote.${remote}`;
  const lines = config.getAll(`${key}.fetch`);
  const seen = new Set<string>();
  for (const refspec of lines.map(parseRefspec)) {
    if (refspec === null) continue;
    if (seen.has(refspec.text) && refspec.target.startsWith(TRACKING)) {
      findings.push(
        finding(
          "warning",
          "refspec-doubled",
          `${key}.fetch has '${refspec.text}' more than once`,
          `git config --unset-all ${key}.fetch '${asPattern(refspec.text)}' and run git handoff install again`,
        ),
      );
    }
    seen.add(refspec.text);
    if (reaches(refspec.target, OWN)) {
      findings.push(
        finding(
          "error",
          "refspec-onto-handoffs",
          `${key}.fetch '${refspec.text}' writes onto ${OWN}: a fetch replaces, and with --prune deletes, handoffs not yet pushed`,
          `git config --unset ${key}.fetch '${asPattern(refspec.text)}'`,
        ),
      );
    }
    if (refspec.source.startsWith(OWN) && refspec.target.startsWith("refs/remotes/")) {
      findings.push(
        finding(
          "warning",
          "refspec-among-branches",
          `${key}.fetch '${refspec.text}' puts handoffs where they are not read and a fetch with --prune deletes them`,
          `git config --unset ${key}.fetch '${asPattern(refspec.text)}'`,
        ),
      );
    }
    if (refspec.source === `${OWN}*` && refspec.target.startsWith(TRACKING)) {
      const last = refspec.target.slice(refspec.target.lastIndexOf("/") + 1);
      if (last !== encodeRemote(remote)) {
        findings.push(
          finding(
            "warning",
            "refspec-of-another-remote",
            `${key}.fetch '${refspec.text}' ends in '${last}', not in the remote's name (was it renamed?)`,
            `git config --replace-all ${key}.fetch '${fetchRefspec(remote)}' '${asPattern(refspec.text)}'`,
          ),
        );
      }
    }
  }
  return [...findings, ...checkPush(config, remote)];
}

function checkPush(config: Config, remote: string): Finding[] {
  const key = `remote.${remote}`;
  if (config.getBoolean(`${key}.mirror`)) {
    return [
      finding(
        "error",
        "mirror-remote",
        `${key}.mirror is set: a plain git push there deletes every handoff that this clone does not have`,
        `git config --unset ${key}.mirror, unless it is a backup that nobody else pushes to`,
      ),
    ];
  }
  return config.getAll(`${key}.push`).flatMap((text) => {
    const refspec = parseRefspec(text);
    if (refspec === null || !refspec.forced || !reaches(refspec.target, OWN)) return [];
    return [
      finding(
        "error",
        "forced-push",
        `${key}.push '${text}' pushes handoffs by force: others' can be overwritten`,
        `git config --unset ${key}.push '${asPattern(text)}'`,
      ),
    ];
  });
}

/** Two remotes fetched into one place: each fetch with --prune takes away what the other brought. */
function checkShared(config: Config, remotes: readonly string[]): Finding[] {
  const owners = new Map<string, string[]>();
  for (const remote of remotes) {
    for (const text of new Set(config.getAll(`remote.${remote}.fetch`))) {
      const target = parseRefspec(text)?.target ?? "";
      if (target.startsWith(TRACKING)) owners.set(target, [...(owners.get(target) ?? []), remote]);
    }
  }
  return [...owners].flatMap(([target, names]) =>
    names.length < 2
      ? []
      : [
          finding(
            "error",
            "refspec-shared",
            `${names.join(" and ")} are fetched into one place (${target}): what one brings, the other's --prune takes away`,
            `give each its own: ${names.map(fetchRefspec).join(", ")}`,
          ),
        ],
  );
}

function checkDropped(config: Config, record: InstallRecord): Finding[] {
  return record.config.flatMap(({ key, value }) => {
    if (!key.startsWith("remote.") || config.getAll(key).includes(value)) return [];
    const name = key.slice("remote.".length, -".fetch".length);
    if (config.getAll(`remote.${name}.url`).length === 0) return [];
    return [
      finding(
        "warning",
        "refspec-dropped",
        `${key} no longer has '${value}' (git remote set-branches drops it): a plain fetch brings no handoffs`,
        "git handoff install",
      ),
    ];
  });
}

function parseRefspec(text: string): Refspec | null {
  if (text.startsWith("^")) return null;
  const forced = text.startsWith("+");
  const [source = "", target = source] = (forced ? text.slice(1) : text).split(":");
  return { text, forced, source, target };
}

/** Can a refspec's side name something below `prefix`? */
function reaches(side: string, prefix: string): boolean {
  const star = side.indexOf("*");
  const fixed = star < 0 ? side : side.slice(0, star);
  return fixed.startsWith(prefix) || (star >= 0 && prefix.startsWith(fixed));
}

/** As a pattern for `git config --unset`. */
function asPattern(text: string): string {
  return `^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
}
