/** `git handoff session-start`: an agent's JSON in, that agent's JSON or nothing out. On the hot path. */
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { type Environment, elsewhereEnvironment } from "../git/environment.js";
import { Repository } from "../git/repository.js";
import { spawnGit } from "../git/spawn.js";
import { surfaceForm } from "../surface/choice.js";
import { envelope } from "../surface/envelope.js";
import { sessionStartRequest } from "../surface/session-start.js";
import { AGENT_LIMIT, surfaceText } from "../surface/text.js";
import { parseAnswers } from "./answers.js";
import { readBranch } from "./flow.js";
import { gatheredSource } from "./gathered.js";
import { isPipe, writeOut } from "./hook-output.js";
import { alreadyShown } from "./shown.js";

/** Milliseconds to wait for the agent's JSON. */
const INPUT_WAIT = 1_000;
/** Characters of it that are read. */
const MAX_INPUT = 1 << 20;

/** Prints nothing where there is no repository or nothing open. `args` are those after the verb. */
export async function sessionStart(args: readonly string[]): Promise<void> {
  if (process.env.GIT_HANDOFF === "0") return;
  // The folder the agent names decides, not what a git around us happens to have exported.
  const env = elsewhereEnvironment(process.env);
  // Begun where we stand, which is where the agent works, before it has said so.
  const here = process.cwd();
  const begun = gather(here, env);
  const request = sessionStartRequest(await readInput(), process.env, agentOf(args));
  if (request.silent) return;
  const cwd = request.cwd ?? here;
  const { answers, repository } = await (resolve(cwd) === here ? begun : gather(cwd, env));
  // Told apart from a shell that could not be asked: then git is asked for everything.
  if (answers?.length === 0) return;
  const known = answers === null ? undefined : parseAnswers(answers);
  const opened = await repository;
  const source = gatheredSource(opened, known);
  const form = surfaceForm(await source.config());
  if (form === "off") return;
  const report = await readBranch(source, { hook: true, known: known?.history, now: new Date() });
  if (surfaceText(report) === "") return;
  const start = { sessionId: request.sessionId, source: request.source };
  // What was just shown is not repeated; unread inbox handoffs always are.
  const shown = alreadyShown(start, process.env, Date.now())
    ? { ...report, handoffs: [], warnings: [] }
    : report;
  writeOut(envelope(request.harness, surfaceText(shown, { limit: AGENT_LIMIT, form })));
}

function agentOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === "--agent" || arg.startsWith("--agent="));
  const arg = args[at];
  return arg === undefined || arg === "--agent" ? args[at + 1] : arg.slice("--agent=".length);
}

/** The agent's JSON as far as it comes in time; never waits for a terminal. */
function readInput(): Promise<string> {
  if (!isPipe()) return Promise.resolve("");
  return new Promise((done) => {
    let text = "";
    const timer = setTimeout(() => done(text), INPUT_WAIT);
    const end = () => {
      clearTimeout(timer);
      done(text);
    };
    process.stdin.setEncoding("utf8");
    process.stdin.on("data", (chunk: string) => {
      text += chunk;
      // An agent that leaves the pipe open has still said everything.
      if (text.length > MAX_INPUT || isWhole(text)) end();
    });
    process.stdin.on("end", end);
    process.stdin.on("error", end);
  });
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What is gathered side by side: the logs by the hook's own shell, and where the repository is by git. */
interface Gathering {
  /** Empty: nothing is open; null: there is no such shell. */
  answers: Buffer | null;
  repository: Promise<Repository>;
}

async function gather(cwd: string, env: Environment): Promise<Gathering> {
  const repository = Repository.open(cwd, env, spawnGit());
  // Both fail where there is no repository; that is told by awaiting it, if at all.
  repository.then((opened) => opened.config()).catch(() => {});
  return { answers: await askShell(cwd, env), repository };
}

function askShell(cwd: string, env: Environment): Promise<Buffer | null> {
  if (process.platform === "win32") return Promise.resolve(null);
  return new Promise((done) => {
    const script = join(__dirname, "../hooks/post-checkout");
    const child = spawn("sh", [script, "--answers"], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", () => done(null));
    child.on("close", (code) => done(code === 0 ? Buffer.concat(chunks) : null));
  });
}
