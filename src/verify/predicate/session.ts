/** What the predicates of one read share: the facts, the budget, files read once, git asked together. */
import type { Facts } from "../facts.js";
import { Budget } from "./budget.js";
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import { GitQuestions } from "./git-questions.js";
import { Content } from "./pattern/matcher.js";

/** An answer before negation. `gone`: there is nothing left to ask about, which fails either way. */
export interface Answer {
  value: boolean;
  /** What was found, for the note of a predicate that fails. */
  found: string;
  gone?: boolean;
}

export function gone(path: string): Answer {
  return { value: false, gone: true, found: `${quoted(path)} no longer exists` };
}

/** Bytes of file content kept for the other predicates. */
const MAX_KEPT = 32 << 20;
/** Bytes read for all predicates together. */
const MAX_READ = 128 << 20;
/** Bytes of one file that is searched. */
export const MAX_FILE = 8 << 20;

export class Session {
  readonly budget: Budget;
  readonly git: GitQuestions;
  private readonly contents = new Map<string, Promise<Content | null>>();
  private kept = 0;
  private total = 0;

  constructor(readonly facts: Facts) {
    this.budget = new Budget(facts.predicateTimeout, facts.deadline);
    this.git = new GitQuestions(facts, this.budget);
  }

  /** A file's content, read once. Throws CannotEvaluate. */
  async content(path: string, size: number): Promise<Content> {
    if (size > MAX_FILE) throw new CannotEvaluate(REASONS.fileSize);
    let content = this.contents.get(path);
    if (content === undefined) {
      this.total += size;
      if (this.total > MAX_READ) throw new CannotEvaluate("out-of-budget: more than 128 MiB to read");
      content = this.facts.tree.read(path).then((bytes) => (bytes === null ? null : new Content(bytes)));
      this.kept += size;
      if (this.kept <= MAX_KEPT) this.contents.set(path, content);
    }
    const read = await content;
    if (read === null) throw new CannotEvaluate(REASONS.unreadable);
    if (read.bytes.length > MAX_FILE) throw new CannotEvaluate(REASONS.fileSize);
    return read;
  }
}
