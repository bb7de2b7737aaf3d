/** What a comparison of a commit with HEAD's history ends in. */
export interface Comparison {
  ancestry: "rewritten" | "diverged" | "unknown";
  as: string | null;
  note: string | null;
}
