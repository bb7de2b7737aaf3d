/** Words for a POSIX shell. */

/** Quotes one word so that a POSIX shell takes it as it stands. Throws on a NUL, which no shell can hold. */
export function shellQuote(word: string): string {
  if (word.includes("\0")) throw new Error("a NUL cannot stand in a shell word");
  return `'${word.replaceAll("'", "'\\''")}'`;
}
