/** How a command ends when it does not end well; the edge (cli.ts) turns each into git's manner. */

/** `fatal: <message>` on stderr, exit code 128, as git's die() does. One line, no full stop. */
export class FatalError extends Error {
  override name = "FatalError";
}

/** There is no repository here, in git's own words. */
export class NoRepositoryError extends FatalError {
  override name = "NoRepositoryError";
}

/** Wrong usage: `error: <message>` and the command's usage on stderr, exit code 129. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A document that cannot be taken as it was given: as wrong usage, but what helps is the lines alone. */
export class DocumentError extends UsageError {
  override name = "DocumentError";
}

/** A negative answer: `<message>` on stderr, exit code 1. */
export class NegativeError extends Error {
  override name = "NegativeError";
}
