/** What a handoff says of the work: steps, what is done, what is open, where to look. Pure. */
import { oneLine } from "../document/strip.js";
import { type Cut, fixed, type Line, type Piece } from "./block.js";
import { short } from "./freshness.js";
import { clip, entry, inline, more, numbered, section, toned } from "./lines.js";
import type { ArtifactReport, HandoffReport, WatchReport } from "./report.js";

/** The short lists below the rejections; `place` is added to the rank of their cuts. */
export function contentPieces(handoff: HandoffReport, place: number): Piece[] {
  const { sections } = handoff;
  const shorten = (rank: number, keep: number): Cut => ({ rank: place + rank, how: "shorten", keep });
  const pieces = [
    section("Next steps", sections.next.map(numbered), { cuts: [clip(place + 50, 300), shorten(55, 3)] }),
    donePiece(handoff, [clip(place + 20, 200), shorten(25, 0)]),
    section(
      "Unresolved",
      handoff.unresolved.map((u) => [entry(u.kind, u.text, u.withdrawn)]),
      { cuts: [clip(place + 40, 300), shorten(45, 3)] },
    ),
    inline("Allowance", allowanceWords(handoff), [{ rank: place + 18, how: "drop" }]),
    section(
      "Watches that are due",
      handoff.watches.filter((w) => w.due === true).map((w) => [toned(`    ${watchWords(w)}`, "warn")]),
      { cuts: [clip(place + 60, 200), shorten(65, 3)] },
    ),
    inline("State", sections.state, [{ rank: place > 0 ? 5 : 4, how: "drop" }]),
    inline("Pointers", sections.pointers.join("\n"), [{ rank: place > 0 ? 2 : 1, how: "drop" }]),
  ].filter((piece) => piece.head.length + piece.entries.length > 0);
  // One empty line before the first of them; they are a run of short lists.
  return pieces.length === 0 ? [] : [fixed({ text: "" }), ...pieces];
}

function donePiece(handoff: HandoffReport, cuts: Cut[]): Piece {
  const counted = handoff.artifacts.filter((a) => a.withdrawn === null);
  if (handoff.artifacts.length === 0) return fixed();
  const verified = counted.filter((a) => a.verdict === "verified").length;
  const listed = handoff.artifacts.filter((a) => a.withdrawn !== null || a.verdict !== "verified");
  return {
    label: "Done",
    head: [{ text: `  Done: ${verified} of ${counted.length} verified` }],
    entries: listed.map((a) => [doneLine(a, handoff.from?.repo ?? null)]),
    foot: [],
    cuts,
    more,
  };
}

function doneLine(artifact: ArtifactReport, repo: string | null): Line {
  const verdict = artifact.withdrawn === null ? artifact.verdict : "withdrawn";
  const tone = verdict === "changed" || verdict === "missing" ? "warn" : "dim";
  const why = artifact.withdrawn === null ? "" : ` (withdrawn: ${oneLine(artifact.withdrawn)})`;
  return toned(
    `    ${verdict.padEnd(7)}  ${evidenceWords(artifact.evidence, repo)} — ${oneLine(artifact.claim)}${why}`,
    tone,
  );
}

/** Evidence of another repository carries that repository's name, so that nobody looks for it here. */
export function evidenceWords(evidence: string, repo: string | null): string {
  const shown = oneLine(evidence);
  return repo === null || /^[a-z][a-z0-9+.-]*:\/\//i.test(shown) ? shown : `${short(repo)}:${shown}`;
}

function allowanceWords(handoff: HandoffReport): string {
  const { allowance } = handoff;
  if (allowance === "unknown") return "";
  return Object.entries(allowance)
    .filter(([, value]) => value !== "unknown" && value !== null && value !== undefined)
    .map(([key, value]) => `${oneLine(key)}: ${scalarWords(value)}`)
    .filter((words) => !words.endsWith(": "))
    .join(", ");
}

function scalarWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(scalarWords).join(" ");
  return oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

/** What a watch waits for, with its notes. */
export function watchWords(watch: WatchReport): string {
  const what =
    watch.until !== undefined
      ? `until ${scalarWords(watch.until)}`
      : watch.ref !== undefined
        ? `ref ${scalarWords(watch.ref)}`
        : watch.pr !== undefined
          ? `PR ${scalarWords(watch.pr)}`
          : "watch";
  return watch.note ? `${what} — ${oneLine(watch.note)}` : what;
}
