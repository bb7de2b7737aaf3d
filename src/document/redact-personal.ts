/** Personal data by narrow rules: what is certainly an address, a phone or a card, and home folders. */
import type { Finding } from "./redact-rules.js";

/** Addresses that name nobody. */
const NOBODY =
  /@(?:[\w-]+\.)*(?:localhost|local|invalid)$|@users\.noreply\.|^(?:git|noreply|no-reply|donotreply|notifications?)@|\.(?:png|jpe?g|gif|svg|webp|js|ts|css|md|json)$/i;

/** `identities` (lower case) stay. */
export function findPersonal(text: string, identities: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  const add = (rule: string, start: number, length: number) =>
    findings.push({ rule, start, end: start + length });
  for (const match of text.matchAll(
    /(?<![\w.+@/-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}(?![\w@-])(?!:[^\s])/g,
  )) {
    if (!identities.has(match[0].toLowerCase()) && !NOBODY.test(match[0]))
      add("email", match.index, match[0].length);
  }
  for (const match of text.matchAll(
    /(?<![\w+.:/-])\+[1-9](?:\d{7,14}|\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,6})(?![\w-]|\.\d)/g,
  )) {
    const digits = match[0].replace(/\D/g, "").length;
    if (digits >= 9 && digits <= 15) add("phone", match.index, match[0].length);
  }
  for (const match of text.matchAll(/(?<![\w.#/+-])\d(?:[ -]?\d){12,18}(?![\w/-]|\.\d)/g)) {
    const digits = match[0].replace(/\D/g, "");
    if (isCard(digits, match[0])) add("card-number", match.index, match[0].length);
  }
  return findings;
}

const ISSUERS =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12})$/;

function isCard(digits: string, written: string): boolean {
  if (!ISSUERS.test(digits)) return false;
  // Written in groups as on a card, or as one number.
  if (/[ -]/.test(written) && !/^\d{4}([ -])\d{4,6}\1\d{4,5}(?:\1\d{1,4})?$/.test(written)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Home folders become `~`, whoever's they are. `home` is this user's own, wherever it lies. */
export function shortenHomes(text: string, home: string | null): string {
  let short = text;
  if (home !== null && home.length > 1)
    short = short
      .split(`${home}/`)
      .join("~/")
      .replaceAll(new RegExp(`${quoteRegExp(home)}(?![\\w.-])`, "g"), "~");
  return short
    .replace(/(?<![\w.~/-])\/(?:home|Users)\/(?!Shared\b)[A-Za-z0-9_][\w.-]*(?=[/\s"'`:;,)\]]|$)/g, "~")
    .replace(/(?<![\w])[A-Za-z]:\\Users\\(?!Public\b)[^\\/:*?"<>|\r\n]+(?=\\|$)/g, "~");
}

function quoteRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
