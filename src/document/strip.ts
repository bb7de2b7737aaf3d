/** Handoff text comes from others: what could drive a terminal or hide words is taken out before it is shown. */

const LINE_END = /\r\n/g;
// In this order at each place: a string sequence (OSC, DCS, SOS, PM, APC; without its end it stops at the line's
// end, so that it cannot swallow what follows), a control sequence, any other escape. In one pass: in several,
// taking one out could make another of what stood around it.
const SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
const SPACING = /[\t\r\u2028\u2029]/g;
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g;
const PLAIN = /^[\n -~]*$/;
/** Words with one space between: already as it would be shown. */
const PLAIN_LINE = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** Text safe to print: newlines stay, a tab becomes a space, everything that controls or hides goes. */
export function stripText(text: string): string {
  if (PLAIN.test(text)) return text;
  const shown = text.replace(LINE_END, "\n").replace(SEQUENCE, "").replace(SPACING, " ").replace(CONTROL, "");
  return withoutHidden(shown);
}

/** Apart, because Unicode's sets cost the hook time that plain text need not spend. */
function withoutHidden(text: string): string {
  // Bidi marks, overrides and isolates; zero-width and filler characters; annotation marks; the tag and
  // supplementary variation-selector blocks, in which whole sentences can be hidden.
  const hidden =
    /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
  // Joiners belong in emoji and in scripts that need them; between other letters they only hide bits.
  const joiner =
    /(?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{M}|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}))[\u200c\u200d]/gu;
  return text.replace(hidden, "").replace(joiner, "");
}

/** The same on one line: every run of white space is one space, none at the ends. */
export function oneLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return stripText(text).replace(/\s+/g, " ").trim();
}
