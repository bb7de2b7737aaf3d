/** E-mail addresses that stand in a text. */

const BETWEEN = /[\s<>"'`()[\]{},;:]+/;

/** Each once, in order of appearance. */
export function emailsIn(text: string): string[] {
  const found = text
    .split(BETWEEN)
    .filter((word) => word.includes("@"))
    .map((word) => word.replace(/^[.]+/, "").replace(/[.]+$/, ""));
  return [...new Set(found.filter(isEmail))];
}

function isEmail(word: string): boolean {
  const at = word.indexOf("@");
  const domain = word.slice(at + 1);
  return word.length <= 320 && at > 0 && /^[^@.]+(?:\.[^@.]+)*\.[a-z]{2,}$/i.test(domain);
}
