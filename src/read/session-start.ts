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
import { type Answers, parseAnswers, replay } from "./answers.js";
import { readBranch } from "./flow.js";
import { gatheredSource } from "./gathered.js";
import { isPipe, readSome, readStdin, writeOut } from "./hook-output.js";
import { alreadyShown } from "./shown.js";

/** Milliseconds to wait for the agent's JSON. */
const INPUT_WAIT = 1_000;
/** Milliseconds to wait for git's answers. */
const ANSWERS_WAIT = 3_000;
/** As hooks/post-checkout says it. */
const NOT_SHOWN = "A handoff is open here, but it could not be shown. See: git handoff read\n";
/** Bytes of it that are read. */
const MAX_INPUT = 1 << 20;

let owed = "";

/** What to say should the time run out: something is open, and not yet shown. Empty where that is not known. */
export function lastWords(): string {
  return owed;
}

/** Prints nothing where there is no repository or nothing open. `args` are those after the verb. */
export async function sessionStart(args: readonly string[]): Promise<void> {
  if (process.env.GIT_HANDOFF === "0") return;
  // The folder the agent names decides, not what a git around us happens to have exported.
  const env = elsewhereEnvironment(process.env);
  // Begun where we stand, which is where the agent works, before it has said so.
  const here = process.cwd();
  // (The program's first lines, a shell, may have done so: then the agent's words are on another descriptor.)
  const answered = args[0] === "--answered";
  const begun = answered ? piped(here, env) : gather(here, env);
  const request = sessionStartRequest(await readInput(answered ? 3 : 0), process.env, agentOf(args));
  if (request.silent) return;
  const cwd = request.cwd ?? here;
  const { answers, repository } = await (resolve(cwd) === here ? begun : gather(cwd, env));
  // Told apart from a shell that could not be asked: then git is asked for everything.
  if (answers?.length === 0) return;
  if (answers !== null) owed = envelope(request.harness, NOT_SHOWN);
  const known = answers === null ? undefined : parseAnswers(answers);
  const source = gatheredSource(await repository(known), known);
  const form = surfaceForm(await source.config());
  if (form === "off") {
    owed = "";
    return;
  }
  const report = await readBranch(source, { hook: true, known: known?.history, now: new Date() });
  if (surfaceText(report) === "") return;
  const start = { sessionId: request.sessionId, source: request.source };
  // What was just shown is not repeated; unread inbox handoffs always are.
  const shown = alreadyShown(start, process.env, Date.now())
    ? { ...report, handoffs: [], warnings: [], unread: [] }
    : report;
  const text = envelope(request.harness, surfaceText(shown, { limit: AGENT_LIMIT, form }));
  owed = "";
  writeOut(text);
}

function agentOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === "--agent" || arg.startsWith("--agent="));
  const arg = args[at];
  return arg === undefined || arg === "--agent" ? args[at + 1] : arg.slice("--agent=".length);
}

/** The agent's JSON as far as it comes in time; never waits for a terminal. */
async function readInput(fd: number): Promise<string> {
  if (!isPipe(fd)) return "";
  // An agent that leaves the pipe open has still said everything.
  const enough = (bytes: Buffer) => bytes.length > MAX_INPUT || isWhole(bytes.toString("utf8"));
  const bytes = fd === 0 ? await readStdin(INPUT_WAIT, enough) : await readSome(fd, INPUT_WAIT, enough);
  return bytes.toString("utf8");
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

interface Gathering {
  /** Empty: nothing is open; null: there is no such shell. */
  answers: Buffer | null;
  /** Rejects where there is none. */
  repository(known: Answers | undefined): Promise<Repository>;
}

/** Side by side: the logs by the hook's own shell, and by git where the repository is. */
async function gather(cwd: string, env: Environment): Promise<Gathering> {
  const opening = Repository.open(cwd, env, spawnGit());
  // What fails here is told when it is awaited, if ever.
  opening.then((opened) => opened.config()).catch(() => {});
  return { answers: await askShell(cwd, env), repository: () => opening };
}

/** What a shell has asked of git since before this process started. */
async function piped(cwd: string, env: Environment): Promise<Gathering> {
  return {
    answers: await readSome(0, ANSWERS_WAIT, () => false),
    repository: (known) =>
      Repository.open(cwd, env, known === undefined ? spawnGit() : replay(known, spawnGit())),
  };
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
