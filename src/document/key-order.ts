import type { Schema } from "./schema-reader.js";
import { isMap } from "./schema-reader.js";

/**
 * The entries of a map in the order in which they are written: the schema's keys in the schema's order, each
 * unknown key after the known one it stood behind. Keys without a value (undefined) are left out.
 */
export function orderedEntries(map: Record<string, unknown>, schema: Schema): [string, unknown][] {
  const known = Object.keys(schema.properties ?? {});
  const following = new Map<string, [string, unknown][]>();
  const leading: [string, unknown][] = [];
  let group = leading;
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined) continue;
    if (known.includes(key)) {
      group = [];
      following.set(key, group);
    }
    group.push([key, value]);
  }
  return [...leading, ...known.flatMap((key) => following.get(key) ?? [])];
}

/** The schema of a map's key; an empty one for an unknown key. */
export function schemaOfKey(schema: Schema, key: string, value: unknown): Schema {
  const properties = schema.properties ?? {};
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (property?.anyOf && isMap(value)) {
    return property.anyOf.find((branch) => branch.type === "object") ?? {};
  }
  return property ?? {};
}
