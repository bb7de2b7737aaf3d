/** Is the hook installed, by which way, and does git really run it? */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../../git/environment.js";
import type { Repository } from "../../git/repository.js";
import { HOOK_NAME, hasConfigHooks, INCLUDED } from "../config-hook.js";
import { isThere, readIfThere } from "../files.js";
import { handoffFolder, hooksFolders } from "../git-hook.js";
import { globalFolder, isGlobalInstalled } from "../global-hook.js";
import { findHookFiles, HOOK, KEPT } from "../hook-file.js";
import { findHooksFolder } from "../hooks-folder.js";
import { hookText, packageRoot } from "../package.js";
import { type Probe, probeHook } from "../probe.js";
import { type Finding, finding } from "./findings.js";

export interface HookSummary {
  /** How it is installed; `config` and `global` need git 2.54, `other` is a line in somebody's own hook. */
  installed: ("config" | "global" | "file" | "other")[];
  /** Did git reach it when asked? */
  runs: boolean;
  /** The hook files of ours. */
  files: string[];
  /** A hook of somebody's that ours runs first. */
  kept: string | null;
  hooksFolder: string;
  hooksPath: string | null;
  manager: string | null;
}

export async function checkHook(
  repository: Repository,
  env: Environment,
): Promise<{ hook: HookSummary; findings: Finding[] }> {
  const config = await repository.config();
  const version = await repository.version();
  const folder = await findHooksFolder(repository);
  const files = findHookFiles(folder.path);
  const kept = join(folder.path, KEPT);
  const elsewhere = (await hooksFolders(repository))
    .filter((other) => other !== folder.path)
    .flatMap(findHookFiles);
  const included = config.getAll("include.path");
  const probe = await probeHook(repository);
  const installed: HookSummary["installed"] = [];
  if (included.includes(INCLUDED)) installed.push("config");
  if (isGlobalInstalled(included, env)) installed.push("global");
  if (files.length > 0) installed.push("file");
  if (installed.length === 0 && probe.reached > 0) installed.push("other");
  const hook: HookSummary = {
    installed,
    runs: probe.reached > 0,
    files,
    kept: isThere(kept) ? kept : null,
    hooksFolder: folder.path,
    hooksPath: folder.configured,
    manager: folder.manager?.name ?? null,
  };
  const findings = [
    ...elsewhere.map((path) =>
      finding(
        hook.runs ? "note" : "error",
        "hook-elsewhere",
        `'${path}' is where git does not look: core.hooksPath is '${folder.configured}'`,
        "git handoff install",
      ),
    ),
    ...reachFindings(hook, probe, {
      configHooks: hasConfigHooks(version),
      enabled: config.getBoolean(`hook.${HOOK_NAME}.enabled`),
      wasInstalled: isThere(join(handoffFolder(repository), HOOK)),
    }),
    ...payloadFindings(repository, hook, env),
  ];
  if (env.GIT_HANDOFF === "0") {
    findings.push(finding("note", "turned-off", "GIT_HANDOFF=0 is set: the hooks show nothing"));
  }
  if (config.get("handoff.surface") === "off") {
    findings.push(finding("note", "turned-off", "handoff.surface is off: the hooks show nothing"));
  }
  if (!onPath("git-handoff", env)) {
    findings.push(
      finding(
        "warning",
        "not-on-path",
        "git-handoff is not on PATH: 'git handoff' and the agents' hooks do not find it",
        "npm install -g git-handoff",
      ),
    );
  }
  return { hook, findings };
}

function reachFindings(
  hook: HookSummary,
  probe: Probe,
  {
    configHooks,
    enabled,
    wasInstalled,
  }: { configHooks: boolean; enabled: boolean | undefined; wasInstalled: boolean },
): Finding[] {
  if (probe.reached > 1) {
    return [
      finding(
        "warning",
        "hook-runs-twice",
        `git runs the hook ${probe.reached} times (${hook.installed.join(", ")}): a handoff is shown as often`,
        "git handoff uninstall, then git handoff install",
      ),
    ];
  }
  if (hook.runs) return [];
  if (hook.installed.length === 0 && wasInstalled) {
    const who = hook.manager === null ? "something" : hook.manager;
    return [
      finding(
        "error",
        "hook-not-run",
        `installed, but ${who} has taken the hook's place since`,
        "git handoff install",
      ),
    ];
  }
  if (hook.installed.length === 0) {
    return [finding("note", "not-installed", "no hook is installed here", "git handoff install")];
  }
  if (enabled === false) {
    return [
      finding(
        "error",
        "hook-not-run",
        `hook.${HOOK_NAME}.enabled is false: git does not run the hook`,
        `git config --unset hook.${HOOK_NAME}.enabled`,
      ),
    ];
  }
  const old = !configHooks && !hook.installed.includes("file");
  const said = probe.said === null ? "" : ` (it said: ${probe.said})`;
  return [
    finding(
      "error",
      "hook-not-run",
      old
        ? "installed through git's configuration, which this git is too old for"
        : `installed, but git does not reach the hook${said}`,
      "git handoff install",
    ),
  ];
}

/** The hook that is run: of this version, and with paths that still lead somewhere? */
function payloadFindings(repository: Repository, hook: HookSummary, env: Environment): Finding[] {
  const findings: Finding[] = [];
  const folders = [
    ...(hook.installed.some((way) => way !== "global") ? [handoffFolder(repository)] : []),
    ...(hook.installed.includes("global") ? [globalFolder(env)] : []),
  ];
  for (const folder of folders) {
    const path = join(folder, HOOK);
    const text = readIfThere(path);
    if (text === null) {
      findings.push(finding("error", "hook-missing", `'${path}' is missing`, "git handoff install"));
    } else if (text !== hookText(packageRoot(), process.execPath)) {
      findings.push(
        finding(
          "note",
          "hook-of-another-version",
          `'${path}' was installed by another version or from another place`,
          "git handoff install",
        ),
      );
    }
  }
  return findings;
}

function onPath(program: string, env: Environment): boolean {
  return (env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      const path = join(folder, program);
      accessSync(path, constants.X_OK);
      return folder !== "" && statSync(path).isFile();
    } catch {
      return false;
    }
  });
}
