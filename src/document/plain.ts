/** Which strings our YAML leaves unquoted: those that no YAML reader, old or new, could take for anything else. */

// A letter first, then words of harmless characters with single spaces between, a letter or digit (or a
// closing bracket) last. So no `: `, no ` #`, no indicator at the start, no number and no date.
const SAFE = /^[A-Za-z](?:[A-Za-z0-9_./@<>()+=^-]| (?=[A-Za-z0-9_./@<>()+=^-]))*$/;
const ENDS_SAFE = /[A-Za-z0-9)>]$/;
/** YAML 1.1 and 1.2 read these as something else than text. */
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
const SAFE_KEY = /^[A-Za-z][A-Za-z0-9_-]*$/;
const MAX_PLAIN = 200;

/** True where the value needs no quotes. */
export function isPlainValue(text: string): boolean {
  return text.length <= MAX_PLAIN && SAFE.test(text) && ENDS_SAFE.test(text) && !RESERVED.test(text);
}

/** True where the key needs no quotes. */
export function isPlainKey(text: string): boolean {
  return text.length <= MAX_PLAIN && SAFE_KEY.test(text) && ENDS_SAFE.test(text) && !RESERVED.test(text);
}
