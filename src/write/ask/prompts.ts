/** Questions to a person at a terminal, whatever draws them. */
/** Ctrl-C, Escape or the end of input: the person has left. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

export interface TextQuestion {
  question: string;
  /** Shown where nothing is typed yet. */
  hint?: string;
  /** There to be changed, or taken as it is. */
  initial?: string;
  required?: boolean;
  /** What is wrong with the answer; undefined when nothing is. */
  check?: (answer: string) => string | undefined;
}

export interface Choice<T extends string> {
  value: T;
  label: string;
}

/** Every question rejects with Interrupted when the person leaves. */
export interface Prompts {
  /** Trimmed; empty when nothing was said. */
  text(question: TextQuestion): Promise<string>;
  choose<T extends string>(question: string, choices: readonly Choice<T>[], initial?: T): Promise<T>;
  /** Chosen by one key: each value is a letter. */
  key<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  confirm(question: string, initial: boolean): Promise<boolean>;
  say(text: string): void;
  warn(text: string): void;
  /** A long text as it stands, without decoration. */
  show(text: string): void;
  close(): void;
}

/** What is wrong with an answer, for every way of asking. */
export function problemWith(question: TextQuestion, answer: string): string | undefined {
  const said = answer.trim();
  if (said === "") return question.required ? "Needed: please say it in one short statement." : undefined;
  return question.check?.(said);
}
