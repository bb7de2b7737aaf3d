/** The `written` time: read without the machine's own zone having a say, written in it. */

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?[ ]?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/** What we write ourselves, on a day that every month has: Date.parse takes it as it is. */
const PLAIN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Milliseconds since 1970 of an ISO 8601 time; null when it is none. A time without an offset is taken as UTC,
 * so that the same document has the same id on every machine.
 */
export function writtenTime(written: string): number | null {
  const known = times.get(written);
  if (known !== undefined) return known;
  if (PLAIN.test(written)) return remember(written, Date.parse(written));
  const match = ISO.exec(written.trim());
  if (!match) return null;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "0", zone = "Z"] = match;
  const millis = `${fraction}00`.slice(0, 3);
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`);
  // Date.parse accepts 31 February; what does not read back the same is no date.
  if (Number.isNaN(time) || new Date(time).getUTCDate() !== Number(day)) return null;
  const offset = offsetMinutes(zone);
  return offset === null ? null : time - offset * 60_000;
}

/** Sorting asks for each time, and saying how long ago it was asks again: of thousands that shows. */
const times = new Map<string, number>();
const MAX_REMEMBERED = 10_000;

function remember(written: string, time: number): number {
  if (times.size < MAX_REMEMBERED) times.set(written, time);
  return time;
}

/** True for an ISO 8601 date and time that says its offset from UTC. */
export function hasOffset(written: string): boolean {
  const match = ISO.exec(written.trim());
  return match?.[4] !== undefined && match[8] !== undefined && writtenTime(written) !== null;
}

function offsetMinutes(zone: string): number | null {
  if (/^z$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** `yyyymmddThhmmssZ` in UTC, cut to seconds; all zeros when the time cannot be read or has no such form. */
export function idTime(written: string): string {
  const time = writtenTime(written);
  const text = time === null ? "" : new Date(time).toISOString();
  return /^\d{4}-/.test(text) ? `${text.slice(0, 19).replace(/[-:]/g, "")}Z` : "00000000T000000Z";
}

/** `2026-05-01T10:00:00+02:00`: a moment in this machine's zone, whole seconds. */
export function localTime(at: Date): string {
  const offset = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const minutes = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
