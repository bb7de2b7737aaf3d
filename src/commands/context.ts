import type { Args, Context } from "../context.js";

export type { Args, Context };

/** Every file in commands/ that is a verb exports this; it resolves to the exit code. */
export type Run = (args: Args, context: Context) => Promise<number>;
