/** What checking may cost: time for one predicate, time for all, processes at once and in all. */
import { CannotEvaluate, REASONS } from "./cannot-evaluate.js";

/** Eight greps that each take two gigabytes would be sixteen. */
const AT_ONCE = 4;
/** Processes of one read that cannot be asked together with others. */
const IN_ALL = 40;

const OVER = "out-of-budget: the time for all checks was over";

export class Budget {
  private running = 0;
  private started = 0;
  private readonly waiting: (() => void)[] = [];

  /** `timeout` ms for one predicate, `deadline` absolute ms for all. */
  constructor(
    private readonly timeout: number,
    private readonly deadline: number,
  ) {}

  /** Absolute time until which a predicate that starts now may take. Throws when the time for all is over. */
  until(): number {
    const now = Date.now();
    if (now >= this.deadline) throw new CannotEvaluate(OVER);
    return Math.min(now + this.timeout, this.deadline);
  }

  /** Whether the time for all is over. */
  get over(): boolean {
    return Date.now() >= this.deadline;
  }

  /** The reason for stopping at `until`. */
  stopped(): CannotEvaluate {
    return new CannotEvaluate(this.over ? OVER : REASONS.timeout);
  }

  /** Runs one process when there is room; `work` gets the milliseconds it may take. Throws CannotEvaluate. */
  async process<T>(work: (timeout: number) => Promise<T>): Promise<T> {
    if (++this.started > IN_ALL) {
      throw new CannotEvaluate(`out-of-budget: more than ${IN_ALL} processes`);
    }
    return this.shared(work);
  }

  /** As `process`, for one that serves all predicates together. */
  async shared<T>(work: (timeout: number) => Promise<T>): Promise<T> {
    while (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running++;
    try {
      return await work(Math.max(1, this.until() - Date.now()));
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  /** Rejects when the time for all is over. `stop` takes the clock away. */
  alarm(): { rang: Promise<never>; stop: () => void } {
    let stop = (): void => {};
    const rang = new Promise<never>((_, reject) => {
      const timer = setTimeout(
        () => reject(new CannotEvaluate(OVER)),
        Math.max(0, Math.min(this.deadline - Date.now(), 2 ** 31 - 1)),
      );
      stop = () => clearTimeout(timer);
    });
    rang.catch(() => {});
    return { rang, stop };
  }
}
