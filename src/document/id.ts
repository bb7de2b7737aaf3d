/** Names of documents: `<UTC time>-<slug>-<handle>`. */
import { idTime } from "./time.js";

const MAX_SLUG_BYTES = 60;
const SLUG_WORDS = 6;

/** Words that say nothing about what an intent is about. */
const INSIGNIFICANT = new Set(
  "a an and are as at be but by do for from has have in into is it its of on or our so than that the their then there these this to up was we were will with you your".split(
    " ",
  ),
);

/**
 * Kebab-case name of an intent: its first six significant words, NFC, lower case, letters, marks and digits
 * of any script, at most 60 bytes of UTF-8 cut at a character; `session` when nothing is left.
 */
export function slug(intent: string): string {
  const words = intent
    .normalize("NFC")
    .toLowerCase()
    .normalize("NFC")
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const significant = (words ?? []).filter((word) => !INSIGNIFICANT.has(word)).slice(0, SLUG_WORDS);
  return cutBytes(significant.join("-"), MAX_SLUG_BYTES).replace(/-+$/, "") || "session";
}

function cutBytes(text: string, limit: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** First seven hex of an object id: what a person types to name a document. */
export function handleOf(oid: string): string {
  return oid.slice(0, 7);
}

/**
 * The id under which a blob is stored.
 * @param written ISO 8601; a time that cannot be read gives `00000000T000000Z`
 * @param oid object id of the document's blob
 */
export function documentId(written: string, intent: string, oid: string): string {
  return `${idTime(written)}-${slug(intent)}-${handleOf(oid)}`;
}

/** Most names. The other form is made when first needed: it costs the hook half a millisecond. */
const PLAIN_NAME = /^(\d{8}T\d{6}Z)-([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)-([0-9a-f]{7})(?:\.md)?$/;
const anyName = (): RegExp =>
  /^(\d{8}T\d{6}Z)-([\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)-([0-9a-f]{7})(?:\.md)?$/u;
const MAX_NAME_LENGTH = 255;

/** The parts of an id or of a file name `<id>.md`; null when it is none. */
export function parseDocumentName(name: string): { time: string; slug: string; handle: string } | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  const match = PLAIN_NAME.exec(name) ?? anyName().exec(name);
  const [, time, words, handle] = match ?? [];
  return time && words && handle ? { time, slug: words, handle } : null;
}

/** Does this id end in this handle, and is it an id at all? */
export function belongsTo(id: string, handle: string): boolean {
  // Of most names that is told without taking them apart.
  return id.endsWith(`-${handle}`) && (PLAIN_NAME.test(id) || parseDocumentName(id)?.handle === handle);
}

/**
 * The items a user's text names: those with exactly this handle, else those with exactly this id, else those
 * of which it is a prefix. More than one = ambiguous.
 */
export function matchName<T extends { id: string; handle: string }>(items: readonly T[], text: string): T[] {
  const name = text.trim().normalize("NFC").replace(/\.md$/, "");
  if (name === "") return [];
  const hex = name.toLowerCase();
  const byHandle = items.filter((item) => item.handle === hex);
  if (byHandle.length > 0) return byHandle;
  const byId = items.filter((item) => item.id.normalize("NFC") === name);
  if (byId.length > 0) return byId;
  return items.filter((item) => item.handle.startsWith(hex) || item.id.normalize("NFC").startsWith(name));
}
