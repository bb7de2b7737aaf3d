/** Checking evidence when it is read. */
import { hashObject, isOid } from "../../git/object.js";
import { ifTooFar } from "../budget.js";
import type { Facts } from "../facts.js";
import type { EvidenceVerdict } from "../verdict.js";
import type { Stored } from "./conversion.js";
import { Lines } from "./lines.js";
import { type Evidence, parseEvidence } from "./parse.js";
import type { Place } from "./places.js";
import { findRenames, listPaths } from "./renames.js";
import { Sight, storedOf } from "./sight.js";

/** A claim's evidence as a document has it. */
export interface Claimed {
  evidence: string;
  oid?: string;
  /** The document's `git`: from there git can tell where a file went. */
  since?: string;
}

export interface EvidenceResult {
  verdict: EvidenceVerdict;
  note: string | null;
}

function lineNumbers(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`;
}

/**
 * One verdict for each claim, in order. No process where all files are as they were, else a bounded number
 * whatever the number of claims. What does not fit into the time is `unchecked`.
 */
export async function checkEvidence(claims: readonly Claimed[], facts: Facts): Promise<EvidenceResult[]> {
  const parsed = claims.map(({ evidence }) => parseEvidence(evidence));
  const outOfTime = claims.map((): EvidenceResult => ({ verdict: "unchecked", note: "out of time" }));
  return judge(claims, parsed, facts).catch(ifTooFar(outOfTime));
}

async function judge(
  claims: readonly Claimed[],
  named: readonly Evidence[],
  facts: Facts,
): Promise<EvidenceResult[]> {
  const sight = await Sight.of(named, facts);
  const parsed = named.map((evidence) => sight.settle(evidence));
  const results = new Array<EvidenceResult | null>(claims.length).fill(null);
  /** Files whose bytes are not those written down: git may store others, or a filter may have been at work. */
  const differing = new Map<string, Uint8Array>();
  for (const [index, evidence] of parsed.entries()) {
    const { oid } = claims[index] ?? {};
    const result = await atFirstSight(evidence, oid, sight);
    if (result instanceof Uint8Array) {
      const place = "path" in evidence ? sight.placeOf(evidence.path) : null;
      if (place?.kind === "file") differing.set(place.path, result);
    } else results[index] = result;
  }
  const stored = await storedOf(differing, sight);
  for (const [index, evidence] of parsed.entries()) {
    if (results[index] !== null || !("path" in evidence)) continue;
    const place = sight.placeOf(evidence.path);
    const kept = place.kind === "file" ? stored.get(place.path) : undefined;
    results[index] = kept
      ? compareStored(kept, evidence, claims[index]?.oid ?? "", sight)
      : { verdict: "unchecked", note: "cannot be read" };
  }
  return explainMissing(
    claims,
    parsed,
    results.map((result) => result ?? { verdict: "unchecked", note: null }),
    sight,
  );
}

const MISSING: EvidenceResult = { verdict: "missing", note: null };
const VERIFIED: EvidenceResult = { verdict: "verified", note: null };
const unchecked = (note: string | null): EvidenceResult => ({ verdict: "unchecked", note });

/** A verdict, or the bytes of a file that are not those written down. */
async function atFirstSight(
  evidence: Evidence,
  oid: string | undefined,
  sight: Sight,
): Promise<EvidenceResult | Uint8Array> {
  if (evidence.kind === "none") return unchecked(evidence.note);
  if (evidence.kind === "url") return unchecked(null);
  if (evidence.kind === "commit") return judgeCommit(evidence.commit, oid, sight);
  const place = sight.placeOf(evidence.path);
  if (place.kind === "missing") return MISSING;
  if (place.kind === "unreadable") return unchecked(place.note);
  if (oid === undefined) return unchecked("no content id was written down");
  if (!isOid(oid, sight.format)) return unchecked("written down in a repository with another hash");
  if (place.kind === "folder") return judgeFolder(place, oid, sight);
  if (evidence.kind === "path") {
    if (place.oid === oid) return VERIFIED;
    return place.content ?? { verdict: "changed", note: null };
  }
  const content = place.content ?? (await sight.read(evidence.path));
  if (content === null) return unchecked("not downloaded");
  return findLines(content, evidence, oid, sight) ?? content;
}

function judgeFolder(place: Place & { kind: "folder" }, oid: string, sight: Sight): EvidenceResult {
  const id = place.oid === null ? sight.folders.get(place.path) : { oid: place.oid };
  if (id === undefined || "missing" in id) return MISSING;
  if ("note" in id) return unchecked(id.note);
  return id.oid === oid ? VERIFIED : { verdict: "changed", note: null };
}

function judgeCommit(commit: string, oid: string | undefined, sight: Sight): EvidenceResult {
  const resolved = sight.commits.get(commit) ?? { problem: "missing" };
  const { shallow, partial } = sight.facts.repository;
  if ("problem" in resolved) {
    if (resolved.problem === "ambiguous") return unchecked("names more than one object");
    if (shallow) return unchecked("not here (shallow clone): git fetch --unshallow");
    if (partial) return unchecked("not here (partial clone): git fetch --refetch");
    return { verdict: "missing", note: "no such commit here: git fetch" };
  }
  return oid === undefined || oid === resolved.oid ? VERIFIED : { verdict: "changed", note: null };
}

function findLines(
  content: Uint8Array,
  { from, to }: Evidence & { kind: "lines" },
  oid: string,
  sight: Sight,
): EvidenceResult | null {
  const length = to - from + 1;
  const at = new Lines(content, sight.format).find(oid, length, from);
  if (at === null) return null;
  return at === from ? VERIFIED : { verdict: "verified", note: `now at ${lineNumbers(at, at + length - 1)}` };
}

function compareStored(
  stored: Stored,
  evidence: Evidence & { path: string },
  oid: string,
  sight: Sight,
): EvidenceResult {
  if ("note" in stored) return unchecked(stored.note);
  const changed: EvidenceResult = { verdict: "changed", note: null };
  if (evidence.kind === "lines") return findLines(stored.content, evidence, oid, sight) ?? changed;
  return hashObject("blob", stored.content, sight.format) === oid ? VERIFIED : changed;
}

/** What is missing may have been renamed, or be left out of a sparse checkout. */
async function explainMissing(
  claims: readonly Claimed[],
  parsed: readonly Evidence[],
  results: readonly EvidenceResult[],
  sight: Sight,
): Promise<EvidenceResult[]> {
  const missing = parsed.flatMap((evidence, index) => {
    if (results[index]?.verdict !== "missing" || !("path" in evidence)) return [];
    const { oid, since } = claims[index] ?? {};
    return [{ path: evidence.path, oid: evidence.kind === "path" ? (oid ?? null) : null, since }];
  });
  if (missing.length === 0) return [...results];
  const listing = await listPaths(sight.facts, sight.budget);
  const renames = await findRenames(missing, listing, sight.facts, sight.budget);
  return Promise.all(
    results.map(async (result, index) => {
      const evidence = parsed[index];
      if (result.verdict !== "missing" || !evidence || !("path" in evidence)) return result;
      const kept = listing.sparse.get(evidence.path);
      if (kept !== undefined) {
        const oid = claims[index]?.oid;
        if (evidence.kind === "lines" || oid === undefined)
          return unchecked("left out by the sparse checkout");
        return kept === oid ? VERIFIED : { verdict: "changed", note: null };
      }
      const to = renames.get(evidence.path);
      const there = to !== undefined && (await sight.facts.tree.stat(to)).kind !== "missing";
      return there ? { verdict: "missing", note: `renamed to ${to}` } : result;
    }),
  );
}
