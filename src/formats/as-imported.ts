/**
 * Where a file's own header is kept: word for word, in a section of the body. What has no key of ours (comments,
 * unknown fields, the spelling) is not lost, and what has one can be compared.
 */

const TITLE = "As imported";
const SECTION = /^## As imported \((?:park|evidence|inbox|yaml)\)$/m;

/** The body with the header behind it; unchanged where one is there already. */
export function withOriginal(body: string, form: string, language: string, original: string): string {
  if (SECTION.test(body) || original.trim() === "") return body;
  const fence = "`".repeat(longestRun(original) + 1);
  const section = `## ${TITLE} (${form})\n\n${fence}${language}\n${original.replace(/\n$/, "")}\n${fence}\n`;
  if (body.trim() === "") return section;
  return `${body.replace(/\n*$/, "\n")}\n${section}`;
}

/** Back-ticks in a row, at least two. */
function longestRun(text: string): number {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
