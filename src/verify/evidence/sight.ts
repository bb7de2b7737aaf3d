/** What the places named by some evidence hold. */

import { Budget } from "../budget.js";
import type { Facts } from "../facts.js";
import { type Resolved, resolveCommits } from "../freshness/ancestry.js";
import { type Stored, storedContents } from "./conversion.js";
import { type FolderId, folderIds } from "./folder.js";
import type { Evidence } from "./parse.js";
import { lookAt, type Place } from "./places.js";

/** Everything the places named need, asked of git together. */
export class Sight {
  private constructor(
    readonly facts: Facts,
    readonly budget: Budget,
    readonly places: ReadonlyMap<string, Place>,
    readonly commits: ReadonlyMap<string, Resolved>,
    readonly folders: ReadonlyMap<string, FolderId>,
  ) {}

  static async of(evidence: readonly Evidence[], facts: Facts): Promise<Sight> {
    const budget = new Budget(facts.git, facts.deadline);
    const paths = evidence.flatMap((each) => {
      if (each.kind === "path") return [each.path];
      // A file may be called `a:1`.
      if (each.kind === "lines") return [each.path, literalName(each)];
      return [];
    });
    const commits = evidence.flatMap((each) => (each.kind === "commit" ? [each.commit] : []));
    const places = await lookAt([...new Set(paths)], facts, budget);
    const folders = [...places.values()].flatMap((place) =>
      place.kind === "folder" && place.oid === null ? [place.path] : [],
    );
    return new Sight(
      facts,
      budget,
      places,
      commits.length === 0 ? new Map() : await resolveCommits([...new Set(commits)], budget),
      await folderIds([...new Set(folders)], facts, budget),
    );
  }

  /** Lines of a file, unless that file is not there and one is called like the whole text (`a:1`). */
  settle(evidence: Evidence): Evidence {
    if (evidence.kind !== "lines" || this.placeOf(evidence.path).kind !== "missing") return evidence;
    const path = literalName(evidence);
    return this.placeOf(path).kind === "missing" ? evidence : { kind: "path", path };
  }

  placeOf(path: string): Place {
    return this.places.get(path) ?? { kind: "missing" };
  }

  /** Null also where git gives up on content that would have to be downloaded. */
  read(path: string): Promise<Uint8Array | null> {
    return this.facts.tree.read(path).catch(() => null);
  }

  get format() {
    return this.facts.repository.objectFormat;
  }
}

function literalName({ path, from, to }: Evidence & { kind: "lines" }): string {
  return from === to ? `${path}:${from}` : `${path}:${from}-${to}`;
}

/** In a commit content is as stored already. */
export async function storedOf(
  contents: ReadonlyMap<string, Uint8Array>,
  sight: Sight,
): Promise<Map<string, Stored>> {
  if (sight.facts.commit === null) return storedContents(contents, sight.budget);
  return new Map([...contents].map(([path, content]) => [path, { content }]));
}
