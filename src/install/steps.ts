/**
 * An installation is a row of steps, each done or not done. Whatever step it is stopped before, git's own
 * commands go on working: tests stop it before each.
 */

/** Called before each step with its name; what it throws stops the row there, as a kill would. */
export type BeforeStep = (name: string) => void;

export const goOn: BeforeStep = () => {};
