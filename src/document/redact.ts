/**
 * Secrets and personal data are taken out before anything is stored. Best effort: a scanner, own rules for what it
 * misses, and narrow rules for people.
 */
import { findPersonal, shortenHomes } from "./redact-personal.js";
import { type Finding, findByForm } from "./redact-rules.js";
import type { HandoffDocument } from "./types.js";

export interface RedactOptions {
  /** False: keep what looks like a secret or like personal data. */
  redact: boolean;
  /** E-mail addresses of this history's people, which stay. */
  identities: readonly string[];
  /** The home folder, which becomes `~`; null when there is none. */
  home: string | null;
}

/** Keys whose values the tool makes or compares byte for byte; none of them is prose. */
const EXEMPT =
  /^(?:handoff|task_key|delivery|written|author|git|supersedes\[\d+\]|from\.(?:project|git)|artifacts\[\d+\]\.oid|rejections\[\d+\]\.kind|watches\[\d+\]\.(?:at|ref|until))$/;

interface Piece {
  place: string;
  text: string;
}

/** The document without secrets, and one warning per place and rule, never with the value. */
export async function redactDocument(
  document: HandoffDocument,
  options: RedactOptions,
): Promise<{ document: HandoffDocument; warnings: string[] }> {
  if (!options.redact) return { document, warnings: [] };
  const pieces: Piece[] = [];
  collect(document.meta, "", pieces);
  pieces.push({ place: "body", text: document.body });
  const { texts, warnings } = await redactPieces(pieces, options);
  const next = texts[Symbol.iterator]();
  const take = () => next.next().value ?? "";
  const meta = replace(document.meta, "", take) as HandoffDocument["meta"];
  return { document: { meta, body: take() }, warnings };
}

/** One text, as a lesson or a draft. `place` is named in the warnings. */
export async function redactText(
  text: string,
  options: RedactOptions & { place?: string },
): Promise<{ text: string; warnings: string[] }> {
  if (!options.redact) return { text, warnings: [] };
  const { texts, warnings } = await redactPieces([{ place: options.place ?? "text", text }], options);
  return { text: texts[0] ?? "", warnings };
}

/** Between pieces while they are scanned as one text: no rule reaches across it. */
const GAP = "\n\n\u0000\n\n";

async function redactPieces(
  pieces: readonly Piece[],
  options: RedactOptions,
): Promise<{ texts: string[]; warnings: string[] }> {
  const { findByScanner } = await import("./redact-scanner.js");
  const identities = new Set(options.identities.map((email) => email.toLowerCase()));
  const scanned = await findByScanner(pieces.map(({ text }) => text).join(GAP));
  const warnings: string[] = [];
  let offset = 0;
  const texts = pieces.map(({ place, text }) => {
    const end = offset + text.length;
    const inside = scanned
      .filter((finding) => finding.start >= offset && finding.end <= end)
      .map((finding) => ({ ...finding, start: finding.start - offset, end: finding.end - offset }));
    offset = end + GAP.length;
    const secrets = [...findByForm(text), ...inside];
    // A URL's password and its host look like an address.
    const personal = findPersonal(text, identities).filter(
      ({ start }) => !secrets.some((secret) => secret.start === start),
    );
    const findings = merge([...secrets, ...personal]);
    for (const rule of new Set(findings.map((finding) => finding.rule)))
      warnings.push(`redacted in ${place}: ${rule}`);
    return shortenHomes(apply(text, findings), options.home);
  });
  return { texts, warnings };
}

/** In order and apart; of overlapping ones all that either covers, under the first one's rule. */
function merge(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Finding[] = [];
  for (const finding of sorted) {
    const last = merged.at(-1);
    if (last && finding.start < last.end) last.end = Math.max(last.end, finding.end);
    else merged.push({ ...finding });
  }
  return merged;
}

function apply(text: string, findings: readonly Finding[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, rule } of findings) {
    result += `${text.slice(at, start)}[REDACTED:${rule}]`;
    at = end;
  }
  return result + text.slice(at);
}

/** Every text of a value with its key path, in a fixed order. */
function collect(value: unknown, place: string, pieces: Piece[]): void {
  if (typeof value === "string") {
    if (!EXEMPT.test(place)) pieces.push({ place, text: value });
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) collect(entry, `${place}[${index}]`, pieces);
  } else if (value !== null && typeof value === "object") {
    for (const [key, entry] of Object.entries(value))
      collect(entry, place === "" ? key : `${place}.${key}`, pieces);
  }
}

/** The same walk, each text replaced by the next of `take`. */
function replace(value: unknown, place: string, take: () => string): unknown {
  if (typeof value === "string") return EXEMPT.test(place) ? value : take();
  if (Array.isArray(value)) return value.map((entry, index) => replace(entry, `${place}[${index}]`, take));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        key,
        replace(entry, place === "" ? key : `${place}.${key}`, take),
      ]),
    );
  }
  return value;
}
