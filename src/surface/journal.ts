/** One handoff as the surface block. Source: the park document, section I, with what the other two add. Pure. */
import { oneLine, stripText } from "../document/strip.js";
import { type Block, type Cut, fixed, type Line, type Piece, type Tone } from "./block.js";
import { freshnessLine, short } from "./freshness.js";
import type { ArtifactReport, HandoffReport, RejectionReport, WatchReport } from "./report.js";

const NO_GOAL = "(omitted; recoverable from PR/ticket)";

/** What a block is called by the state its document is in. */
const TITLES = {
  open: "Open handoff detected for",
  inbox: "Inbox handoff for",
  closed: "Closed handoff for",
  acked: "Acknowledged handoff for",
};

/**
 * The block of one handoff. `older`: there is a newer open one above it, so that this one is cut earlier.
 */
export function journalBlock(handoff: HandoffReport, branch: string, older = false): Block {
  const place = older ? 0 : 100;
  const parts = [
    titlePiece(handoff, branch),
    section("Immediate next intent", [[text(handoff.intent)]], { blank: true, cuts: [clip(900, 500)] }),
    section("Active goal", [[text(handoff.goal ?? NO_GOAL)]], { blank: true, cuts: [clip(900, 500)] }),
    impactPiece(handoff),
    fixed(
      { text: "" },
      toned(
        `  Freshness: ${freshnessLine(handoff.freshness)}`,
        handoff.freshness.stale ? "alarm" : undefined,
      ),
    ),
    ...rejectionPieces(handoff, place),
    ...contentPieces(handoff, place),
    arrowPiece(handoff),
  ];
  return {
    pieces: parts,
    notice: (labels) =>
      toned(`  (cut to fit: ${labels.join(", ")}; the whole: git handoff show ${handoff.handle})`, "dim"),
    ...(older
      ? {
          instead: [
            { rank: 96, lines: [{ text: "" }, { text: olderLine(handoff) }] },
            { rank: 98, lines: [] },
          ],
        }
      : {}),
  };
}

function titlePiece(handoff: HandoffReport, branch: string): Piece {
  const by = `written ${short(handoff.written)} by ${short(handoff.author)}, ${short(handoff.harness)}`;
  const place = branch === "HEAD" ? "this repository" : short(branch, 256);
  const lines = [toned(`${TITLES[handoff.state]} ${place} (${by}).`, "title")];
  if (handoff.own === false) lines.push(toned("  Its author is not you.", "warn"));
  return fixed(...lines);
}

function olderLine(handoff: HandoffReport): string {
  return `Also open, cut to fit: ${short(handoff.intent, 80)} (git handoff show ${handoff.handle})`;
}

function arrowPiece(handoff: HandoffReport): Piece {
  const { stale } = handoff.freshness;
  const say = stale ? "STALE: confirm with the user before acting." : "Proceeding.";
  return fixed(
    { text: "" },
    toned(
      `  -> ${say} To re-examine the handoff later, run git handoff show ${handoff.handle}`,
      stale ? "alarm" : undefined,
    ),
  );
}

function impactPiece(handoff: HandoffReport): Piece {
  const { impact } = handoff.sections;
  if (impact === null) return fixed();
  return section("Impact here", [block(impact)], {
    blank: true,
    cuts: [{ rank: 950, how: "clip", width: 300, lines: 10 }],
  });
}

function rejectionPieces(handoff: HandoffReport, place: number): Piece[] {
  const { holding, shifted, noted } = partition(handoff.rejections);
  const origin = handoff.from === null ? "" : `${short(handoff.from.repo)}: `;
  return [
    section(
      "Holding (these gate this session — do not re-try without a stated reason)",
      holding.map((r) => [entry(r.kind, r.claim)]),
      {
        label: "Holding",
        blank: true,
        foot: [{ text: `    ... (${holding.length} holding)` }],
        cuts: [clip(place + 80, 300), { rank: place + 85, how: "shorten", keep: 3 }],
      },
    ),
    section(
      "Ground may have shifted (you may want to reconsider)",
      shifted.map((r) => [entry(r.kind, r.claim), toned(`      reason: ${reasonOf(r, origin)}`, "warn")]),
      {
        label: "Ground may have shifted",
        blank: true,
        foot: [{ text: `    ... (${shifted.length} surfaced)` }],
        cuts: [clip(place + 70, 300), { rank: place + 75, how: "shorten", keep: 3 }],
      },
    ),
    section(
      "Noted but not gating",
      noted.map((r) => [entry(r.kind, r.claim, r.withdrawn)]),
      { blank: true, cuts: [clip(place + 10, 200), { rank: place + 15, how: "drop" }] },
    ),
  ];
}

/** Which list of the block a rejection stands in. Source: the park document, read flow, step 4. */
export function partition(rejections: readonly RejectionReport[]): {
  holding: RejectionReport[];
  shifted: RejectionReport[];
  noted: RejectionReport[];
} {
  const noted = rejections.filter(
    (r) =>
      r.withdrawn !== null ||
      (r.low_info &&
        (r.verdict === "holds" || (r.verdict === "cannot-evaluate" && r.kind === "goal-conditional"))),
  );
  const rest = rejections.filter((r) => !noted.includes(r));
  return {
    holding: rest.filter((r) => r.verdict === "holds"),
    shifted: rest.filter((r) => r.verdict !== "holds"),
    noted,
  };
}

function reasonOf(rejection: RejectionReport, origin: string): string {
  const what = rejection.verdict === "fails" ? "predicate failed" : "cannot-evaluate";
  return `${what} — ${origin}${oneLine(rejection.note ?? "no reason given")}`;
}

function contentPieces(handoff: HandoffReport, place: number): Piece[] {
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

function entry(kind: string, claim: string, withdrawn: string | null = null): Line {
  const why = withdrawn === null ? "" : ` (withdrawn: ${oneLine(withdrawn)})`;
  return toned(`    [${oneLine(kind)}] ${oneLine(claim)}${why}`, withdrawn === null ? undefined : "dim");
}

function numbered(step: string, index: number): Line[] {
  const [first = "", ...rest] = block(step).map((line) => line.text.trimStart());
  return [{ text: `    ${index + 1}. ${first}` }, ...rest.map((line) => ({ text: `       ${line}` }))];
}

/** A list with a heading; nothing when it has no entries. */
function section(
  heading: string,
  entries: Line[][],
  options: { label?: string; blank?: boolean; foot?: Line[]; cuts: Cut[] },
): Piece {
  if (entries.length === 0) return fixed();
  const tone = heading.startsWith("Holding") ? "good" : heading.startsWith("Ground") ? "warn" : "title";
  return {
    label: options.label ?? heading,
    head: [...(options.blank ? [{ text: "" }] : []), toned(`  ${heading}:`, tone)],
    entries,
    foot: options.foot ?? [],
    cuts: options.cuts,
    more,
  };
}

/** One line after its heading, or several below it; nothing when it is empty. */
function inline(heading: string, value: string | null, cuts: Cut[]): Piece {
  const lines = value === null ? [] : block(value);
  const [only] = lines;
  if (only === undefined) return fixed();
  if (lines.length > 1) return section(heading, [lines], { cuts });
  return {
    label: heading,
    head: [{ text: `  ${heading}: ${only.text.trimStart()}` }],
    entries: [],
    foot: [],
    cuts,
  };
}

function more(gone: number): Line {
  return toned(`    ... (${gone} more cut)`, "dim");
}

/** Free text as indented lines, without empty ones at its ends. */
export function block(value: string, indent = "    "): Line[] {
  const lines = stripText(value).replace(/\r/g, "").split("\n");
  while (lines.length > 0 && lines[0]?.trim() === "") lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  return lines.map((line) => ({ text: line.trim() === "" ? "" : `${indent}${line.trimEnd()}` }));
}

function text(value: string): Line {
  return { text: `    ${oneLine(value)}` };
}

function clip(rank: number, width: number): Cut {
  return { rank, how: "clip", width, lines: 8 };
}

/** A line with a tone, if any. */
export function toned(value: string, tone: Tone | undefined): Line {
  return tone === undefined ? { text: value } : { text: value, tone };
}
