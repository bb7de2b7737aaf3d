/** One walk over a YAML document before it becomes data: what the library does not tell, or not quickly. */
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, Scalar } from "yaml";

export interface Survey {
  /** Keys that a map has more than once. */
  repeated: Set<string>;
  aliases: number;
  /** Unquoted texts that a ` #` on their line cuts short: the key each is of, and where it begins in the text. */
  cut: { key: string; at: number }[];
}

/**
 * Not recursive: nesting may be deep. An unquoted text behind a lone `!`, which YAML takes for a tag and drops,
 * gets it back: in a predicate it is the negation.
 */
export function survey(document: Document, text: string): Survey {
  const found: Survey = { repeated: new Set(), aliases: 0, cut: [] };
  const pending: { node: unknown; key: string }[] = [{ node: document.contents, key: "" }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, key } = next;
    if (isAlias(node)) found.aliases += 1;
    else if (isScalar(node)) surveyScalar(node, { key, text }, found);
    else if (isPair(node)) {
      const name = isScalar(node.key) ? String(node.key.value) : key;
      pending.push({ node: node.value, key: name }, { node: node.key, key: name });
    } else if (isSeq(node)) for (const item of node.items) pending.push({ node: item, key });
    else if (isMap(node)) {
      noteRepeated(node.items, found.repeated);
      for (const pair of node.items) pending.push({ node: pair, key });
    }
  }
  found.cut.sort((one, other) => one.at - other.at);
  return found;
}

function surveyScalar(node: Scalar, { key, text }: { key: string; text: string }, { cut }: Survey): void {
  if (node.type !== Scalar.PLAIN || typeof node.value !== "string") return;
  if (node.tag === "!") node.value = `! ${node.value}`;
  // The library also counts a comment on the lines below as this value's.
  if (node.range && /^[ \t]+#/.test(text.slice(node.range[1], node.range[2]))) {
    cut.push({ key, at: node.range[0] });
  }
}

function noteRepeated(items: readonly { key: unknown }[], repeated: Set<string>): void {
  const seen = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
}
