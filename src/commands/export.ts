/** `git handoff export --format <format> <id>`: writes a handoff in another tool's form. */
import { basename, dirname } from "node:path";
import { writtenTime } from "../document/time.js";
import { FatalError, UsageError } from "../errors.js";
import { placeExport } from "../formats/output.js";
import { EXPORT_FORMATS, type ExportFormat } from "../formats/types.js";
import { exportDocument } from "../formats/write.js";
import type { Repository } from "../git/repository.js";
import { findItem } from "../store/find.js";
import { readLog } from "../store/history.js";
import type { Item } from "../store/types.js";
import { writeOutput } from "../write/output.js";
import { textOf } from "./arguments.js";
import { openRepository, type Run, warn } from "./context.js";

export const run: Run = async (args, context) => {
  const format = EXPORT_FORMATS.find((name) => name === args.format);
  if (format === undefined) throw new UsageError(`say --format ${EXPORT_FORMATS.join(", ")}`);
  const repository = await openRepository(context);
  const branch = await repository.branch();
  const item = await findItem(repository.port(), String(args.id), { branch, pruned: true });
  if (item.document === null) throw new FatalError(`handoff '${item.handle}' is not readable`);
  const exported = exportDocument(item.document, format, {
    branch: item.branch,
    project: projectPath(repository),
    closed: await closedAt(repository, item),
  });
  const warnings = [...exported.warnings, ...notHeld(item, format)];
  const output = textOf(args.output);
  if (output === null) {
    context.stdout.write(exported.text);
  } else {
    const place = await placeExport(output, exported.name, {
      format,
      pushed: item.document.meta.delivery === "pushed",
      cwd: context.cwd,
    });
    const bytes = new TextEncoder().encode(exported.text);
    if (!(await place.holds(bytes))) await writeOutput(place.path, bytes, context.cwd);
    context.stdout.write(`Handoff exported: ${place.path}\n`);
    warnings.push(...place.warnings);
  }
  warn(context, warnings);
  return 0;
};

/** The main work tree's path, which is what the inbox document's files are kept under. */
function projectPath({ info }: Repository): string {
  return basename(info.commonDir) === ".git" ? dirname(info.commonDir) : (info.workTree ?? info.gitDir);
}

async function closedAt(repository: Repository, item: Item): Promise<string | null> {
  if (item.state !== "closed") return null;
  const events = await readLog(repository.port(), item.branch);
  const ended = events.filter(
    ({ event, ids, supersedes }) =>
      ((event === "close" || event === "import") && ids.includes(item.id)) || supersedes.includes(item.id),
  );
  const at = ended.at(-1);
  const [, told] = /closed (\d{4}\S*)/.exec(at?.reason ?? "") ?? [];
  return told ?? at?.date ?? item.document?.meta.written ?? "unknown";
}

/** What the format has no word for, or must be told a lie about. */
function notHeld({ state, document }: Item, format: ExportFormat): string[] {
  const warnings: string[] = [];
  if (state === "acked" && format === "inbox") {
    warnings.push("it is acknowledged here; there it is when its name is in .acked");
  } else if (state === "closed" && format !== "park") {
    warnings.push("it is closed here, for which the format has no word");
  }
  if (format === "evidence" && writtenTime(document?.meta.written ?? "") === null) {
    warnings.push("when it was written is not known; the format needs a time, so the file says 1970-01-01");
  }
  return warnings;
}
