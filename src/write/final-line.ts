/** The line that a written branch handoff ends with. Source: the park document, step 9. */

/** Harnesses that have no `/clear`. It is said to the person, who may be about to use any: also to one alone. */
const WITHOUT_CLEAR = new Set(["cursor", "pi"]);

export function finalLine(harness: string): string {
  const how = WITHOUT_CLEAR.has(harness) ? "Start" : "Run `/clear` to start";
  return `${how} a fresh session — the handoff will surface automatically on the next session for this branch.`;
}
