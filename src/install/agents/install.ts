/** `install --agent`: settings, skill and extension of each named agent. */
import { homedir } from "node:os";
import { join } from "node:path";
import { FatalError, UsageError } from "../../errors.js";
import type { Environment } from "../../git/environment.js";
import { readIfThere } from "../files.js";
import { packageRoot, piExtensionText, skillText } from "../package.js";
import { findHost, HOSTS, type Host, type Places, type Scope } from "./hosts.js";
import { type Change, type PlaceOptions, placeEntry, placeFile, takeEntry, takeFile } from "./place.js";
import { hasEntry, SettingsError } from "./settings.js";

export interface AgentChange {
  agent: string;
  scope: Scope;
  changes: Change[];
  notes: readonly string[];
}

export interface AgentRequest {
  agents: readonly string[];
  scope: Scope;
  remove: boolean;
  dry: boolean;
  /** Top of the work tree; null outside one. */
  project: string | null;
  env: Environment;
}

/** Throws UsageError for an unknown agent, FatalError (nothing written for that agent) for a broken file. */
export function setUpAgents(request: AgentRequest): AgentChange[] {
  const hosts = request.agents.map((name) => {
    const host = findHost(name);
    if (host) return host;
    throw new UsageError(`unknown agent '${name}': one of ${HOSTS.map((known) => known.name).join(", ")}`);
  });
  const places = placesOf(request);
  const options = { env: request.env, dry: request.dry };
  return hosts.map((host) => ({
    agent: host.name,
    scope: request.scope,
    changes: request.remove
      ? takeHost(host, request.scope, places, options)
      : placeHost(host, request.scope, places, options),
    notes: request.remove ? [] : host.notes,
  }));
}

function placesOf(request: AgentRequest): Places {
  if (request.scope === "project" && request.project === null) {
    throw new FatalError("--project needs a work tree: not in one here");
  }
  const home = request.env.HOME || homedir();
  if (!home) throw new FatalError("no home folder: set HOME");
  return { project: request.project, home, env: request.env };
}

function placeHost(host: Host, scope: Scope, places: Places, options: PlaceOptions): Change[] {
  const root = packageRoot();
  const changes: Change[] = [];
  if (host.settings && host.entry) {
    const path = host.settings(scope, places);
    const { entry } = host;
    changes.push(guarded(path, () => placeEntry(path, entry, options)));
  }
  if (host.extension) {
    changes.push(placeFile(host.extension(scope, places), piExtensionText(root), options));
  }
  changes.push(placeFile(join(host.skills(scope, places), "SKILL.md"), skillText(root), options));
  return changes;
}

/** In the order opposite to placing, so that each folder that was made is empty when its turn comes. */
function takeHost(host: Host, scope: Scope, places: Places, options: PlaceOptions): Change[] {
  const root = packageRoot();
  const skill = join(host.skills(scope, places), "SKILL.md");
  const user = HOSTS.find(
    (other) =>
      other !== host &&
      other.skills(scope, places) === host.skills(scope, places) &&
      isSetUp(other, scope, places),
  );
  const changes: Change[] = [
    user === undefined
      ? takeFile(skill, skillText(root), options)
      : { path: skill, action: "kept", text: null, note: `${user.name} uses it too` },
  ];
  if (host.extension) changes.push(takeFile(host.extension(scope, places), piExtensionText(root), options));
  if (host.settings && host.entry) {
    const path = host.settings(scope, places);
    const { entry } = host;
    changes.push(guarded(path, () => takeEntry(path, entry, options)));
  }
  return changes;
}

/** Has this agent our entry or extension in that scope? A file that cannot be read has not. */
export function isSetUp(host: Host, scope: Scope, places: Places): boolean {
  try {
    if (host.extension) return readIfThere(host.extension(scope, places)) !== null;
    if (!host.settings || !host.entry) return false;
    return hasEntry(readIfThere(host.settings(scope, places)) ?? "", host.entry);
  } catch {
    return false;
  }
}

function guarded(path: string, change: () => Change): Change {
  try {
    return change();
  } catch (error) {
    if (error instanceof SettingsError)
      throw new FatalError(`${path}: ${error.message}; it is left untouched`);
    throw error;
  }
}
