/** Ref patterns of the port, matched alike by both engines. */

/**
 * A full name whose `*` matches within one component; a trailing `/**` matches everything below.
 * (git's own for-each-ref also takes a literal pattern as a prefix: that is filtered out.)
 */
export function refMatcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set<string>();
  const expressions: RegExp[] = [];
  for (const pattern of patterns) {
    if (!pattern.includes("*")) exact.add(pattern);
    else {
      const below = pattern.endsWith("/**");
      const source = (below ? pattern.slice(0, -3) : pattern)
        .split("*")
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
        .join("[^/]*");
      expressions.push(new RegExp(`^${source}${below ? "/.+" : ""}$`, "s"));
    }
  }
  return (name) => exact.has(name) || expressions.some((expression) => expression.test(name));
}
