/** A watch for motion from outside: offered, never added unasked. Source: the park document, step 8. */
import { oneLine } from "../../document/strip.js";
import { localTime, writtenTime } from "../../document/time.js";
import type { Watch } from "../../document/types.js";
import type { Repository } from "../../git/repository.js";
import { ghEnvironment } from "../../verify/predicate/gh.js";
import { findProgram, runProgram } from "../../verify/predicate/program.js";
import type { Interview } from "./interview.js";

/** Milliseconds for asking which pull request is the branch's. */
const PATIENCE = 5_000;
const WEEK = 7 * 86_400_000;

export async function askWatch(interview: Interview): Promise<void> {
  const { prompts } = interview;
  if (!(await prompts.confirm("Watch for something from outside, and be told when it happens?", false)))
    return;
  const { repository, now } = interview.making;
  const request = await pullRequest(repository);
  const kind = await prompts.choose(
    "Watch what?",
    [
      ...(request === null
        ? []
        : [{ value: "pr" as const, label: `pull request #${request.pr} (${request.state})` }]),
      { value: "until" as const, label: "a date" },
      { value: "ref" as const, label: "a branch, tag or other ref that may move" },
    ],
    request === null ? "until" : "pr",
  );
  const watch: Watch | null =
    kind === "pr"
      ? request
      : kind === "until"
        ? { until: await askDate(interview, now) }
        : await askRef(interview);
  if (watch === null) return;
  const note = await prompts.text({ question: "A note for whoever is told?", hint: "Enter for none" });
  const watches = [...(interview.input.watches ?? []), note === "" ? watch : { ...watch, note }];
  await interview.take({ ...interview.input, watches });
}

async function askDate({ prompts }: Interview, now: Date): Promise<string> {
  return prompts.text({
    question: "Until which date?",
    initial: localTime(new Date(now.getTime() + WEEK)).slice(0, 10),
    required: true,
    check: (answer) => (writtenTime(answer) === null ? "A date, as 2026-06-01." : undefined),
  });
}

async function askRef({ prompts, making }: Interview): Promise<Watch | null> {
  for (;;) {
    const name = await prompts.text({ question: "Which ref?", hint: "origin/main" });
    if (name === "") return null;
    const watch = await refWatch(making.repository, name);
    if (watch !== null) return watch;
    prompts.warn(`No ref '${oneLine(name)}' here.`);
  }
}

/** The ref's whole name, so that it means the same to every reader, and where it stands now. */
async function refWatch(repository: Repository, name: string): Promise<Watch | null> {
  const { code, stdout } = await repository.safe([
    "rev-parse",
    "-q",
    "--verify",
    "--symbolic-full-name",
    "--end-of-options",
    name,
  ]);
  const ref = code === 0 ? stdout.toString("utf8").trim().split("\n").at(-1) : "";
  const at = await repository.resolve(ref || name);
  return ref?.startsWith("refs/") && at !== null ? { ref, at } : null;
}

/** The branch's pull request, if `gh` is here and knows one. */
async function pullRequest(repository: Repository): Promise<{ pr: number; state: string } | null> {
  const gh = findProgram("gh");
  if (gh === null) return null;
  const cwd = repository.info.workTree ?? repository.info.gitDir;
  const result = await runProgram(gh, ["pr", "view", "--json=number,state"], {
    cwd,
    env: ghEnvironment(),
    timeout: PATIENCE,
  });
  if (result.timedOut || result.code !== 0) return null;
  try {
    const { number, state } = JSON.parse(result.stdout) as { number?: unknown; state?: unknown };
    return Number.isInteger(number) && typeof state === "string"
      ? { pr: Number(number), state: oneLine(state) }
      : null;
  } catch {
    return null;
  }
}
