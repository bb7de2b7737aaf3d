/** Secrets that the scanner does not know, by their form. Each rule is narrow: a false alarm costs a note's meaning. */

import { PREFIXED } from "./redact-providers.js";

export interface Finding {
  /** Offsets into the text, end exclusive. */
  start: number;
  end: number;
  rule: string;
}

interface Rule {
  name: string;
  /** The secret is group `secret`, or the whole match. Global. */
  pattern: RegExp;
  /** More than the form: false keeps the text. */
  holds?: (secret: string, groups: Groups) => boolean;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Not inside a longer word. */
const word = (body: string, flags = "g") =>
  new RegExp(`(?<![A-Za-z0-9_-])(?:${body})(?![A-Za-z0-9_-])`, flags);

/** Names whose value is a secret even where it looks like a hash or an id. */
const STRONG_NAMES =
  "pass(?:word|wd|phrase)|secret|api[_-]?key|(?:secret|private|encryption|signing|master|shared|access|admin|license)[_-]?key(?:[_-]?base)?|client[_-]?secret|(?:auth|access|api|bot|deploy|gh|github|gitlab|npm)[_-]?token";
const NAMES = `${STRONG_NAMES}|passcode|token|(?:auth|account|storage|session|hmac)[_-]?key|credentials?`;
/** Names too short to count as the end of a longer word (compass, bypass). */
const SHORT_NAMES = "pass|pwd|pw";

const KEY = `(?<name>[A-Za-z0-9_.-]{0,40}?(?:${NAMES})|(?:[A-Za-z0-9_.-]{0,40}[_.-])?(?:${SHORT_NAMES}))`;
const VALUE = `(?:"(?<double>[^"\\n]{6,})"|'(?<single>[^'\\n]{6,})'|(?<secret>[^\\s"'\`,;)\\]}>]{6,}))`;

const RULES: readonly Rule[] = [
  {
    name: "private-key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{0,8000}?-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|(?:\r?\n[A-Za-z0-9+/=:,. -]{1,200})*)/g,
  },
  ...PREFIXED.map(([name, body]) => ({ name, pattern: word(body), holds: isNoStandIn })),
  {
    name: "url-password",
    pattern:
      /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@'"<>]{0,200}:(?<secret>[^\s/?#@'"<>]{1,500})@(?=[^\s@])/gi,
    holds: isNoBlank,
  },
  {
    name: "authorization",
    pattern:
      /\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|api-?key)\s+(?<secret>[A-Za-z0-9+/=_.~-]{12,})/gi,
    holds: isNoBlank,
  },
  {
    name: "authorization",
    pattern: /\bauthorization["']?\s*:\s*["']?(?<secret>[A-Za-z0-9+/=_.~-]{20,})/gi,
    holds: looksRandom,
  },
  {
    name: "private-key",
    pattern: /\bPrivate-Lines: \d{1,3}\r?\n(?<secret>[A-Za-z0-9+/=\r\n]{20,8000})/g,
  },
  {
    name: "private-key",
    // "-----BEGIN", as a kubeconfig has its keys.
    pattern: /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,20000}={0,2}/g,
    holds: (secret) => Buffer.from(secret, "base64").toString("latin1").includes("PRIVATE KEY"),
  },
  { name: "bearer", pattern: /\bbearer\s+(?<secret>[A-Za-z0-9+/=_.~-]{20,})/gi, holds: looksRandom },
  {
    name: "url-token",
    pattern: /(?<=[a-z]:\/\/)(?<secret>[A-Za-z0-9_.-]{20,200})@/g,
    holds: looksRandom,
  },
  {
    name: "webhook",
    pattern:
      /(?<=\b(?:discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/|hooks\.slack\.com\/(?:services|workflows|triggers)\/|webhook\.office\.com\/webhookb2\/))(?<secret>[A-Za-z0-9_@/-]{20,})|(?<=\bhooks\.zapier\.com\/hooks\/catch\/\d{4,12}\/)(?<zap>[a-z0-9]{6,})/g,
    holds: isNoExample,
  },
  {
    name: "url-query",
    pattern:
      /[?&](?:sig|signature|x-amz-signature|(?:access_|id_|refresh_|auth_)?token|api[_-]?key|key|code|secret|password)=(?<secret>[^\s&"'`<>#)]{16,1000})/gi,
    holds: looksRandom,
  },
  {
    name: "cookie",
    pattern: /\b(?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?(?<secret>[^\s"'=;]{1,100}=[^\r\n"']{16,4000})/gi,
    holds: (secret) => secret.split(/[;=]/).some((value) => value.length >= 16 && looksRandom(value)),
  },
  {
    name: "basic-auth",
    pattern: /(?<![A-Za-z0-9])_?auth["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[A-Za-z0-9+/]{12,500}={0,2})/gi,
    holds: isUserAndPassword,
  },
  {
    name: "login",
    pattern:
      /(?:\s-u|\s--user|\s--proxy-user)[ =]["']?[^\s:"'$]{1,100}:(?<secret>[^\s"']{6,200})|\blogin\s{1,20}\S{1,200}\s{1,20}password\s{1,20}(?<login>\S{4,200})|\bsshpass\s{1,4}-p\s{0,4}["']?(?<ssh>[^\s"']{4,200})/gi,
    holds: (secret, { login, ssh }) => (login || ssh ? isNoPlaceholder(secret) : looksLikeValue(secret, {})),
  },
  {
    name: "login",
    pattern:
      /\b(?:(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,200}?\s-p|redis-cli\b[^\n]{0,200}?\s-a\s{1,4})["']?(?<secret>[^\s"'$-][^\s"']{5,200})|\bjdbc:oracle:thin:\w{1,100}\/(?<login>[^\s@/]{4,200})@/gi,
    holds: looksLikeValue,
  },
  {
    name: "login",
    // A line of ~/.pgpass: host, port, database, user, password.
    pattern:
      /^[a-z0-9*-]+(?:\.[a-z0-9-]+)*:(?:\d{4,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:(?<secret>[^\s:]{6,200})$/gim,
    holds: looksLikeValue,
  },
  {
    name: "option",
    pattern: new RegExp(
      `(?<=\\s--[a-z-]{0,40})(?:${NAMES})\\s{1,4}["']?(?<secret>[^\\s"'\`-][^\\s"'\`]{5,500})`,
      "gi",
    ),
    holds: looksLikeValue,
  },
  {
    name: "element",
    pattern: new RegExp(`<(?<name>[A-Za-z0-9_.-]{0,40}?(?:${NAMES}))>(?<secret>[^<>\\s]{6,500})</`, "gi"),
    holds: looksLikeValue,
  },
  {
    name: "prose",
    pattern:
      /\b(?:password|passphrase|passcode|pass|pwd|pw|api key|token|secret|pin)\s{1,4}(?:is|was|are|=):?\s{1,4}(?:now\s{1,4})?["'`]?(?<secret>[^\s"'`]{6,200})/gi,
    holds: looksChosen,
  },
  {
    name: "prose",
    pattern:
      /\b(?:(?:password|passphrase|passcode|pw|pwd)|(?:log ?in|credentials?|account)\b[^\n/]{1,60}\s\/\s|user(?:name)?\/pass(?:word)?\b[^\n/]{1,60}\/)\s{0,4}(?<secret>[^\s"'`]{6,200})/gi,
    holds: (secret) => looksChosen(secret) && /[!@#$%^*]/.test(secret),
  },
  {
    name: "prose",
    pattern: /\b(?:api ?)?key\s{1,4}(?:is:?\s{1,4})?["'`]?(?<secret>[A-Za-z0-9_-]{24,200})/gi,
    holds: (secret) =>
      looksRandom(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d[A-Za-z]+\d/.test(secret),
  },
  {
    name: "key-value",
    pattern: new RegExp(
      `(?<![A-Za-z0-9_$-])${KEY}(?:["']?\\s*(?:=>|:=|=|:)\\s*|["']\\s*,\\s*(?=["']))${VALUE}`,
      "gi",
    ),
    holds: looksLikeValue,
  },
];

/** Every secret by form, in order; may overlap. */
export function findByForm(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { name, pattern, holds } of RULES) {
    for (const match of text.matchAll(pattern)) {
      const groups: Groups = match.groups ?? {};
      const secret =
        groups.secret ?? Object.values(groups).find((group) => group && group !== groups.name) ?? match[0];
      if (holds && !holds(secret, groups)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      findings.push({ start, end: start + secret.length, rule: name });
    }
  }
  return findings;
}

/**
 * Documentation's own examples and obvious stand-ins. For what has a provider's whole form this is all that keeps
 * it: one that was typed along the keyboard cannot be told from one that was issued.
 */
export function isNoStandIn(secret: string): boolean {
  return !/EXAMPLE|example|XXXX|xxxx|0{12}|\*{4}|\.{3}/.test(secret);
}

/** The same where the form alone says less. */
function isNoExample(secret: string): boolean {
  return isNoStandIn(secret) && !/123456789|abcdefgh|(.)\1{9}/.test(secret);
}

function isNoPlaceholder(secret: string): boolean {
  return isNoExample(secret) && isNoWord(secret);
}

/** In an Authorization header or before a URL's @, where hardly anything but a secret can stand. */
function isNoBlank(secret: string): boolean {
  return isNoStandIn(secret) && isNoWord(secret);
}

function isNoWord(secret: string): boolean {
  return (
    !/^(?:[<${%[({]|\$\{|process\.env|os\.environ|env\.|secrets\.|vault:|redacted|\[REDACTED)/i.test(
      secret,
    ) &&
    !/^(?:pass(?:word|wd)?|secret|token|user|changeme|change-me|placeholder|dummy|test|your[-_a-z]*|my[-_]?[a-z]*|none|null|true|false|undefined|unknown|required|optional|string)$/i.test(
      secret,
    )
  );
}

const STRONG = new RegExp(`(?:${STRONG_NAMES})$`, "i");

/** Letters beside digits, and no word, path, call, version or id that stands where a value would. */
function looksLikeValue(secret: string, groups: Groups): boolean {
  if (!isNoPlaceholder(secret) || /\s/.test(secret.trim())) return false;
  const quoted = groups.double !== undefined || groups.single !== undefined;
  if (
    quoted && secret.length >= 12 ? /^[\w.]*\(|\$\{|\{\{|<[^<>]*>/.test(secret) : /[()[\]{}<>]/.test(secret)
  )
    return false;
  if (/^(?:https?:\/\/|\.{0,2}\/|~|[a-z]:\\|refs\/|[\w.-]+\/[\w./-]+\.\w+$)/i.test(secret)) return false;
  if (/^[\w-]{1,40}(?:\.[\w-]{1,40})+$/.test(secret) && !/\d{3}|\d[A-Za-z]+\d[A-Za-z]+\d/.test(secret))
    return false;
  if (/^v?\d+(?:[.:-]\d+)*$/.test(secret)) return false;
  if (/^sha(?:1|256|512)[:-]/i.test(secret)) return false;
  // A hash or an id: only where nothing but a secret can stand.
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(secret))
    return STRONG.test(groups.name ?? "");
  if (/^[0-9a-f]{7}$/i.test(secret) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(secret)) return false;
  const letters = /[A-Za-z]/.test(secret);
  return letters ? /\d/.test(secret) || /[^A-Za-z0-9_.-]/.test(secret) || secret.length >= 20 : false;
}

function looksRandom(secret: string): boolean {
  return isNoPlaceholder(secret) && /\d/.test(secret) && /[A-Za-z]/.test(secret);
}

/** A password somebody made up: in prose, where words, names and ids stand in its place. */
function looksChosen(secret: string): boolean {
  const core = secret.replace(/[.,;:!?)]+$/, "");
  if (core.length < 6 || !looksRandom(core) || /[()[\]{}<>/]/.test(core)) return false;
  return /[!@#$%^&*+?~|]/.test(secret) || (/[a-z]/.test(core) && /[A-Z]/.test(core) && core.length >= 8);
}

/** `user:password` in base64, as HTTP's basic form and Docker's settings keep it. */
function isUserAndPassword(secret: string): boolean {
  return /^[\x21-\x7e]+:[\x21-\x7e]{3,}$/.test(Buffer.from(secret, "base64").toString("latin1"));
}
