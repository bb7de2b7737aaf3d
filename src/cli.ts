/** The command line: declares nothing itself (spec.ts does), and loads only the command that is called. */
import type { Context } from "./commands/context.js";
import type { Loaders } from "./commands/load.js";
import { commandOf, parseCall } from "./commands/usage/parse.js";
import { commandUsage, programUsage } from "./commands/usage/text.js";
import { EXIT, endingOf, isBrokenPipe } from "./edge.js";
import { FatalError } from "./errors.js";
import { interruptsHeld } from "./terminal/interrupt.js";

declare const __VERSION__: string;

const context: Context = {
  cwd: process.cwd(),
  env: process.env,
  // Node makes them when they are first asked for, which takes it milliseconds.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  now: () => new Date(),
};

async function main(argv: readonly string[], loaders: Loaders): Promise<number> {
  const [first] = argv;
  if (first === "--version") {
    context.stdout.write(`git-handoff version ${__VERSION__}\n`);
    return 0;
  }
  if (argv.length === 1 && (first === "-h" || first === "--help")) {
    context.stdout.write(programUsage());
    return first === "-h" ? EXIT.usage : 0;
  }
  const { command, args, help } = parseCall(argv);
  if (help) {
    context.stdout.write(commandUsage(command));
    return help === "usage" ? EXIT.usage : 0;
  }
  // `session-start` never comes here: git-handoff.ts starts the hook's own bundle for it.
  const loaded = await loaders[command.name]?.();
  if (!loaded) throw new FatalError(`'${command.name}' cannot be called like this`);
  return loaded.run(args, context);
}

function fail(error: unknown, argv: readonly string[]): number {
  const debug = (context.env.GIT_HANDOFF_DEBUG ?? "0") !== "0";
  const ending = endingOf(error, commandUsage(commandOf(argv)), debug);
  context.stderr.write(ending.message);
  return ending.code;
}

/** Runs what the command line of this process asks for. */
export function start(loaders: Loaders): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error) => {
      // The reader has gone (`git handoff log | head`): nothing to say, and nobody to say it to.
      process.exit(isBrokenPipe(error) ? EXIT.pipe : EXIT.fatal);
    });
  process.on("SIGINT", () => {
    if (!interruptsHeld()) process.exit(EXIT.interrupted);
  });
  const argv = process.argv.slice(2);
  process.on("uncaughtException", (error) => process.exit(fail(error, argv)));
  main(argv, loaders)
    .catch((error: unknown) => fail(error, argv))
    .then((code) => {
      process.exitCode = code;
    });
}
