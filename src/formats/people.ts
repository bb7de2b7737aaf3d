/** E-mail addresses that stand in a text. */
const EMAIL = /[^\s<>@"'`()[\]{},;:]+@[^\s<>@"'`()[\]{},;:]+\.[a-z]{2,}/gi;

/** Each once, in order of appearance. */
export function emailsIn(text: string): string[] {
  return [...new Set([...text.matchAll(EMAIL)].map(([email]) => email.replace(/\.+$/, "")))];
}
