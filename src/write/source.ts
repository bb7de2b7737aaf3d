/** Where a document's content comes from: a file, stdin, flags, the editor. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Args, Context } from "../context.js";
import { FatalError, UsageError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import type { Surroundings } from "./compose.js";
import { mergeFlags } from "./flags.js";
import { type HandoffInput, parseInput } from "./input.js";

/** Bytes; a document may not be larger than this either. */
const INPUT_LIMIT = 1 << 20;

/** `--from`, then the flags, then (with `--edit`) the editor on what came together. */
export async function readInput(
  args: Args,
  context: Context,
  editing: { repository: Repository; place: Surroundings },
): Promise<HandoffInput> {
  const from = typeof args.from === "string" ? await readFrom(args.from, context) : {};
  const input = mergeFlags(from, args);
  if (args.edit !== true) return input;
  const { editInput } = await import("./editor.js");
  return editInput(input, { context, ...editing });
}

async function readFrom(from: string, context: Context): Promise<HandoffInput> {
  const source = from === "-" ? "stdin" : from;
  const bytes = from === "-" ? await buffer(context.stdin) : await readInputFile(from, context.cwd);
  if (bytes.length > INPUT_LIMIT) throw new UsageError(`${source}: larger than 1 MiB`);
  return parseInput(bytes.toString("utf8"), source);
}

async function readInputFile(path: string, cwd: string): Promise<Buffer> {
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FatalError(
      `cannot read '${path}': ${code === "ENOENT" ? "no such file" : code === "EISDIR" ? "is a folder" : message}`,
    );
  }
}
