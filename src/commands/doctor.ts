/** `git handoff doctor`: what is installed, and what looks wrong; exit 1 when something is an error. */
import { oneLine } from "../document/strip.js";
import { Repository } from "../git/repository.js";
import { execaGit } from "../git/run.js";
import { type Diagnosis, diagnose } from "../install/doctor/doctor.js";
import { type Run, writeJson } from "./context.js";

export const run: Run = async (args, context) => {
  const repository = await Repository.open(context.cwd, context.env, execaGit());
  const diagnosis = await diagnose(repository, context.env);
  if (args.json) writeJson(context, diagnosis);
  else context.stdout.write(`${lines(diagnosis).join("\n")}\n`);
  // As git fsck does.
  return diagnosis.findings.some(({ level }) => level === "error") ? 1 : 0;
};

function lines({ git, hook, agents, fetch, refs, findings }: Diagnosis): string[] {
  const tracking = Object.entries(refs.tracking).map(([remote, number]) => `${number} from ${remote}`);
  const manager = hook.manager === null ? "" : `, kept by ${hook.manager}`;
  return [
    `git: ${git.version}${git.configHooks ? "" : " (before 2.54: hooks are files)"}`,
    `hook: ${hook.installed.length > 0 ? hook.installed.join(", ") : "not installed"}${manager}`,
    `checked: git was asked to run it, and ${hook.runs ? "did" : "did not reach it"}`,
    ...(hook.kept === null ? [] : [`hook: runs ${hook.kept} first`]),
    `agents: ${agents.map(({ agent, scope }) => `${agent} (${scope})`).join(", ") || "none set up"}`,
    ...fetch.map(({ remote, present }) => `fetch: ${present ? "" : "not "}from ${remote}`),
    `refs: ${refs.own} written here${refs.writer === null ? "" : ` by ${refs.writer}`}, ${refs.others} of others, ${tracking.join(", ") || "none fetched"}`,
    // Names of refs and remotes are other people's words.
    ...findings.flatMap(({ level, message, remedy }) => [
      `${level}: ${oneLine(message)}`,
      ...(remedy === null ? [] : [`  -> ${oneLine(remedy)}`]),
    ]),
    ...(findings.length === 0 ? ["nothing looks wrong"] : []),
  ];
}
