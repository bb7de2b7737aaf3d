/** Where a document's content comes from: a file, stdin, flags. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Args, Context } from "../context.js";
import { FatalError } from "../errors.js";
import { mergeFlags } from "./flags.js";
import { checkInput, type HandoffInput, readDocument } from "./input.js";

export interface GivenInput {
  input: HandoffInput;
  warnings: string[];
}

/**
 * `--from`, then the flags, checked as one. Throws DocumentError naming everything that is wrong.
 * @param options.intent false: may still be missing, because the editor comes next
 */
export async function readInput(
  args: Args,
  context: Context,
  options: { intent: boolean } = { intent: true },
): Promise<GivenInput> {
  if (typeof args.from !== "string") {
    return { input: checkInput(mergeFlags({}, args), null, options), warnings: [] };
  }
  const source = args.from === "-" ? "stdin" : args.from;
  const bytes = args.from === "-" ? await buffer(context.stdin) : await readInputFile(args.from, context.cwd);
  const { raw, warnings } = readDocument(bytes, source);
  return { input: checkInput(mergeFlags(raw, args), source, options), warnings };
}

async function readInputFile(path: string, cwd: string): Promise<Buffer> {
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "no such file" : code === "EISDIR" ? "is a folder" : message;
    throw new FatalError(`cannot read '${path}': ${reason}`);
  }
}
