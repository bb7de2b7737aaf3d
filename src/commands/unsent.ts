/** What send makes of a document that is addressed, fails to arrive, and is sent again. */
import { resolve } from "node:path";
import { formatDocument } from "../document/format.js";
import { parseDocument } from "../document/parse.js";
import { stripText } from "../document/strip.js";
import type { Frontmatter, HandoffDocument, Origin } from "../document/types.js";
import type { Identity } from "../git/port.js";
import type { Repository } from "../git/repository.js";
import { withoutCredentials } from "../git/url.js";
import { shellQuote } from "../install/shell.js";
import type { Destination } from "../sync/destination.js";
import { nameOfOrigin } from "../sync/origin-name.js";
import type { Surroundings } from "../write/compose.js";
import { keep, unsentBytes } from "../write/kept.js";
import { identify, type Prepared } from "../write/prepare.js";
import type { Args, Context } from "./context.js";

const UNKNOWN = "unknown";

/** The place of writing as the destination is to see it; null: it could not be asked. */
export async function addressTo(
  destination: Destination | null,
  here: Surroundings,
  repository: Repository,
): Promise<Surroundings> {
  const { commonDir, workTree, gitDir } = repository.info;
  const { from: _, ...rest } = here;
  const from: Origin = { repo: await nameOfOrigin(repository), git: here.git };
  // Only on this machine does a path lead anywhere.
  if (destination !== null && destination.commonDir !== null) from.project = workTree ?? gitDir;
  return {
    ...rest,
    project: destination?.project ?? UNKNOWN,
    repository: destination?.repository ?? UNKNOWN,
    git: destination?.git ?? UNKNOWN,
    dirtyFiles: [],
    session: { runtime: UNKNOWN, id: UNKNOWN, context: UNKNOWN },
    ...(destination?.commonDir === commonDir ? {} : { from }),
  };
}

/**
 * A document kept by an earlier failure, as it was then; null when `--from` is none, anything is said beside it,
 * or it was for another place.
 * @param place null: the destination could not be asked
 */
export function preparedBefore(args: Args, context: Context, place: Surroundings | null): Prepared | null {
  if (typeof args.from !== "string" || args.edit === true) return null;
  if (CONTENT.some((name) => args[name] !== undefined)) return null;
  const bytes = unsentBytes(resolve(context.cwd, args.from), context.env);
  const document = bytes ? parseDocument(bytes).document : null;
  if (!bytes || !document) return null;
  const { task_key, project, repository } = document.meta;
  const same =
    place === null ||
    (task_key === place.branch && project === place.project && repository === place.repository);
  return same ? { document, bytes, warnings: [] } : null;
}

const CONTENT = [
  "intent",
  "goal",
  "summary",
  "state",
  "impact",
  "next",
  "pointer",
  "done",
  "unresolved",
  "breaking",
];

/** A document that did not arrive. */
export interface Unsent {
  prepared: Prepared;
  /** It was sent from where it is kept. */
  kept: boolean;
  /** null: it could not be asked. */
  destination: Destination | null;
}

/** Keeps the document and says how to send it again; where it cannot be kept, prints it. */
export function keptNotice(unsent: Unsent, args: Args, context: Context): string {
  const path = unsent.kept ? resolve(context.cwd, String(args.from)) : keepNow(unsent, context);
  if (path === null) return "\nThe document is printed above.";
  const branch = typeof args.branch === "string" ? [`--branch=${args.branch}`] : [];
  const words = ["send", withoutCredentials(String(args.repository)), ...branch, "--from", path];
  return `\nThe document is kept; to send it again: git handoff ${words.map(word).join(" ")}`;
}

function keepNow({ prepared, destination }: Unsent, context: Context): string | null {
  const bytes = destination === null ? unaddressed(prepared.document) : prepared.bytes;
  const { id } = identify(prepared, destination?.objectFormat ?? "sha1");
  const path = keep("unsent", id, bytes, context.env);
  if (path === null) context.stdout.write(stripText(new TextDecoder().decode(bytes)));
  return path;
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}

/** Without what only the destination can tell: found when it is sent again. */
function unaddressed({ meta, body }: HandoffDocument): Uint8Array {
  const { project: _p, repository: _r, git: _g, ...rest } = meta;
  return new TextEncoder().encode(formatDocument({ meta: rest as Frontmatter, body }));
}

/** `Name <email>` as git takes it; what has no address gets an empty one. */
export function authorOf(text: string): Identity {
  const [, name = text, email = ""] = /^(.*?)\s*<([^<>]*)>\s*$/s.exec(text) ?? [];
  return { name: name.trim() || UNKNOWN, email };
}
