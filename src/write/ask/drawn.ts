/** Prompts as @clack/prompts draws them. */
import { confirm, isCancel, log, select, selectKey, text } from "@clack/prompts";
import { type Choice, Interrupted, type Prompts, problemWith, type TextQuestion } from "./prompts.js";

export function drawnPrompts(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Prompts {
  const put = async <T>(ask: (streams: Streams) => Promise<T | symbol>): Promise<T> => {
    const leaving = leaveAtEnd(input);
    try {
      const answer = await ask({ input, output, signal: leaving.signal });
      if (isCancel(answer)) throw new Interrupted();
      return answer as T;
    } finally {
      leaving.stop();
    }
  };
  return {
    async text(question: TextQuestion): Promise<string> {
      const answer = await put<string>((streams) =>
        text({
          ...streams,
          message: question.question,
          ...(question.hint === undefined ? {} : { placeholder: question.hint }),
          ...(question.initial === undefined ? {} : { initialValue: question.initial }),
          validate: (value) => problemWith(question, value ?? ""),
        }),
      );
      return answer.trim();
    },
    async choose<T extends string>(question: string, choices: readonly Choice<T>[], initial?: T): Promise<T> {
      const start = initial === undefined ? {} : { initialValue: initial as string };
      const options = choices.map(plainChoice);
      return choiceOf(
        choices,
        await put<string>((streams) => select({ ...streams, ...start, message: question, options })),
      );
    },
    async key<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T> {
      const options = choices.map(plainChoice);
      // Enter takes what is highlighted, the first; the library then answers nothing.
      const answer = await put<string | undefined>((streams) =>
        selectKey({ ...streams, message: question, options }),
      );
      return choiceOf(choices, answer ?? choices[0]?.value ?? "");
    },
    confirm: (question, initial) =>
      put<boolean>((streams) => confirm({ ...streams, message: question, initialValue: initial })),
    say: (message) => log.info(message, { output }),
    warn: (message) => log.warn(message, { output }),
    show: (message) => void output.write(`${message}\n`),
    close: () => {},
  };
}

interface Streams {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

function plainChoice({ value, label }: Choice<string>): Choice<string> {
  return { value, label };
}

function choiceOf<T extends string>(choices: readonly Choice<T>[], value: string): T {
  const choice = choices.find((each) => each.value === value);
  if (!choice) throw new TypeError(`no choice '${value}'`);
  return choice.value;
}

/** The library sees neither Ctrl-D nor the end of input: it would wait for ever, and Node would just stop. */
function leaveAtEnd(input: NodeJS.ReadStream): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const leave = () => controller.abort();
  const onKey = (_: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl && key.name === "d") leave();
  };
  input.on("keypress", onKey);
  input.once("end", leave);
  return {
    signal: controller.signal,
    stop() {
      input.off("keypress", onKey);
      input.off("end", leave);
    },
  };
}
