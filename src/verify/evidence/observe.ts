/** Seeing evidence when it is written: without it a claim is not recorded as done. */
import { hashObject } from "../../git/object.js";
import { TooFarError } from "../budget.js";
import type { Facts } from "../facts.js";
import { Lines } from "./lines.js";
import { type Evidence, parseEvidence } from "./parse.js";
import { Sight, storedOf } from "./sight.js";

export interface Observation {
  exists: boolean;
  /**
   * Id of what was seen: blob, tree, blob of the lines, commit. Null for a URL and where git would run a
   * filter to tell.
   */
  oid: string | null;
  note: string | null;
}

/** What stands at that place now, for writing. Never throws for what it finds. */
export async function observeEvidence(evidence: string, facts: Facts): Promise<Observation> {
  const parsed = parseEvidence(evidence);
  if (parsed.kind === "none") return { exists: false, oid: null, note: parsed.note };
  if (parsed.kind === "url") return { exists: true, oid: null, note: null };
  try {
    const sight = await Sight.of([parsed], facts);
    if (parsed.kind === "commit") return observeCommit(parsed.commit, sight);
    const settled = sight.settle(parsed);
    return "path" in settled ? await observePath(settled, sight) : { exists: false, oid: null, note: null };
  } catch (error) {
    if (error instanceof TooFarError) return { exists: false, oid: null, note: "git took too long to tell" };
    throw error;
  }
}

function observeCommit(commit: string, sight: Sight): Observation {
  const resolved = sight.commits.get(commit) ?? { problem: "missing" };
  if ("oid" in resolved) return { exists: true, oid: resolved.oid, note: null };
  const note = resolved.problem === "ambiguous" ? "names more than one object" : "no such commit here";
  return { exists: false, oid: null, note };
}

async function observePath(evidence: Evidence & { path: string }, sight: Sight): Promise<Observation> {
  const absent = (note: string): Observation => ({ exists: false, oid: null, note });
  const unknown = (note: string): Observation => ({ exists: true, oid: null, note });
  const place = sight.placeOf(evidence.path);
  if (place.kind === "missing") return absent("no such file");
  if (place.kind === "unreadable") return place.here ? unknown(place.note) : absent(place.note);
  if (place.kind === "folder") {
    if (evidence.kind === "lines") return absent("a folder has no lines");
    if (place.oid !== null) return { exists: true, oid: place.oid, note: null };
    const id = sight.folders.get(place.path) ?? { missing: true };
    if ("oid" in id) return { exists: true, oid: id.oid, note: null };
    return "note" in id ? unknown(id.note) : absent("holds no files that git would store");
  }
  if (sight.facts.commit !== null && evidence.kind === "path") {
    return { exists: true, oid: place.oid, note: null };
  }
  const content = place.content ?? (await sight.read(evidence.path));
  if (content === null) return unknown("not downloaded");
  const stored = await storedOf(new Map([[place.path, content]]), sight);
  const kept = stored.get(place.path);
  if (!kept || "note" in kept) return unknown(kept?.note ?? "cannot be told");
  if (evidence.kind !== "lines") {
    return { exists: true, oid: hashObject("blob", kept.content, sight.format), note: null };
  }
  const lines = new Lines(kept.content, sight.format);
  const oid = lines.id(evidence.from, evidence.to);
  return oid === null ? absent(`has only ${lines.count} lines`) : { exists: true, oid, note: null };
}
