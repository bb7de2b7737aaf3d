/** Ref patterns of the port, matched alike by both engines. */

/**
 * A full name whose `*` matches within one component; one that ends in `/` (or `/**`) matches everything below.
 * (git's own for-each-ref also takes a name as the prefix of others: those are filtered out.)
 */
export function refMatcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set<string>();
  const expressions: RegExp[] = [];
  for (const pattern of patterns) {
    const below = /\/(\*\*)?$/.test(pattern);
    if (!below && !pattern.includes("*")) exact.add(pattern);
    else {
      const source = (below ? pattern.replace(/\/(\*\*)?$/, "") : pattern)
        .split("*")
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
        .join("[^/]*");
      expressions.push(new RegExp(`^${source}${below ? "/.+" : ""}$`, "s"));
    }
  }
  return (name) => exact.has(name) || expressions.some((expression) => expression.test(name));
}
