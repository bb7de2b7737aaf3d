/** The command line: declares nothing itself (spec.ts does), and loads only the command that is called. */
import type { Context, Run } from "./commands/context.js";
import type { CommandSpec } from "./commands/spec.js";
import { commandOf, parseCall } from "./commands/usage/parse.js";
import { commandUsage, programUsage } from "./commands/usage/text.js";
import { EXIT, endingOf, isBrokenPipe } from "./edge.js";
import { interruptsHeld } from "./terminal/interrupt.js";

declare const __VERSION__: string;

const context: Context = {
  cwd: process.cwd(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => new Date(),
};

/** Each command is a file of its own in the bundle (build.mjs), so only the one called is loaded. */
async function load(command: CommandSpec): Promise<Run> {
  const file = `./commands/${command.name}.js`;
  const { run } = (await import(file)) as { run: Run };
  return run;
}

async function main(argv: readonly string[]): Promise<number> {
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
  return (await load(command))(args, context);
}

function fail(error: unknown, argv: readonly string[]): number {
  const debug = (context.env.GIT_HANDOFF_DEBUG ?? "0") !== "0";
  const ending = endingOf(error, commandUsage(commandOf(argv)), debug);
  context.stderr.write(ending.message);
  return ending.code;
}

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
process.exitCode = await main(argv).catch((error: unknown) => fail(error, argv));
