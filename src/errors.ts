/** How a command ends when it does not end well; the edge (cli.ts) turns each into git's manner. */

/** `fatal: <message>` on stderr, exit code 128, as git's die() does. One line, no full stop. */
export class FatalError extends Error {
  override name = "FatalError";
}

/** Wrong usage: `error: <message>` and the command's usage on stderr, exit code 129. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A negative answer: `<message>` on stderr, exit code 1. */
export class NegativeError extends Error {
  override name = "NegativeError";
}
