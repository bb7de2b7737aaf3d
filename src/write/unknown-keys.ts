/** Keys nobody reads: kept, but one that is a slip of the pen hides what its author meant to say. */
import schema from "../document/schema.json" with { type: "json" };

const BODY = ["state", "impact", "next", "pointers", "skills", "body", "lessons"];
const KNOWN = [...Object.keys(schema.properties), ...BODY];

/** One warning for each, with the key that was perhaps meant. */
export function unknownKeyWarnings(input: object): string[] {
  return Object.keys(input)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => {
      const start = key.toLowerCase().slice(0, 4);
      const meant = KNOWN.find((known) => known.startsWith(start));
      return `'${key}' is no key of a handoff: kept, but not shown${meant === undefined ? "" : ` (meant: ${meant}?)`}`;
    });
}
