/** Sets of characters as GNU's regex library sees them in a UTF-8 locale. */

export type ClassName =
  | "alpha"
  | "digit"
  | "alnum"
  | "upper"
  | "lower"
  | "space"
  | "blank"
  | "punct"
  | "print"
  | "graph"
  | "cntrl"
  | "xdigit";

export interface CharSet {
  negated: boolean;
  /** Pairs of first and last code point. */
  ranges: readonly (readonly [number, number])[];
  classes: readonly ClassName[];
  /** -i: a character counts as its other case too. */
  fold: boolean;
}

/**
 * glibc's character classes. They are not Unicode's: no-break spaces are no space, digits of other scripts
 * are letters, title case is upper case. Compared with GNU grep for every code point; what differs is
 * characters that one of the two Unicode versions does not know.
 */
const makeClasses = (): Readonly<Record<ClassName, RegExp>> => ({
  alpha: /^[A-Za-z]$|^(?![0-9\u0e2f\u0e46])[\p{Alphabetic}\p{Nd}]$/u,
  digit: /^[0-9]$/,
  alnum: /^(?![\u0e2f\u0e46])[\p{Alphabetic}\p{Nd}]$/u,
  upper: /^[\p{Uppercase}\p{Lt}]$/u,
  lower: /^[\p{Lowercase}\u01c5\u01c8\u01cb\u01f2]$/u,
  space: /^(?![\u0085\u00a0\u2007\u202f])\p{White_Space}$/u,
  blank: /^(?![\u00a0\u2007\u202f])[\t\p{Zs}]$/u,
  punct: /^(?![\u2028\u2029]|(?![\u0e2f\u0e46])[\p{Alphabetic}\p{Nd}])[^\p{Cn}\p{Cc}\p{Cs}]$/u,
  print: /^[^\p{Cn}\p{Cc}\p{Cs}\u2028\u2029]$/u,
  graph: /^(?=[^\p{Cn}\p{Cc}\p{Cs}\u2028\u2029])(?:[\u00a0\u2007\u202f]|\P{White_Space})$/u,
  cntrl: /^[\p{Cc}\u2028\u2029]$/u,
  xdigit: /^[0-9A-Fa-f]$/,
});

let made: ReturnType<typeof makeClasses> | undefined;

/** Made when first asked for: building Unicode's sets costs the hook a millisecond that few patterns need. */
function classes(): ReturnType<typeof makeClasses> {
  made ??= makeClasses();
  return made;
}

export function isClassName(name: string): name is ClassName {
  return Object.hasOwn(classes(), name);
}

function inClass(name: ClassName, codePoint: number): boolean {
  const is = classes()[name].test(String.fromCodePoint(codePoint));
  return name === "punct" ? is && !classes().space.test(String.fromCodePoint(codePoint)) : is;
}

/** A letter, digit or `_`, as `\w` and -w mean it. */
export function isWord(codePoint: number): boolean {
  if (codePoint < 128) {
    return (
      codePoint === 95 ||
      (codePoint >= 48 && codePoint <= 57) ||
      (codePoint >= 65 && codePoint <= 90) ||
      (codePoint >= 97 && codePoint <= 122)
    );
  }
  return inClass("alnum", codePoint);
}

/** The other case of a character where that is one character, else the same. */
function otherCases(codePoint: number): number[] {
  const text = String.fromCodePoint(codePoint);
  return [text.toLowerCase(), text.toUpperCase()].map((cased) => {
    const other = cased.codePointAt(0) ?? codePoint;
    return cased.length === (other > 0xffff ? 2 : 1) ? other : codePoint;
  });
}

function lists(set: CharSet, codePoint: number): boolean {
  return (
    set.ranges.some(([first, last]) => first <= codePoint && codePoint <= last) ||
    set.classes.some((name) => inClass(name, codePoint))
  );
}

export function contains(set: CharSet, codePoint: number): boolean {
  const listed =
    lists(set, codePoint) || (set.fold && otherCases(codePoint).some((other) => lists(set, other)));
  return listed !== set.negated;
}

/** The one character of a set that has just one, else null. */
export function single(set: CharSet): number | null {
  const [range, more] = set.ranges;
  if (range === undefined || more !== undefined || set.negated || set.classes.length > 0) return null;
  if (range[0] !== range[1]) return null;
  return set.fold && otherCases(range[0]).some((other) => other !== range[0]) ? null : range[0];
}

/**
 * Characters whose other case is not one to one: dotless i, long s, final sigma, Kelvin, title case and the
 * like. C libraries differ about them, so that -i beside one of these is left to the real grep.
 */
export const ODD_CASE = new RegExp(
  "[\\u00b5\\u0130\\u0131\\u017f\\u01c4-\\u01cc\\u01f1-\\u01f3\\u03c2\\u03d0\\u03d1\\u03d5\\u03d6\\u03f0\\u03f1\\u03f4" +
    "\\u03f5\\u10d0-\\u10ff\\u1c80-\\u1cbf\\u1e9b\\u1e9e\\u1f80-\\u1fff\\u2126\\u212a\\u212b]|\\u0345",
);
