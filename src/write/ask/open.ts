/** Which way of asking this terminal can do. */
import type { Context } from "../../context.js";
import { oneLine, stripText } from "../../document/strip.js";
import { wantsColor } from "../../terminal/color.js";
import type { Choice, Prompts } from "./prompts.js";

/** Drawn where the terminal can move its cursor; plain lines on one that cannot, or where a person asked for them. */
export async function openPrompts(context: Context): Promise<Prompts> {
  const { stdin, stdout, env } = context;
  const plain = env.TERM === "dumb" || !/^(?:0|false)?$/.test(env.ACCESSIBLE ?? "");
  if (plain) {
    const { plainPrompts } = await import("./plain.js");
    return stripped(plainPrompts(stdin, stdout));
  }
  const { drawnPrompts } = await import("./drawn.js");
  return stripped(drawnPrompts(stdin, (await wantsColor(context)) ? stdout : withoutColor(stdout)));
}

/** Much of what is shown was written by others: what could drive a terminal is taken out in one place. */
function stripped(prompts: Prompts): Prompts {
  const safe = <T extends string>(choices: readonly Choice<T>[]) =>
    choices.map(({ value, label }) => ({ value, label: oneLine(label) }));
  return {
    text: ({ question, hint, initial, ...rest }) =>
      prompts.text({
        ...rest,
        question: oneLine(question),
        ...(hint === undefined ? {} : { hint: oneLine(hint) }),
        ...(initial === undefined ? {} : { initial: oneLine(initial) }),
      }),
    choose: (question, choices, initial) => prompts.choose(oneLine(question), safe(choices), initial),
    key: (question, choices) => prompts.key(oneLine(question), safe(choices)),
    confirm: (question, initial) => prompts.confirm(oneLine(question), initial),
    say: (text) => prompts.say(stripText(text)),
    warn: (text) => prompts.warn(stripText(text)),
    show: (text) => prompts.show(stripText(text)),
    close: () => prompts.close(),
  };
}

/** The same terminal; Node's own styling, in some versions, colours all the same when it is told not to. */
function withoutColor(output: NodeJS.WriteStream): NodeJS.WriteStream {
  const plain: NodeJS.WriteStream = Object.create(output);
  plain.write = (text: string | Uint8Array) =>
    output.write(typeof text === "string" ? text.replace(/\x1b\[[0-9;]*m/g, "") : text);
  return plain;
}
