/** One handoff as the surface block. Source: the park document, section I, with what the other two add. Pure. */
import { oneLine } from "../document/strip.js";
import { type Block, fixed, type Piece } from "./block.js";
import { freshnessLine, short } from "./freshness.js";
import { block, clip, entry, section, text, toned } from "./lines.js";
import type { HandoffReport, RejectionReport } from "./report.js";
import { contentPieces } from "./work.js";

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
