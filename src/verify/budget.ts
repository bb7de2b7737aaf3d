/** Time for the questions asked of git, shared by all documents of a read. */
import type { GitResult, RunGit } from "../git/process.js";

/** The time is up, or git's answer was larger than what is looked at. */
export class TooFarError extends Error {
  override name = "TooFarError";
}

/** Bytes of one answer; a listing of about 300,000 commits. */
const MAX_ANSWER = 32 * 1024 * 1024;

export class Budget {
  constructor(
    private readonly git: RunGit,
    /** Absolute, as Date.now(). */
    private readonly until: number,
  ) {}

  /** A part of this budget: ends after `milliseconds`, or with the whole. */
  part(milliseconds: number): Budget {
    return new Budget(this.git, Math.min(this.until, Date.now() + milliseconds));
  }

  get left(): number {
    return this.until - Date.now();
  }

  /** Throws TooFarError when there is no time left, the time runs out, or the answer is too large. */
  async ask(args: readonly string[], input?: string): Promise<GitResult> {
    const timeout = this.left;
    if (timeout <= 0) throw new TooFarError();
    const result = await this.git(args, {
      timeout: Math.max(1, Math.floor(timeout)),
      maxBuffer: MAX_ANSWER,
      ...(input === undefined ? {} : { input }),
    });
    if (result.code === null) throw new TooFarError();
    return result;
  }
}

/** For `catch`: a value in place of an answer that took too long. */
export function ifTooFar<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof TooFarError) return value;
    throw error;
  };
}
