/** Which way of asking this terminal can do. */
import type { Context } from "../../context.js";
import { wantsColor } from "../../terminal/color.js";
import type { Prompts } from "./prompts.js";

/** Drawn where the terminal can move its cursor; plain lines on one that cannot, or where a person asked for them. */
export async function openPrompts(context: Context): Promise<Prompts> {
  const { stdin, stdout, env } = context;
  const plain = env.TERM === "dumb" || !/^(?:0|false)?$/.test(env.ACCESSIBLE ?? "");
  if (plain) {
    const { plainPrompts } = await import("./plain.js");
    return plainPrompts(stdin, stdout);
  }
  const { drawnPrompts } = await import("./drawn.js");
  return drawnPrompts(stdin, (await wantsColor(context)) ? stdout : withoutColor(stdout));
}

/** The same terminal; Node's own styling, in some versions, colours all the same when it is told not to. */
function withoutColor(output: NodeJS.WriteStream): NodeJS.WriteStream {
  const plain: NodeJS.WriteStream = Object.create(output);
  plain.write = (text: string | Uint8Array) =>
    output.write(typeof text === "string" ? text.replace(/\x1b\[[0-9;]*m/g, "") : text);
  return plain;
}
