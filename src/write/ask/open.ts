/** Which way of asking this terminal can do. */
import type { Context } from "../../context.js";
import type { Prompts } from "./prompts.js";

/** Drawn where the terminal can move its cursor; plain lines on one that cannot, or where a person asked for them. */
export async function openPrompts({ stdin, stdout, env }: Context): Promise<Prompts> {
  const plain = env.TERM === "dumb" || !/^(?:0|false)?$/.test(env.ACCESSIBLE ?? "");
  if (plain) {
    const { plainPrompts } = await import("./plain.js");
    return plainPrompts(stdin, stdout);
  }
  const { drawnPrompts } = await import("./drawn.js");
  return drawnPrompts(stdin, stdout);
}
