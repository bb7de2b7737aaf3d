/** `--dry-run` of write and send: what would be stored, and every warning. */
import { oneLine, stripText } from "../document/strip.js";
import type { ObjectFormat } from "../git/port.js";
import { identify, type Prepared } from "../write/prepare.js";
import { type Args, type Context, warn, writeJson } from "./context.js";

export function showDryRun(
  prepared: Prepared,
  options: { format: ObjectFormat; warnings: readonly string[]; lessons: readonly string[] },
  args: Args,
  context: Context,
): number {
  const document = new TextDecoder().decode(prepared.bytes);
  if (args.json === true) {
    const { id, handle } = identify(prepared, options.format);
    const { warnings } = options;
    writeJson(context, { id, handle, ref: null, path: null, commit: null, warnings, document });
    return 0;
  }
  warn(context, options.warnings);
  for (const lesson of options.lessons) context.stderr.write(`would note the lesson: ${oneLine(lesson)}\n`);
  context.stdout.write(stripText(document));
  return 0;
}
