/** The one place where an error becomes a message and an exit code, in git's manner. */
import { stripText } from "./document/strip.js";
import { DocumentError, FatalError, NegativeError, UsageError } from "./errors.js";

export const EXIT = { negative: 1, fatal: 128, usage: 129, interrupted: 130, pipe: 141 } as const;

export interface Ending {
  code: number;
  /** For stderr, with its last newline; empty when there is nothing to say. */
  message: string;
}

/**
 * What an error says and exits with. Never a stack trace, unless `debug` asks for it. Messages name what
 * others wrote (branches, intents, git's own lines), so what could drive a terminal is taken out.
 * @param usage the usage of the command that was called; shown with wrong usage.
 */
export function endingOf(error: unknown, usage: string, debug: boolean): Ending {
  if (isBrokenPipe(error)) return { code: EXIT.pipe, message: "" };
  const trace = debug && error instanceof Error ? `${error.stack}\n` : "";
  const text = stripText(messageOf(error)).trimEnd();
  if (error instanceof DocumentError)
    return { code: EXIT.usage, message: `${trace}${text.replace(/^/gm, "error: ")}\n` };
  if (error instanceof UsageError) return { code: EXIT.usage, message: `${trace}error: ${text}\n${usage}` };
  if (error instanceof NegativeError)
    return { code: EXIT.negative, message: trace + (text === "" ? "" : `${text}\n`) };
  // What is said on purpose stays whole; what was not foreseen is kept to its first line.
  const line = error instanceof FatalError ? text : text.split("\n").find((each) => each.trim() !== "");
  return { code: EXIT.fatal, message: `${trace}fatal: ${line || "unknown error"}\n` };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What a disk that is full or a folder that cannot be written throws: in words, not in Node's codes.
  const { syscall, path } = error as NodeJS.ErrnoException;
  const [, reason] = /^E[A-Z0-9]+: (.*?), /.exec(error.message) ?? [];
  if (syscall === undefined || reason === undefined) return error.message;
  return `cannot ${syscall}${path === undefined ? "" : ` '${path}'`}: ${reason}`;
}

export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
