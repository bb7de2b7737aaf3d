/** The one place where an error becomes a message and an exit code, in git's manner. */
import { FatalError, NegativeError, UsageError } from "./errors.js";

export const EXIT = { negative: 1, fatal: 128, usage: 129, interrupted: 130, pipe: 141 } as const;

export interface Ending {
  code: number;
  /** For stderr, with its last newline; empty when there is nothing to say. */
  message: string;
}

/**
 * What an error says and exits with. Never a stack trace, unless `debug` asks for it.
 * @param usage the usage of the command that was called; shown with wrong usage.
 */
export function endingOf(error: unknown, usage: string, debug: boolean): Ending {
  const trace = debug && error instanceof Error ? `${error.stack}\n` : "";
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError)
    return { code: EXIT.usage, message: `${trace}error: ${message.trimEnd()}\n${usage}` };
  if (error instanceof NegativeError)
    return { code: EXIT.negative, message: `${trace}${message === "" ? "" : `${message.trimEnd()}\n`}` };
  if (isBrokenPipe(error)) return { code: EXIT.pipe, message: "" };
  return { code: EXIT.fatal, message: `${trace}fatal: ${oneLine(message, error)}\n` };
}

export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "EPIPE";
}

/** What we say on purpose stays as it is; an unforeseen error is kept to its first line. */
function oneLine(message: string, error: unknown): string {
  if (error instanceof FatalError) return message.trimEnd();
  return message.split("\n").find((line) => line.trim() !== "") ?? "unknown error";
}
