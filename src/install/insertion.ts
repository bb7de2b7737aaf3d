/** What `after` has more than `before`, in one piece; `""` where that is no single piece. */
export function insertion(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return start + end === before.length ? after.slice(start, after.length - end) : "";
}
