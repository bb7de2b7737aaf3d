/** Secrets that the scanner does not know, by their form. Each rule is narrow: a false alarm costs a note's meaning. */

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
  holds?: (secret: string) => boolean;
}

/** Not inside a longer word. */
const word = (body: string, flags = "g") =>
  new RegExp(`(?<![A-Za-z0-9_-])(?:${body})(?![A-Za-z0-9_-])`, flags);

/** Providers that mark their tokens with a prefix of their own. */
const PREFIXED: readonly (readonly [string, string])[] = [
  ["anthropic", "sk-ant-[A-Za-z0-9_-]{20,}"],
  ["openai", "sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"],
  ["github", "gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}"],
  ["gitlab", "gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_.-]{20,}"],
  ["slack", "xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\\d-[A-Za-z0-9-]{10,}"],
  ["stripe", "[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}"],
  ["aws", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"],
  ["gcp", "AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\\.[A-Za-z0-9_-]{20,}"],
  ["npm", "npm_[A-Za-z0-9]{36}"],
  ["pypi", "pypi-[A-Za-z0-9_-]{50,}"],
  ["rubygems", "rubygems_[0-9a-f]{48}"],
  ["crates", "cio[A-Za-z0-9]{32}"],
  ["huggingface", "hf_[A-Za-z0-9]{30,}"],
  ["digitalocean", "do[opr]_v1_[0-9a-f]{64}"],
  ["sendgrid", "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"],
  ["twilio", "SK[0-9a-f]{32}"],
  ["mailgun", "key-[0-9a-f]{32}"],
  ["mailchimp", "[0-9a-f]{32}-us\\d{1,2}"],
  ["shopify", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"],
  ["square", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}|EAAA[A-Za-z0-9_-]{60}"],
  ["linear", "lin_(?:api|oauth)_[A-Za-z0-9]{32,}"],
  ["notion", "ntn_[A-Za-z0-9]{40,}"],
  ["databricks", "dapi[0-9a-f]{32}(?:-\\d)?"],
  ["vault", "hv[sbr]\\.[A-Za-z0-9_-]{24,}"],
  ["terraform", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,}"],
  ["pulumi", "pul-[0-9a-f]{40}"],
  ["doppler", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{40,}"],
  ["sentry", "sntry[su]_[A-Za-z0-9+/=_-]{40,}"],
  ["figma", "figd_[A-Za-z0-9_-]{40,}"],
  ["atlassian", "ATATT3[A-Za-z0-9_=-]{60,}"],
  ["docker", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"],
  ["tailscale", "tskey-[a-z]+-[A-Za-z0-9_-]{16,}"],
  ["netlify", "nfp_[A-Za-z0-9]{36,}"],
  ["supabase", "sb[ps]_(?:secret_)?[0-9a-zA-Z]{30,}"],
  ["planetscale", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,}"],
  ["grafana", "gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"],
  ["postman", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"],
  ["airtable", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"],
  ["newrelic", "NRAK-[A-Z0-9]{27}"],
  ["telegram", "\\d{8,10}:AA[A-Za-z0-9_-]{33}"],
  ["discord", "[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}"],
  ["age", "AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}"],
  ["1password", "ops_eyJ[A-Za-z0-9_-]{40,}"],
  ["mapbox", "sk\\.eyJ[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{20,}"],
  ["jwt", "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}"],
];

const KEY_NAMES =
  "(?:[A-Za-z0-9_.-]{0,40}[_.-])?(?:pass(?:word|wd|phrase|code)?|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token|api[_-]?key|apikey|access[_-]?key|auth[_-]?key|account[_-]?key|client[_-]?secret|private[_-]?key|encryption[_-]?key|signing[_-]?key|credentials?)";

const RULES: readonly Rule[] = [
  {
    name: "private-key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{0,8000}?-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|(?:\r?\n[A-Za-z0-9+/=:,. -]{1,200})*)/g,
  },
  ...PREFIXED.map(([name, body]) => ({ name, pattern: word(body), holds: isNoExample })),
  {
    name: "url-password",
    pattern:
      /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@'"<>]{0,200}:(?<secret>[^\s/?#@'"<>]{1,500})@(?=[^\s@])/gi,
    holds: isNoPlaceholder,
  },
  {
    name: "authorization",
    pattern:
      /\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+(?<secret>[A-Za-z0-9+/=_.~-]{12,})/gi,
    holds: isNoPlaceholder,
  },
  { name: "bearer", pattern: /\bbearer\s+(?<secret>[A-Za-z0-9+/=_.~-]{20,})/gi, holds: looksRandom },
  {
    name: "key-value",
    pattern: new RegExp(
      `(?<![A-Za-z0-9_$-])${KEY_NAMES}["']?\\s*(?:=>|:=|=|:)\\s*(?:"(?<double>[^"\\n]{6,})"|'(?<single>[^'\\n]{6,})'|(?<secret>[^\\s"'\`,;)\\]}>]{6,}))`,
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
      const groups = match.groups ?? {};
      const secret = groups.secret ?? groups.double ?? groups.single ?? match[0];
      if (holds && !holds(secret)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      findings.push({ start, end: start + secret.length, rule: name });
    }
  }
  return findings;
}

/** Documentation's own examples and obvious stand-ins. */
export function isNoExample(secret: string): boolean {
  return (
    !/EXAMPLE|example|XXXX|xxxx|0{12}|\*{4}|\.{3}|(?:123456789|abcdefgh)/.test(secret) &&
    !/(.)\1{9}/.test(secret)
  );
}

function isNoPlaceholder(secret: string): boolean {
  return (
    isNoExample(secret) &&
    !/^(?:[<${%[({]|\$\{|process\.env|os\.environ|env\.|secrets\.|vault:|redacted|\[REDACTED)/i.test(
      secret,
    ) &&
    !/^(?:pass(?:word|wd)?|secret|token|user|changeme|change-me|placeholder|dummy|test|your[-_a-z]*|my[-_]?[a-z]*|hunter2|none|null|true|false|undefined|unknown|required|optional|string)$/i.test(
      secret,
    )
  );
}

/** Letters beside digits, and no word, path, call, version or id that stands where a value would. */
function looksLikeValue(secret: string): boolean {
  if (!isNoPlaceholder(secret) || /\s/.test(secret.trim()) || /[()[\]{}<>]/.test(secret)) return false;
  if (/^(?:https?:\/\/|\.{0,2}\/|~|[a-z]:\\|refs\/|[\w.-]+\/[\w./-]+\.\w+$)/i.test(secret)) return false;
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(secret) && !/\d{3}/.test(secret)) return false;
  if (/^v?\d+(?:[.:-]\d+)*$/.test(secret) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(secret))
    return false;
  if (/^(?:sha(?:1|256|512)[:-].*|[0-9a-f]{7}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(secret)) return false;
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(secret)) return false;
  const letters = /[A-Za-z]/.test(secret);
  return letters ? /\d/.test(secret) || /[^A-Za-z0-9_.-]/.test(secret) || secret.length >= 20 : false;
}

function looksRandom(secret: string): boolean {
  return isNoPlaceholder(secret) && /\d/.test(secret) && /[A-Za-z]/.test(secret);
}
