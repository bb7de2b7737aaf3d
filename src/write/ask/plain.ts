/** Prompts as plain lines, for terminals that cannot move their cursor and for screen readers. */
import { createInterface } from "node:readline";
import { holdInterrupts } from "../../terminal/interrupt.js";
import { type Choice, Interrupted, type Prompts, problemWith, type TextQuestion } from "./prompts.js";

/** One reader for all questions: what is typed ahead is not lost between two of them. */
class Lines {
  readonly #reader;
  readonly #release = holdInterrupts();
  readonly #waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  readonly #typed: string[] = [];
  #ended = false;

  constructor(input: NodeJS.ReadStream) {
    this.#reader = createInterface({ input, terminal: false });
    this.#reader.on("line", (line) => {
      const next = this.#waiting.shift();
      if (next) next.resolve(line);
      else this.#typed.push(line);
    });
    this.#reader.on("close", this.#end);
    process.on("SIGINT", this.#end);
  }

  readonly #end = (): void => {
    this.#ended = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new Interrupted());
  };

  next(): Promise<string> {
    const typed = this.#typed.shift();
    if (typed !== undefined) return Promise.resolve(typed);
    if (this.#ended) return Promise.reject(new Interrupted());
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  close(): void {
    process.off("SIGINT", this.#end);
    this.#release();
    this.#reader.close();
  }
}

export function plainPrompts(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Prompts {
  const lines = new Lines(input);
  const ask = async (question: string): Promise<string> => {
    output.write(`${question} `);
    return lines.next();
  };
  const oneOf = async <T extends string>(
    question: string,
    choices: readonly Choice<T>[],
    names: readonly string[],
    initial?: T,
  ): Promise<T> => {
    output.write(`${question}\n`);
    for (const [index, { label }] of choices.entries()) output.write(`  ${names[index]}) ${label}\n`);
    const standard = choices.findIndex(({ value }) => value === initial);
    const offer = standard < 0 ? names.join("/") : `${names.join("/")}, Enter for ${names[standard]}`;
    for (;;) {
      const answer = (await ask(`[${offer}]`)).trim().toLowerCase();
      const at = answer === "" ? standard : names.indexOf(answer);
      const chosen = choices[at] ?? choices.find(({ value }) => value === answer);
      if (chosen) return chosen.value;
      output.write(`One of: ${names.join(", ")}\n`);
    }
  };
  return {
    async text(question: TextQuestion): Promise<string> {
      const about = question.initial
        ? ` [${question.initial}; - for none]`
        : question.hint
          ? ` (${question.hint})`
          : "";
      for (;;) {
        const typed = (await ask(`${question.question}${about}:`)).trim();
        const answer = typed === "" ? (question.initial ?? "") : typed === "-" ? "" : typed;
        const problem = problemWith(question, answer);
        if (problem === undefined) return answer;
        output.write(`${problem}\n`);
      }
    },
    choose: (question, choices, initial) =>
      oneOf(
        question,
        choices,
        choices.map((_, index) => String(index + 1)),
        initial,
      ),
    key: (question, choices) =>
      oneOf(
        question,
        choices,
        choices.map(({ value }) => value),
      ),
    async confirm(question, initial): Promise<boolean> {
      for (;;) {
        const answer = (await ask(`${question} [${initial ? "Y/n" : "y/N"}]`)).trim().toLowerCase();
        if (answer === "") return initial;
        if (/^(?:y|yes|n|no)$/.test(answer)) return answer.startsWith("y");
      }
    },
    say: (text) => void output.write(`${text}\n`),
    warn: (text) => void output.write(`warning: ${text}\n`),
    show: (text) => void output.write(`${text}\n`),
    close: () => lines.close(),
  };
}
