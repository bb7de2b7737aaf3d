import { FatalError, UsageError } from "../errors.js";
import { userEnvironment } from "../git/environment.js";
import type { RunGit } from "../git/process.js";
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import { type AgentChange, setUpAgents } from "../install/agents/install.js";
import { type HookInstall, handoffFolder, installHook } from "../install/git-hook.js";
import { gitVersion } from "../install/git-version.js";
import { installGlobalHook } from "../install/global-hook.js";
import { type Probe, probeGlobalHook } from "../install/probe.js";
import { addRefspecs, type RemoteRefspec } from "../install/refspec.js";
import { goOn } from "../install/steps.js";
import type { Args, Context, Run } from "./context.js";

const CHECKED = "checked: git was asked to run it, and did";

export const run: Run = async (args, context) => {
  const agents = (args.agent as string[] | undefined) ?? [];
  if (agents.length > 0) return forAgents(agents, args, context);
  for (const flag of ["project", "user", "print", "remove"] as const) {
    if (args[flag]) throw new UsageError(`--${flag} needs --agent`);
  }
  if (args.global) return installForAll(Boolean(args.json), context);
  const repository = await Repository.open(context.cwd, context.env, execaGit());
  const fetch = args.fetch === false ? [] : await addRefspecs(repository, handoffFolder(repository), goOn);
  const hook = await installHook(repository, goOn);
  const partial = repository.info.partial && fetch.some((entry) => entry.state !== "skipped");
  if (args.json) {
    context.stdout.write(`${JSON.stringify({ hook: hookJson(hook), fetch, partial })}\n`);
  } else {
    for (const line of [...hookLines(hook), ...fetchLines(fetch, partial)]) context.stdout.write(`${line}\n`);
  }
  return report(hook, context);
};

function hookJson(hook: HookInstall): object {
  const { kind, path, probe, refusal, notes } = hook;
  return { kind, path, runs: probe.reached > 0, said: probe.said, refusal, notes };
}

function hookLines(hook: HookInstall): string[] {
  const how = {
    config: `hook: git runs it by its configuration (${hook.path})`,
    file: `hook: ${hook.path}`,
    other: `hook: ${hook.path} runs it`,
    refused: "hook: not installed",
  }[hook.kind];
  const checked = hook.probe.reached > 0 ? [CHECKED] : [];
  return [how, ...checked, ...hook.notes];
}

function fetchLines(fetch: readonly RemoteRefspec[], partial: boolean): string[] {
  const lines = fetch.map(({ remote, refspec, state, note }) => {
    if (state === "skipped") return `fetch: ${remote} is left alone: ${note}`;
    return `fetch: ${state === "added" ? "" : "already "}from ${remote} (${refspec})`;
  });
  return partial
    ? [
        ...lines,
        "fetch: in a partial clone a plain git fetch brings names only; git handoff fetch brings the text",
      ]
    : lines;
}

/** What went wrong, on stderr; the exit code. */
function report(hook: HookInstall, context: Context): number {
  if (hook.refusal !== null) {
    const { reason, file, lines } = hook.refusal;
    context.stderr.write(
      `error: no hook file of git handoff can go there: ${reason}\nadd to ${file}:\n\n${lines.map((line) => `    ${line}\n`).join("")}\nthen run git handoff install again\n`,
    );
    return 1;
  }
  return reached(hook.probe, context);
}

function reached(probe: Probe, context: Context): number {
  if (probe.reached > 0) return 0;
  const said = probe.said === null ? "" : ` (it said: ${probe.said})`;
  context.stderr.write(`error: git was asked to run the hook and did not reach it${said}\n`);
  return 1;
}

/** git on the user's behalf, in no particular repository. */
function gitOf(context: Context): RunGit {
  const git = execaGit();
  const env = userEnvironment(context.env);
  return (args, options) => git(args, { env, cwd: context.cwd, ...options });
}

async function installForAll(json: boolean, context: Context): Promise<number> {
  const run = gitOf(context);
  const version = await gitVersion(run);
  if (version === null) throw new FatalError("cannot tell git's version");
  const done = await installGlobalHook(run, version, context.env, goOn);
  const probe = await probeGlobalHook(run, context.env);
  if (json) context.stdout.write(`${JSON.stringify({ global: { ...done, runs: probe.reached > 0 } })}\n`);
  else {
    const how = done.added ? "" : "already ";
    context.stdout.write(
      `hook: git runs it in every repository (${done.folder}, ${how}included by ${done.file})\n`,
    );
    if (probe.reached > 0) context.stdout.write(`${CHECKED}\n`);
  }
  return reached(probe, context);
}

/** Settings, skill and extension of agents; the user's settings unless `--project` is said. */
async function forAgents(agents: string[], args: Args, context: Context): Promise<number> {
  if (args.project && args.user) throw new UsageError("--project and --user exclude each other");
  const names = agents.flatMap((name) => name.split(",")).filter((name) => name !== "");
  const project = args.project
    ? (await Repository.open(context.cwd, context.env, execaGit())).info.workTree
    : null;
  const changes = setUpAgents({
    agents: names,
    scope: args.project ? "project" : "user",
    remove: Boolean(args.remove),
    dry: Boolean(args.print),
    project,
    env: context.env,
  });
  if (args.json) context.stdout.write(`${JSON.stringify({ agents: changes })}\n`);
  else
    for (const line of changes.flatMap((change) => agentLines(change, Boolean(args.print))))
      context.stdout.write(`${line}\n`);
  if (args.print && !args.json) printTexts(changes, context);
  return 0;
}

function agentLines({ agent, changes, notes }: AgentChange, dry: boolean): string[] {
  const lines = changes.map(({ path, action, note }) => {
    const would = dry && (action === "written" || action === "removed") ? "would be " : "";
    return `${agent}: ${would}${action} ${path}${note ? ` (${note})` : ""}`;
  });
  return [...lines, ...notes.map((note) => `${agent}: ${note}`)];
}

function printTexts(changes: readonly AgentChange[], context: Context): void {
  for (const { path, text } of changes.flatMap((change) => change.changes)) {
    if (text !== null) context.stdout.write(`\n==> ${path}\n${text}`);
  }
}
