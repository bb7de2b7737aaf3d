/**
 * An installation is a row of steps, each done or not done. Whatever step it is stopped after, git's own
 * commands go on working: tests stop it after each.
 */
export interface Step {
  name: string;
  run(): void | Promise<void>;
}

/** Called before each step; what it throws stops the row, as a kill would. */
export type BeforeStep = (name: string) => void;

export async function runSteps(steps: readonly Step[], before: BeforeStep = () => {}): Promise<void> {
  for (const step of steps) {
    before(step.name);
    await step.run();
  }
}
