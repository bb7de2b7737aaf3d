/** `git handoff write` where a person answers: questions, the editor, or a choice about what is open. */
import type { Args, Context } from "../context.js";
import { oneLine } from "../document/strip.js";
import { NegativeError } from "../errors.js";
import type { Repository } from "../git/repository.js";
import { OpenHandoffError } from "../store/errors.js";
import type { Item } from "../store/types.js";
import { askMode } from "../write/ask/existing.js";
import { hasUnknownKinds, reclassify } from "../write/ask/kinds.js";
import { openPrompts } from "../write/ask/open.js";
import { Interrupted, type Prompts } from "../write/ask/prompts.js";
import { editContent, lost } from "../write/edit.js";
import { openHandoffsOf } from "../write/existing.js";
import { interview } from "../write/interactive.js";
import type { Making, Target } from "../write/making.js";
import { type Content, contentOf, type WriteMode } from "../write/prepare.js";
import { readInput } from "../write/source.js";
import { finish } from "./finish-write.js";

/** As a shell reports a program that Ctrl-C ended. */
const INTERRUPTED = 130;

export interface PersonWrite {
  args: Args;
  context: Context;
  repository: Repository;
  target: Target;
  begin: () => Promise<Making>;
  mode: WriteMode;
  /** The command line says something of the content. */
  asked: boolean;
  /** There is somebody to ask; else only the editor is opened. */
  terminal: boolean;
}

export async function writeWithPerson(write: PersonWrite): Promise<number> {
  try {
    return await (write.asked ? writeGiven(write) : writeAsked(write));
  } catch (error) {
    if (error instanceof Interrupted) return INTERRUPTED;
    throw error;
  }
}

async function writeAsked({ args, context, repository, target, begin, mode }: PersonWrite): Promise<number> {
  const open = await openHandoffsOf({ repository, ...target });
  const { content, making, told, draft } = await interview(begin, open, mode, context);
  const finishing = { args, context, warnings: [], told };
  try {
    const code = await finish(content, making, finishing);
    if (args["dry-run"] !== true) await draft.remove();
    return code;
  } catch (error) {
    const kept = "The answers are kept, and offered again by git handoff write.";
    context.stderr.write(`${kept}\n`);
    throw error;
  }
}

async function writeGiven(write: PersonWrite): Promise<number> {
  const { args, context, repository, target, begin } = write;
  const edit = args.edit === true;
  const { input, warnings } = await readInput(args, context, { intent: !edit });
  const settled = await settle(contentOf(input, write.mode), write);
  const making = await begin();
  if (!edit) return finish(settled, making, { args, context, warnings, told: [] });
  const open = await openHandoffsOf({ repository, ...target });
  const again = write.terminal ? (problems: readonly string[]) => askAgain(problems, context) : null;
  const editing = { making, open, context, ...(again === null ? {} : { again }) };
  const { content, text } = await editContent(settled, editing);
  try {
    const known = await withPrompts(write, content, (prompts) => classified(content, prompts));
    return await finish(known, making, { args, context, warnings, told: [] });
  } catch (error) {
    const cause = error instanceof Interrupted ? new NegativeError("Stopped.") : error;
    throw await lost(cause, text, content, { making, context });
  }
}

/** What has to be asked before anything is made of the content. */
async function settle(content: Content, write: PersonWrite): Promise<Content> {
  const { args, repository, target, terminal } = write;
  const stored = args["dry-run"] !== true && args.output === undefined;
  const open = stored && content.mode === "write" ? await openHandoffsOf({ repository, ...target }) : [];
  if (open.length > 0 && !terminal) throw new OpenHandoffError(target.branch, open);
  if (open.length === 0 && !hasUnknownKinds(content.input)) return content;
  return withPrompts(write, content, async (prompts) => {
    const mode = open.length > 0 ? await modeFor(open, prompts) : content.mode;
    return classified({ ...content, mode }, prompts);
  });
}

async function modeFor(open: readonly Item[], prompts: Prompts): Promise<WriteMode> {
  const mode = await askMode(open, prompts);
  if (mode === null) throw new NegativeError("Nothing written.");
  return mode;
}

async function classified(content: Content, prompts: Prompts): Promise<Content> {
  return hasUnknownKinds(content.input)
    ? { ...content, input: await reclassify(content.input, prompts) }
    : content;
}

async function withPrompts(
  { terminal, context }: PersonWrite,
  content: Content,
  ask: (prompts: Prompts) => Promise<Content>,
): Promise<Content> {
  if (!terminal) return content;
  const prompts = await openPrompts(context);
  try {
    return await ask(prompts);
  } finally {
    prompts.close();
  }
}

async function askAgain(problems: readonly string[], context: Context): Promise<boolean> {
  const prompts = await openPrompts(context);
  try {
    for (const problem of problems) prompts.warn(oneLine(problem));
    return await prompts.confirm("Edit it again?", true);
  } finally {
    prompts.close();
  }
}
