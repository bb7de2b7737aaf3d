/** Which words of a git predicate are revisions and which are paths. */
import { pathParts } from "../tree-path.js";
import { CannotEvaluate, quoted, REASONS } from "./cannot-evaluate.js";
import { isPlainRevision } from "./parse-git.js";
import { type Answer, gone, type Session } from "./session.js";
import type { GitOperands } from "./types.js";

/** Why an object that is not here says nothing. */
export function absent(name: string, session: Session): string {
  const { shallow, partial } = session.facts.repository;
  const why = shallow ? " (the clone is shallow)" : partial ? " (the clone is partial)" : "";
  return `${name} is not here${why}`;
}

/** Tells revisions from paths as git does: what names an object is a revision, the rest are paths. */
export async function sortOperands(
  operands: GitOperands,
  session: Session,
): Promise<{ revisions: { name: string; tree: string }[]; path: string | null }> {
  const revisions: { name: string; tree: string }[] = [];
  const paths = [...(operands.paths ?? [])];
  for (const [index, name] of operands.loose.entries()) {
    const tree = isPlainRevision(name) ? await session.git.object(treeOf(name)) : null;
    if (tree !== null) revisions.push({ name, tree });
    else if (operands.paths !== null) {
      if (!isPlainRevision(name)) throw new CannotEvaluate(`revision not accepted: ${quoted(name)}`);
      throw new CannotEvaluate(absent(quoted(name), session));
    } else {
      paths.push(...operands.loose.slice(index));
      break;
    }
  }
  if (paths.length > 1) throw new CannotEvaluate(REASONS.files);
  const [path] = paths;
  if (path === undefined) return { revisions, path: null };
  const parts = pathParts(path);
  if (parts === null) throw new CannotEvaluate(REASONS.outside);
  return { revisions, path: parts.join("/") };
}

/**
 * git reads its paths as patterns. One that stands for itself is asked as it is; of another, that nothing has this
 * name says nothing. Throws CannotEvaluate.
 */
export function refusePattern(path: string): void {
  if (path.startsWith(":") || /[*?[\\]/.test(path)) throw new CannotEvaluate(REASONS.pathspec);
}

/** Nothing has this name any more. Throws CannotEvaluate where it is a pattern. */
export function gonePath(path: string): Answer {
  refusePattern(path);
  return gone(path);
}

function treeOf(revision: string): string {
  // A path in a revision takes no suffix; it names a tree or a blob as it is.
  return revision.includes(":") ? revision : `${revision}^{tree}`;
}
