/** A pack made in memory: the form in which one git process takes any number of new objects. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { GitObject, ObjectFormat, ObjectType } from "./port.js";

const TYPE: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Type and size as a pack spells them: four bits of size beside the type, then seven at a time. */
function entryHeader(type: ObjectType, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (TYPE[type] << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 128);
    byte = rest & 127;
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}

/** A version 2 pack of whole objects (no deltas). */
export function encodePack(objects: readonly GitObject[], format: ObjectFormat): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [header];
  for (const { type, content } of objects) {
    parts.push(entryHeader(type, content.length), deflateSync(content));
  }
  const hash = createHash(format);
  for (const part of parts) hash.update(part);
  return Buffer.concat([...parts, hash.digest()]);
}
