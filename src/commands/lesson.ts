/** `git handoff lesson <text>`: notes a lesson about how to work, apart from any handoff. */
import { UsageError } from "../errors.js";
import { noteLessons } from "../write/lessons.js";
import { redactionFor } from "../write/redaction.js";
import { listOf } from "./arguments.js";
import { openRepository, type Run, warn } from "./context.js";
import { sayNoted } from "./note-lessons.js";

export const run: Run = async (args, context) => {
  const text = listOf(args.text).join(" ").trim();
  if (text === "") throw new UsageError("no lesson: say it in a sentence");
  const repository = await openRepository(context);
  const branch = await repository.branch();
  const noted = await noteLessons(repository, [text], {
    branch: branch ?? "HEAD",
    now: context.now(),
    redaction: redactionFor(repository, args.redact !== false),
  });
  warn(context, noted.warnings);
  sayNoted(noted, context);
  return 0;
};
