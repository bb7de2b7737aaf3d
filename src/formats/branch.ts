/** Which branch a document belongs to, by what it says and by the branches there are. */
import { isBranchName, REPOSITORY_BRANCH } from "../store/names.js";
import { type BranchHint, NotTaken } from "./types.js";
import { parkKey } from "./write-park.js";

export interface Branches {
  /** What the user decided; null when nothing. */
  given: string | null;
  /** The one checked out; null when detached. */
  current: string | null;
  /** This clone's branches. */
  known: readonly string[];
  /** Branches that were only fetched, without their remote's name. */
  tracked: readonly string[];
}

/** Throws NotTaken where no branch can be told. */
export function branchFor(hint: BranchHint, branches: Branches): { branch: string; warnings: string[] } {
  if (branches.given !== null) return { branch: branches.given, warnings: [] };
  if (hint.kind === "repository") return { branch: REPOSITORY_BRANCH, warnings: [] };
  if (hint.kind === "branch") return { branch: hint.name, warnings: [] };
  if (hint.kind === "slug") return bySlug(hint.slug, branches);
  if (branches.current === null) throw new NotTaken("says no branch, and none is checked out: give --branch");
  return {
    branch: branches.current,
    warnings: [`says no branch; taken for the current one, ${branches.current}`],
  };
}

function bySlug(slug: string, branches: Branches): { branch: string; warnings: string[] } {
  const own = [...branches.known, ...(branches.current === null ? [] : [branches.current])];
  const written = (names: readonly string[]) => [...new Set(names)].filter((name) => parkKey(name) === slug);
  const matching = written(own).length > 0 ? written(own) : written(branches.tracked);
  const [only] = matching;
  if (matching.length === 1 && only !== undefined) return { branch: only, warnings: [] };
  if (!isBranchName(slug) || slug === REPOSITORY_BRANCH) {
    throw new NotTaken(`'${slug}' is no branch name: give --branch`);
  }
  if (matching.length === 0) {
    return { branch: slug, warnings: [`no branch is written ${slug}; taken for a branch of that name`] };
  }
  const branch = matching.includes(slug) ? slug : (only ?? slug);
  const others = matching.filter((name) => name !== branch).join(", ");
  return { branch, warnings: [`taken for ${branch}, but could be for ${others}: --branch decides`] };
}
