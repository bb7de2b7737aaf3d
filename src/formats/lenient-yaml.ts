/**
 * Frontmatter as people and agents really write it: texts with `: `, ` #` or a leading `!` and no quotes, which
 * YAML refuses, cuts or changes. The park document's own examples are of this kind.
 */
import { readYaml } from "../document/parse.js";
import { isMap } from "../document/schema-reader.js";
import { quoteScalars, type TextKeys } from "./quote-scalars.js";

export interface Header {
  /** null when the text is no map in any reading. */
  map: Record<string, unknown> | null;
  warnings: string[];
}

/**
 * The map a header holds. Values of `textKeys` are read as the text that stands there; where the rest breaks
 * YAML, every unquoted value is. `map` is null, with YAML's own complaint, when that does not help either.
 */
export function readHeader(yaml: string, textKeys: TextKeys): Header {
  const first = quoteScalars(yaml, textKeys);
  const read = readYaml(first.text);
  if (isMapOrNothing(read.value)) {
    return { map: read.value ?? {}, warnings: [...asPlain(first.plain), ...read.warnings] };
  }
  const second = quoteScalars(yaml, textKeys, { broken: true });
  const again = second.text === first.text ? read : readYaml(second.text);
  if (isMapOrNothing(again.value)) {
    return { map: again.value ?? {}, warnings: [...asPlain(second.plain), ...again.warnings] };
  }
  const warnings = read.value === undefined ? read.warnings : ["the frontmatter is no map"];
  return { map: null, warnings };
}

function isMapOrNothing(value: unknown): value is Record<string, unknown> | null {
  return value === null || isMap(value);
}

function asPlain(places: readonly string[]): string[] {
  return places.length === 0 ? [] : [`not quoted, read as plain text: ${places.join(", ")}`];
}
