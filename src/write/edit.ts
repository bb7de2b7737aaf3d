/** From content to the editor and back: what comes out is checked, and never thrown away. */
import type { Context } from "../context.js";
import { redactText } from "../document/redact.js";
import { oneLine, stripText } from "../document/strip.js";
import type { HandoffDocument } from "../document/types.js";
import { FatalError, NegativeError, UsageError } from "../errors.js";
import type { Item } from "../store/types.js";
import { editText } from "./editor.js";
import { checkInput, type HandoffInput } from "./input.js";
import { keep } from "./kept.js";
import { type Making, make } from "./making.js";
import { OWN_KEYS } from "./own-keys.js";
import type { Content } from "./prepare.js";
import { formatTemplate, parseTemplate, withoutComments } from "./template.js";

export interface Editing {
  making: Making;
  /** The branch's open handoffs, oldest first. */
  open: readonly Item[];
  context: Context;
  /** Asked when the text cannot be used: edit it again? Absent: nobody to ask. */
  again?: (problems: readonly string[]) => Promise<boolean>;
}

export interface Edited {
  content: Content;
  /** What the editor left, to be kept should storing it fail. */
  text: string;
}

/**
 * Opens the editor on the content; an append is shown merged with what is open. Throws NegativeError when
 * nothing was said, FatalError when what was said cannot be used; it names where the text is kept.
 */
export async function editContent(given: Content, editing: Editing): Promise<Edited> {
  const { making } = editing;
  const base = await merged(given, editing);
  const template = formatTemplate(base.input, { delivery: making.delivery, notes: notesOf(base, making) });
  let text = template;
  for (;;) {
    text = await edit(text, base, editing);
    if (text === template && !hasIntent(base.input))
      throw new NegativeError("Aborting: the document was not edited.");
    try {
      const raw = parseTemplate(text);
      if (Object.keys(raw).length === 0) throw new NegativeError("Aborting: the document is empty.");
      const input = { ...hidden(base.input), ...checkInput(raw, null) };
      const content = { ...base, input };
      // What only the finished document can show to be wrong is shown while the text can still be edited.
      await make(making, content, content.mode === "write" ? [] : editing.open);
      return { content, text };
    } catch (error) {
      if (error instanceof NegativeError) throw error;
      if (!(error instanceof UsageError)) throw await lost(error, text, base, editing);
      text = await retry(text, error, base, editing);
    }
  }
}

async function edit(text: string, base: Content, editing: Editing): Promise<string> {
  const edited = await editText(text, editing.making.repository, editing.context);
  if (edited.problem === null) return edited.text;
  if (edited.text === text || edited.text.trim() === "") throw edited.problem;
  throw await lost(edited.problem, edited.text, base, editing);
}

/** The text to edit again, with what is wrong on top; throws when nobody wants to. */
async function retry(text: string, error: UsageError, base: Content, editing: Editing): Promise<string> {
  const problems = error.message.split("\n").map(oneLine);
  if (editing.again && (await editing.again(problems))) return withProblems(text, problems);
  const message = `the document cannot be used:\n  ${problems.join("\n  ")}`;
  throw await lost(new FatalError(message), text, base, editing);
}

const PROBLEM = "# PROBLEM: ";

/** Comments of the frontmatter, if there is any, else of the body. */
function withProblems(text: string, problems: readonly string[]): string {
  const clean = text
    .split("\n")
    .filter((line) => !line.startsWith(PROBLEM))
    .join("\n");
  const lines = problems.map((problem) => `${PROBLEM}${problem}\n`).join("");
  return /^---[ \t]*\r?\n/.test(clean)
    ? clean.replace(/\n/, () => `\n${lines}`)
    : `---\n${lines}---\n${clean}`;
}

/** The same error, saying where the text is kept. */
export async function lost(
  error: unknown,
  text: string,
  content: Content,
  { making, context }: Pick<Editing, "making" | "context">,
): Promise<Error> {
  const message = error instanceof Error ? error.message : String(error);
  const notice = await keptNotice(text, content, making, context);
  return error instanceof NegativeError
    ? new NegativeError(`${message}${notice}`)
    : new FatalError(`${message}${notice}`);
}

async function keptNotice(
  text: string,
  { mode }: Content,
  { redaction, branch, now }: Making,
  context: Context,
): Promise<string> {
  const bare = withoutComments(text);
  const redacted = await redactText(bare, await redaction(bare));
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const name = `${time}-${branch.replace(/[^\w.-]+/g, "-").slice(0, 60)}`;
  const path = keep("edited", name, new TextEncoder().encode(redacted.text), context.env);
  // What an append goes on from is in the text already.
  const flags = mode === "write" ? "" : " --overwrite";
  if (path !== null)
    return `\nThe text is kept in ${path}; to go on: git handoff write${flags} --edit --from ${path}`;
  context.stderr.write(`${stripText(redacted.text)}\n`);
  return "\nThe text is printed above.";
}

/** An append as the one document it will be, with its intent still to be said. */
async function merged(given: Content, { making, open }: Editing): Promise<Content> {
  if (given.mode !== "append" || open.length === 0 || given.carried.length > 0) return given;
  const input = { intent: "-", ...given.input };
  const { document } = await make(making, { ...given, input }, open);
  return {
    ...given,
    input: inputOf(document, given.input),
    carried: open.map(({ id }) => id),
    standing: document.meta.artifacts,
  };
}

/** Of the moment of writing: found anew, unless the caller said it. */
const OF_THE_MOMENT = [...OWN_KEYS, "supersedes"] as const;

/** What a document says, as input that says the same again. */
function inputOf({ meta, body }: HandoffDocument, given: HandoffInput): HandoffInput {
  const input: HandoffInput = { ...meta, body };
  for (const key of [...OF_THE_MOMENT, "intent"] as const) {
    if (given[key] === undefined) delete input[key];
    else Object.assign(input, { [key]: given[key] });
  }
  if (given.lessons) input.lessons = given.lessons;
  return input;
}

/** What the template does not show is kept as it was given. */
function hidden(input: HandoffInput): HandoffInput {
  const keys = [...OF_THE_MOMENT, "from"] as const;
  return Object.fromEntries(keys.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));
}

function hasIntent(input: HandoffInput): boolean {
  return typeof input.intent === "string" && input.intent.trim() !== "";
}

function notesOf({ mode, carried }: Content, { branch, delivery }: Making): string[] {
  const what = delivery === "pushed" ? "An inbox handoff" : "A handoff";
  return [
    `${what} for ${oneLine(branch)}. Lines like this one are left out; an empty document aborts.`,
    ...(mode === "append" ? [`It goes on from ${carried.join(", ")}.`] : []),
    ...(mode === "supersede" ? ["It replaces what is open, which will no longer be surfaced."] : []),
  ];
}
